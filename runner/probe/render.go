//go:build go1.21

package probe

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
)

const maxText = 2000

// renderer writes a value the way the visible digest sees it.
type renderer struct {
	b       strings.Builder
	nodes   int
	visited map[visit]int
}

// render returns a value as text and tells its category: e an error, n nil,
// z empty, v any other value.
func render(v reflect.Value) (string, byte) {
	if !v.IsValid() {
		return "nil", 'n'
	}
	r := renderer{visited: map[visit]int{}}
	r.value(v, 0)
	s := r.b.String()
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s, category(v)
}

func category(v reflect.Value) byte {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan:
		if v.IsNil() {
			return 'n'
		}
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			return 'n'
		}
		if v.Len() == 0 {
			return 'z'
		}
	}
	if v.CanInterface() && v.Type().Implements(errorType) {
		return 'e'
	}
	return 'v'
}

func (r *renderer) value(v reflect.Value, depth int) {
	r.nodes++
	if r.b.Len() > maxText || r.nodes > maxNodes || depth > 40 {
		r.b.WriteString("…")
		return
	}
	if !v.IsValid() {
		r.b.WriteString("nil")
		return
	}
	t := v.Type()
	if t == timeType && v.CanInterface() {
		r.b.WriteString(v.Interface().(time.Time).UTC().Format(time.RFC3339Nano))
		return
	}
	if s, ok := methodText(v, false); ok {
		s = normal(s)
		if t.Implements(errorType) {
			r.b.WriteString("error(" + strconv.Quote(s) + ")")
			return
		}
		r.b.WriteString(t.String() + "(" + strconv.Quote(s) + ")")
		return
	}
	switch v.Kind() {
	case reflect.String:
		r.b.WriteString(strconv.Quote(normal(v.String())))
	case reflect.Interface:
		if v.IsNil() {
			r.b.WriteString("nil")
			return
		}
		r.value(v.Elem(), depth)
	case reflect.Pointer:
		r.pointer(v, depth)
	case reflect.Slice, reflect.Array:
		r.sequence(v, depth)
	case reflect.Map:
		r.mapping(v, depth)
	case reflect.Struct:
		r.fields(v, depth)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		if v.IsZero() {
			r.b.WriteString("nil")
			return
		}
		r.b.WriteString(t.String())
	default:
		r.basic(v)
	}
}

func (r *renderer) basic(v reflect.Value) {
	switch {
	case v.CanInt():
		r.b.WriteString(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		r.b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat():
		r.b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case v.CanComplex():
		r.b.WriteString(fmt.Sprint(v.Complex()))
	case v.Kind() == reflect.Bool:
		r.b.WriteString(strconv.FormatBool(v.Bool()))
	}
}

func (r *renderer) pointer(v reflect.Value, depth int) {
	if v.IsNil() {
		r.b.WriteString("nil")
		return
	}
	key := visit{v.Pointer(), planOf(v.Type()), 0}
	if i, ok := r.visited[key]; ok {
		fmt.Fprintf(&r.b, "&#%d", i)
		return
	}
	r.visited[key] = len(r.visited)
	r.b.WriteString("&")
	r.value(v.Elem(), depth+1)
}

func (r *renderer) sequence(v reflect.Value, depth int) {
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			r.b.WriteString(v.Type().String() + "(nil)")
			return
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			r.b.WriteString("[]byte(" + strconv.Quote(normal(string(v.Bytes()))) + ")")
			return
		}
		if v.Len() > 0 {
			key := visit{v.Pointer(), planOf(v.Type()), v.Len()}
			if _, ok := r.visited[key]; ok {
				r.b.WriteString("…") // a slice within itself
				return
			}
			r.visited[key] = len(r.visited)
			defer delete(r.visited, key)
		}
	}
	r.b.WriteString("[")
	for i := 0; i < v.Len(); i++ {
		if i > 0 {
			r.b.WriteString(" ")
		}
		if r.b.Len() > maxText {
			r.b.WriteString("…")
			break
		}
		r.value(v.Index(i), depth+1)
	}
	r.b.WriteString("]")
}

func (r *renderer) mapping(v reflect.Value, depth int) {
	if v.IsNil() {
		r.b.WriteString(v.Type().String() + "(nil)")
		return
	}
	var parts []string
	for it := v.MapRange(); it.Next(); {
		k, _ := render(it.Key())
		e := renderer{nodes: r.nodes, visited: r.visited}
		e.value(it.Value(), depth+1)
		r.nodes = e.nodes
		parts = append(parts, k+":"+e.b.String())
		if r.nodes > maxNodes {
			break
		}
	}
	sort.Strings(parts)
	r.b.WriteString("map[" + strings.Join(parts, " ") + "]")
}

func (r *renderer) fields(v reflect.Value, depth int) {
	t := v.Type()
	r.b.WriteString(t.Name() + "{")
	first, hidden := true, false
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if !f.IsExported() && !f.Anonymous || Lacks(t, f.Name) {
			hidden = true
			continue
		}
		if !first {
			r.b.WriteString(" ")
		}
		first = false
		r.b.WriteString(f.Name + ":")
		r.value(v.Field(i), depth+1)
	}
	if hidden && first {
		r.b.WriteString("…")
	}
	r.b.WriteString("}")
}

func panicText(p any) string {
	defer func() { _ = recover() }()
	var s string
	switch x := p.(type) {
	case error:
		s = x.Error()
	case string:
		s = x
	case interface{ String() string }:
		s = x.String()
	default:
		s, _ = render(reflect.ValueOf(p))
	}
	s = normal(s)
	if len(s) > maxText {
		s = s[:maxText]
	}
	return s
}

//go:build go1.21

package gosource

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// scalar adds the comparison of a number, a text or a truth.
func (s *viewer) scalar(expr string, y reflect.Value, static reflect.Type) {
	if y.Kind() == reflect.String && y.Len() > maxViewText || y.Kind() == reflect.Uintptr {
		return
	}
	if y.CanFloat() && math.IsNaN(y.Float()) {
		// Not a number: only its text can be compared.
		s.addText("fmt", "Sprint("+expr+")", "NaN")
		return
	}
	c := typed
	if static.Kind() == reflect.Interface {
		c = free
	}
	lit, internal, ok := s.attempt(func(w *writer) string {
		l, ok := w.litOf(y, 0)
		if !ok {
			return w.fail("no literal")
		}
		return w.expr(l, y.Type(), c)
	})
	if !ok {
		return
	}
	s.add(wire.View{Style: wire.StyleEqual, Expr: expr, Literal: lit, Text: fmt.Sprint(plainOf(y)), Internal: internal})
}

// plainOf is a value of a basic kind without its type's methods.
func plainOf(y reflect.Value) any {
	switch k := y.Kind(); {
	case k == reflect.String:
		return y.String()
	case k == reflect.Bool:
		return y.Bool()
	case y.CanInt():
		return y.Int()
	case y.CanUint():
		return y.Uint()
	case y.CanFloat():
		if k == reflect.Float32 {
			return float32(y.Float())
		}
		return y.Float()
	}
	return y.Complex()
}

// deep adds the comparison with a whole literal, if there is a short one.
func (s *viewer) deep(expr string, y reflect.Value, static reflect.Type) {
	switch y.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct, reflect.Pointer:
	default:
		return
	}
	if y.Kind() == reflect.Pointer && y.IsNil() {
		return
	}
	lit, internal, ok := s.attempt(func(w *writer) string {
		l, ok := w.litOf(y, 0)
		if !ok {
			return w.fail("no literal")
		}
		text := w.expr(l, y.Type(), free)
		if len(text) > maxDeep {
			return w.fail("too long")
		}
		return text
	})
	if !ok {
		return
	}
	text, _ := formatted("%v", y)
	s.add(wire.View{Style: wire.StyleDeep, Expr: expr, Literal: lit, Text: text, Internal: internal})
}

type internals struct{ named bool }

// parts adds what can be reached from a value by fields, elements and the
// methods that tell what it is: the places that digests look at.
func (s *viewer) parts(expr string, x reflect.Value, static reflect.Type, depth int, in internals) {
	if depth > deepestView || len(s.list) >= maxViews || !x.CanInterface() {
		return
	}
	from := len(s.list)
	defer func() {
		if in.named {
			for i := from; i < len(s.list); i++ {
				s.list[i].Internal = true
			}
		}
	}()
	y := x
	if x.Kind() == reflect.Interface {
		if x.IsNil() {
			return
		}
		y = x.Elem()
	}
	if s.saying(expr, y, static) && static == errorInterface {
		return
	}
	if static.Kind() == reflect.Interface {
		s.left(expr, y, static)
		if depth > 0 {
			// What is behind it may be of another type on the other version.
			s.addText("fmt", "Sprintf(\"%T\", "+expr+")", y.Type().String())
		}
		switch k := y.Kind(); {
		case constantKind(k):
			if depth > 0 {
				s.scalar(expr, y, static)
			}
			return
		case k == reflect.Func, k == reflect.Chan:
			return
		}
		name, internal, ok := s.attempt(func(w *writer) string { return w.typ(y.Type()) })
		if !ok {
			return
		}
		expr, static, in.named = expr+".("+name+")", y.Type(), in.named || internal
	}
	switch y.Kind() {
	case reflect.Pointer:
		if depth > 0 {
			s.nilness(expr, y)
		}
		if y.IsNil() {
			return
		}
		if y.Elem().Kind() == reflect.Struct {
			s.fields(expr, y.Elem(), depth, in)
			return
		}
		s.parts("(*"+expr+")", y.Elem(), y.Type().Elem(), depth+1, in)
	case reflect.Struct:
		s.fields(expr, y, depth, in)
	case reflect.Slice, reflect.Array:
		s.rows(expr, y, depth, in)
	case reflect.Map:
		s.entries(expr, y, depth, in)
	default:
		if depth > 0 && constantKind(y.Kind()) {
			s.scalar(expr, y, static)
		}
	}
}

// left adds what is left to read of a reader, where that is known without reading: of a request's body, say.
func (s *viewer) left(expr string, y reflect.Value, static reflect.Type) {
	if !static.Implements(readerInterface) {
		return
	}
	text, known := harness.Peeked(y)
	if !known || len(text) > maxViewText || !utf8.ValidString(text) {
		return
	}
	s.w.imported("io", "io")
	s.add(wire.View{Style: wire.StyleRead, Expr: expr, Literal: strconv.Quote(text), Text: text})
}

// saying adds what Error or String tell, and reports whether there was something
// to add.
func (s *viewer) saying(expr string, y reflect.Value, static reflect.Type) bool {
	if nilable(y.Kind()) && y.IsNil() {
		return false
	}
	method, text := "", ""
	_, _, _ = probe.Guard(harness.CallFuel, func() {
		switch v := y.Interface().(type) {
		case error:
			text = v.Error()
			method = "Error"
		case fmt.Stringer:
			text = v.String()
			method = "String"
		}
	})
	if method == "" {
		return false
	}
	if _, ok := static.MethodByName(method); ok {
		s.addText("", expr+"."+method+"()", text)
	} else {
		s.addText("fmt", "Sprint("+expr+")", text)
	}
	return true
}

func (s *viewer) fields(expr string, y reflect.Value, depth int, in internals) {
	t := y.Type()
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if !f.IsExported() {
			if f.Anonymous && f.Type.Kind() == reflect.Struct {
				// Its exported fields are promoted.
				s.promoted(expr, y, t, i, depth, in)
			}
			continue
		}
		s.parts(expr+"."+f.Name, y.Field(i), f.Type, depth+1, in)
	}
}

func (s *viewer) promoted(expr string, y reflect.Value, t reflect.Type, i, depth int, in internals) {
	inner := t.Field(i).Type
	for j := 0; j < inner.NumField(); j++ {
		f := inner.Field(j)
		if !f.IsExported() {
			continue
		}
		if p, ok := t.FieldByName(f.Name); ok && len(p.Index) == 2 && p.Index[0] == i {
			s.parts(expr+"."+f.Name, y.Field(i).Field(j), f.Type, depth+1, in)
		}
	}
}

func (s *viewer) length(expr string, n int) {
	s.add(wire.View{Style: wire.StyleEqual, Expr: "len(" + expr + ")", Literal: strconv.Itoa(n), Text: strconv.Itoa(n)})
}

func (s *viewer) rows(expr string, y reflect.Value, depth int, in internals) {
	if y.Kind() == reflect.Slice {
		if y.Type().Elem().Kind() == reflect.Uint8 {
			if y.Len() <= maxViewText {
				s.addText("", "string("+expr+")", string(y.Bytes()))
			}
			return
		}
		s.length(expr, y.Len())
	}
	for i := 0; i < y.Len() && i < maxRows; i++ {
		s.parts(expr+"["+strconv.Itoa(i)+"]", y.Index(i), y.Type().Elem(), depth+1, in)
	}
}

func (s *viewer) entries(expr string, y reflect.Value, depth int, in internals) {
	if y.IsNil() {
		return
	}
	s.length(expr, y.Len())
	for i, k := range sortedKeys(y) {
		if i >= maxRows {
			return
		}
		if addressed(k, 1, false) {
			continue // only the very same pointer finds the entry
		}
		key, internal, ok := s.attempt(func(w *writer) string {
			l, ok := w.litOf(k, 0)
			if !ok {
				return w.fail("no literal")
			}
			return w.expr(l, k.Type(), typed)
		})
		if !ok {
			continue
		}
		s.parts(expr+"["+key+"]", y.MapIndex(k), y.Type().Elem(), depth+1, internals{in.named || internal})
	}
}

// sortedKeys orders keys by what they show.
func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	texts := make(map[int]string, len(keys))
	order := make([]int, len(keys))
	for i, k := range keys {
		order[i] = i
		switch {
		case k.CanInt():
			texts[i] = fmt.Sprintf("%020d", uint64(k.Int())+1<<63)
		case k.CanUint():
			texts[i] = fmt.Sprintf("%020d", k.Uint())
		case k.Kind() == reflect.String:
			texts[i] = k.String()
		default:
			texts[i], _ = formatted("%#v", k)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return texts[order[a]] < texts[order[b]] })
	out := make([]reflect.Value, len(keys))
	for i, k := range order {
		out[i] = keys[k]
	}
	return out
}

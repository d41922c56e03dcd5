//go:build go1.21

package harness

import (
	"bytes"
	"math"
	"reflect"
	"sort"
	"time"
	"unsafe"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// Limits of one value. What lies beyond is a hole.
const (
	valueNodes    = 2048    // literals
	valueText     = 4 << 10 // bytes of its texts
	valueElements = 256     // of one list, entries of one map
	valueDepth    = 8       // values that lie within one another
)

// valueWriter writes one value down as wire.Valued has it: holes for parts that cannot
// be written, the same literal for the same value in every process. It changes nothing,
// and calls no method but Error.
type valueWriter struct {
	*Registry
	nodes, texts int
	key          bool // within the key of a map, where pointers are not followed
	// within are the places that the walk is in.
	within map[inside]bool
}

// inside is a place in memory, seen as a type; n is the length of a slice.
type inside struct {
	at unsafe.Pointer
	t  reflect.Type
	n  int
}

var hole = wire.Lit{Form: wire.Hole}

// value writes down a value of its own type.
func (w *valueWriter) value(v reflect.Value, depth int) wire.Lit {
	if w.nodes++; w.nodes > valueNodes || depth > valueDepth || !v.IsValid() {
		return hole
	}
	if l, ok := scalar(v); ok {
		return l
	}
	switch v.Kind() {
	case reflect.Uintptr: // an address, mostly
		if v.IsZero() {
			return wire.Lit{Form: wire.Uint}
		}
		return hole
	case reflect.Float32, reflect.Float64:
		return floating(v.Float())
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return wire.Lit{Form: wire.Complex, E: []wire.Lit{floating(real(c)), floating(imag(c))}}
	case reflect.String:
		return w.text(v.String())
	case reflect.Array:
		return w.elements(v, depth)
	case reflect.Struct:
		return w.structure(v, depth)
	}
	switch {
	case v.IsZero():
		return wire.Lit{}
	case v.Kind() == reflect.Interface:
		return w.held(v, depth)
	case w.key: // two keys may look the same, and lie at addresses of no order
		return hole
	}
	switch v.Kind() {
	case reflect.Pointer:
		return w.pointer(v, depth)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return w.raw(v.Bytes())
		}
		return w.once(inside{v.UnsafePointer(), v.Type(), v.Len()}, func() wire.Lit { return w.elements(v, depth) })
	case reflect.Map:
		return w.once(inside{v.UnsafePointer(), v.Type(), 0}, func() wire.Lit { return w.mapping(v, depth) })
	}
	return hole // functions, channels
}

// scalar writes down a truth value or a whole number, and reports whether v is one.
// Addresses are left to the caller.
func scalar(v reflect.Value) (wire.Lit, bool) {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return wire.Lit{Form: wire.Bool, N: 1}, true
		}
		return wire.Lit{Form: wire.Bool}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return wire.Lit{Form: wire.Int, N: v.Int()}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return wire.Lit{Form: wire.Uint, N: int64(v.Uint())}, true
	}
	return wire.Lit{}, false
}

// floating writes down a number; all that are no numbers are the same one.
func floating(f float64) wire.Lit {
	if f != f {
		f = math.NaN()
	}
	return wire.FloatLit(f)
}

func (w *valueWriter) text(s string) wire.Lit {
	if w.texts+len(s) > valueText {
		return hole
	}
	w.texts += len(s)
	return wire.Lit{Form: wire.Text, S: s}
}

// raw is text for bytes, which it copies only where they are few.
func (w *valueWriter) raw(b []byte) wire.Lit {
	if w.texts+len(b) > valueText {
		return hole
	}
	return w.text(string(b))
}

// once walks into a place unless the walk is in it already.
func (w *valueWriter) once(at inside, walk func() wire.Lit) wire.Lit {
	if w.within[at] {
		return hole
	}
	if w.within == nil {
		w.within = map[inside]bool{}
	}
	w.within[at] = true
	defer delete(w.within, at)
	return walk()
}

func (w *valueWriter) pointer(v reflect.Value, depth int) wire.Lit {
	e := v.Type().Elem()
	switch e.PkgPath() {
	case "internal/abi", "reflect", "unique", "sync", "runtime":
		return hole // descriptions, not values
	}
	if v.Type() == recordedBufferType && v.CanInterface() {
		return wire.Lit{Form: wire.Special, S: wire.SpecialBuffer, E: []wire.Lit{w.raw(v.Interface().(*bytes.Buffer).Bytes())}}
	}
	return w.once(inside{v.UnsafePointer(), v.Type(), 0}, func() wire.Lit {
		return wire.Lit{Form: wire.Pointer, E: []wire.Lit{w.value(v.Elem(), depth+1)}}
	})
}

// held writes down an interface that holds something.
func (w *valueWriter) held(v reflect.Value, depth int) wire.Lit {
	if v.Type().Implements(errorType) {
		if !v.CanInterface() {
			return hole
		}
		s := ""
		// Error is the module's own: it may not end either.
		if e, _, _ := probe.Guard(CallFuel, func() { s = v.Interface().(error).Error() }); e != probe.Returned {
			return hole
		}
		return w.text(probe.Normal(s))
	}
	n, ok := w.TypeNumber(v.Elem().Type())
	if !ok {
		return hole
	}
	return wire.Lit{Form: wire.Dynamic, T: n, E: []wire.Lit{w.value(v.Elem(), depth+1)}}
}

func (w *valueWriter) elements(v reflect.Value, depth int) wire.Lit {
	if v.Len() > valueElements {
		return hole
	}
	l := wire.Lit{Form: wire.Seq}
	for i := 0; i < v.Len(); i++ {
		l.E = append(l.E, w.value(v.Index(i), depth+1))
	}
	return l
}

// mapping writes entries by ascending keys. Each key is written on its own, with what was
// left for all, so that nothing hangs on the order in which they come. A map with keys
// that are written alike is a hole: their order would be an accident.
func (w *valueWriter) mapping(v reflect.Value, depth int) wire.Lit {
	if v.Len() > valueElements {
		return hole
	}
	type entry struct {
		key   wire.Lit
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	nodes, texts := w.nodes, w.texts
	for it := v.MapRange(); it.Next(); {
		k := valueWriter{Registry: w.Registry, nodes: nodes, texts: texts, key: true}
		entries = append(entries, entry{k.value(it.Key(), depth+1), it.Value()})
		w.nodes += k.nodes - nodes
		w.texts += k.texts - texts
	}
	sort.Slice(entries, func(i, j int) bool { return order(entries[i].key, entries[j].key) < 0 })
	l := wire.Lit{Form: wire.Map}
	for i, e := range entries {
		if i > 0 && order(entries[i-1].key, e.key) == 0 {
			return hole
		}
		l.E = append(l.E, e.key, w.value(e.value, depth+1))
	}
	return l
}

func (w *valueWriter) structure(v reflect.Value, depth int) wire.Lit {
	t := v.Type()
	if t == timeType {
		return instant(v)
	}
	l := wire.Lit{Form: wire.Struct}
	for i := 0; i < w.Registry.Fields(t); i++ {
		l.E = append(l.E, w.value(v.Field(w.Field(t, i)), depth+1))
	}
	return l
}

// instant writes down a time.Time, in an unexported field only where that has an address.
func instant(v reflect.Value) wire.Lit {
	if !v.CanInterface() {
		if !v.CanAddr() {
			return hole
		}
		v = reflect.NewAt(timeType, v.Addr().UnsafePointer()).Elem()
	}
	at := v.Interface().(time.Time)
	return wire.Lit{Form: wire.Special, S: wire.SpecialTime, E: []wire.Lit{
		{Form: wire.Int, N: at.Unix()}, {Form: wire.Int, N: int64(at.Nanosecond())}}}
}

// order compares two keys as they are written: numbers by their size, texts by their bytes,
// false before true, lists and structs element by element. It is negative where a comes
// first, and 0 where both are written alike. What is not a number comes last.
func order(a, b wire.Lit) int {
	switch {
	case a.Form != b.Form:
		return sign(a.Form < b.Form)
	case a.Form == wire.Uint && a.N != b.N:
		return sign(uint64(a.N) < uint64(b.N))
	case a.Form == wire.Float && a.Float64() < b.Float64():
		return -1
	case a.Form == wire.Float && a.Float64() > b.Float64():
		return 1
	case a.Form == wire.Float && (a.Float64() != a.Float64()) != (b.Float64() != b.Float64()):
		return sign(b.Float64() != b.Float64())
	case a.N != b.N:
		return sign(a.N < b.N)
	case a.S != b.S:
		return sign(a.S < b.S)
	case a.T != b.T:
		return sign(a.T < b.T)
	}
	for i := 0; i < len(a.E) && i < len(b.E); i++ {
		if c := order(a.E[i], b.E[i]); c != 0 {
			return c
		}
	}
	if len(a.E) != len(b.E) {
		return sign(len(a.E) < len(b.E))
	}
	return 0
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

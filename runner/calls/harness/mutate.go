//go:build go1.21

package harness

import (
	"bytes"
	"reflect"
	"sort"
	"strings"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// mutator changes copied arguments in a few places. Exported fields and
// elements are changed; values with unexported state are only exchanged for
// others of their type, since invariants broken by hand show nothing.
type mutator struct {
	r     *Rand
	plain *Plain
	stock stock
	roots []reflect.Value // settable
	parts []part
	seen  map[uintptr]bool
	lacks func(t reflect.Type, field string) bool // see probe.Lacks
	// lengths of what is there, nil until they are asked for.
	lengths []int
}

// part is a place that can be changed.
type part struct {
	v    reflect.Value // settable
	root int           // number of the argument, -1 where it lies deeper
}

const (
	maxParts    = 200
	partElement = 8 // elements of a sequence that are gone into
	partDepth   = 8
)

// mutate changes one to three places; it reports whether any was changed.
func (w *mutator) mutate() bool {
	w.seen = map[uintptr]bool{}
	for i, v := range w.roots {
		w.find(v, i, 0)
	}
	if len(w.parts) == 0 {
		return false
	}
	changed := false
	for n, try := 1+w.r.few(2), 0; n > 0 && try < 12; try++ {
		p := w.parts[w.r.Intn(len(w.parts))]
		if p.root < 0 && w.r.Chance(30) {
			p = w.parts[w.r.Intn(len(w.parts))] // arguments themselves a little more often
		}
		if w.change(p) {
			changed = true
			n--
		}
	}
	return changed
}

// find collects the places of a value.
func (w *mutator) find(v reflect.Value, root, depth int) {
	if len(w.parts) >= maxParts || depth > partDepth {
		return
	}
	t := v.Type()
	if shared, _ := treatment(t, v); shared && t.Kind() != reflect.Pointer {
		return
	}
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return
	case reflect.Struct:
		if guarded[t.PkgPath()] {
			return
		}
		if hidesState(t) || t == timeType {
			w.parts = append(w.parts, part{v, root})
		}
		if t == timeType || keepsPromises(t) {
			return
		}
		for i := 0; i < t.NumField(); i++ {
			// A mutation is known by its number, and has to be the same on both versions.
			if f := t.Field(i); f.IsExported() && !w.lacks(t, f.Name) {
				w.find(v.Field(i), -1, depth+1)
			}
		}
		return
	}
	w.parts = append(w.parts, part{v, root})
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		w.follow(v, depth)
	case reflect.Map:
		if k := t.Elem().Kind(); k == reflect.Pointer || k == reflect.Interface {
			for _, e := range orderedValues(v) {
				w.follow(e, depth)
			}
		}
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := 0; i < v.Len() && i < partElement; i++ {
			w.find(v.Index(i), -1, depth+1)
		}
	}
}

// follow goes to what a pointer, perhaps in an interface, points to, once.
func (w *mutator) follow(v reflect.Value, depth int) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || w.seen[v.Pointer()] || sharedError(v) {
		return
	}
	if shared, _ := treatment(v.Type(), v); shared {
		return
	}
	w.seen[v.Pointer()] = true
	w.find(v.Elem(), -1, depth+1)
}

// orderedValues are some values of a map, in the order of their keys' states.
func orderedValues(m reflect.Value) []reflect.Value {
	if m.Len() > 100 {
		return nil
	}
	type entry struct {
		order uint64
		v     reflect.Value
	}
	var entries []entry
	for it := m.MapRange(); it.Next(); {
		entries = append(entries, entry{probe.State(it.Key()), it.Value()})
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].order < entries[j].order })
	var out []reflect.Value
	for i := 0; i < len(entries) && i < partElement; i++ {
		out = append(out, entries[i].v)
	}
	return out
}

// keepsPromises reports whether a struct is one of another module that has unexported fields:
// what the others hold has to fit to these, and only that module's code knows how. Of the
// distribution, such types are also meant to be filled in, as requests are.
func keepsPromises(t reflect.Type) bool {
	first, _, _ := strings.Cut(t.PkgPath(), "/")
	return strings.Contains(first, ".") && !probe.OfModule(t.PkgPath()) && hidesState(t)
}

// hidesState reports whether a struct has unexported fields.
func hidesState(t reflect.Type) bool {
	for i := 0; i < t.NumField(); i++ {
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

func (w *mutator) change(p part) bool {
	v, r := p.v, w.r
	switch t := v.Type(); t.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := w.number(v.Int(), t.Bits())
		shift := 64 - t.Bits()
		v.SetInt(n << shift >> shift)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n := uint64(w.number(int64(v.Uint()), t.Bits()))
		shift := 64 - t.Bits()
		v.SetUint(n << shift >> shift)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(w.plain.Float(r, v.Float()))
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		v.SetComplex(complex(w.plain.Float(r, real(c)), imag(c)))
	case reflect.String:
		v.SetString(w.plain.String(r, v.String()))
	case reflect.Slice:
		return w.changeSlice(p)
	case reflect.Map:
		return w.changeMap(p)
	case reflect.Array:
		return false
	case reflect.Pointer:
		if text, ok := readerText(v); ok && r.Chance(70) {
			return w.changeReader(v, text)
		}
		return w.exchange(p)
	case reflect.Interface:
		return w.changeInterface(p)
	case reflect.Struct:
		if t == timeType {
			v.Set(reflect.ValueOf(w.changeTime(v.Interface().(time.Time))))
			return true
		}
		return w.exchange(p)
	default:
		return false
	}
	return true
}

func (w *mutator) number(like int64, bits int) int64 {
	if w.r.Chance(measuredChanged) {
		if n, ok := orBeside(w.r, w.measured()); ok {
			return n
		}
	}
	return w.plain.Int(w.r, like, bits)
}

func (w *mutator) changeTime(t time.Time) time.Time {
	steps := []time.Duration{1, time.Millisecond, time.Second, time.Minute, time.Hour, 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour}
	switch d := steps[w.r.Intn(len(steps))]; w.r.Intn(4) {
	case 0:
		return t.Add(-d)
	case 1:
		return t.Truncate(d)
	case 2:
		return time.Time{}
	default:
		return t.Add(d)
	}
}

// exchange puts another value of the type in, and reports whether it did: one
// from the stock; for an argument also one that is there already, so that two
// arguments share memory; rarely nil. Deeper places would become rings that no
// code can build.
func (w *mutator) exchange(p part) bool {
	v, r := p.v, w.r
	nilable := v.Kind() != reflect.Struct
	if nilable && p.root != 0 && r.Chance(6) {
		if v.IsNil() {
			return false
		}
		v.Set(reflect.Zero(v.Type()))
		return true
	}
	if nilable && p.root >= 0 && r.Chance(40) {
		if other, ok := w.another(p); ok {
			v.Set(other)
			return true
		}
	}
	x, ok := w.stock.pick(r, v.Type())
	if !ok {
		return false
	}
	v.Set(x)
	return true
}

// another is what lies at another place and fits this one.
func (w *mutator) another(p part) (reflect.Value, bool) {
	var fit []reflect.Value
	for _, q := range w.parts {
		x := q.v
		if x.Kind() == reflect.Interface {
			x = x.Elem()
		}
		if !x.IsValid() || !x.Type().AssignableTo(p.v.Type()) {
			continue
		}
		switch x.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice:
			if !x.IsNil() && (p.v.Kind() == reflect.Interface || p.v.Pointer() != x.Pointer()) {
				fit = append(fit, x)
			}
		}
	}
	if len(fit) == 0 {
		return reflect.Value{}, false
	}
	return fit[w.r.Intn(len(fit))], true
}

func (w *mutator) changeSlice(p part) bool {
	v, r := p.v, w.r
	n := v.Len()
	if v.Type().Elem().Kind() == reflect.Uint8 && r.Chance(75) {
		b := []byte(w.plain.String(r, string(v.Bytes())))
		v.SetBytes(b)
		return true
	}
	if n == 0 || r.Chance(20) {
		return w.exchange(p)
	}
	switch r.Intn(6) {
	case 0: // fewer
		v.Set(v.Slice(0, r.Intn(n)))
	case 1:
		v.Set(v.Slice(1+r.Intn(n), n))
	case 2: // one more, in memory of its own
		i := r.Intn(n)
		v.Set(reflect.Append(v.Slice3(0, n, n), v.Index(i)))
	case 3: // one twice, in the middle
		i := r.Intn(n)
		longer := reflect.MakeSlice(v.Type(), 0, n+1)
		longer = reflect.AppendSlice(longer, v.Slice(0, i+1))
		v.Set(reflect.AppendSlice(longer, v.Slice(i, n)))
	case 4:
		if n < 2 {
			return false
		}
		reflect.Swapper(v.Interface())(r.Intn(n), r.Intn(n))
	default:
		if n < 2 {
			return false
		}
		swap := reflect.Swapper(v.Interface())
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			swap(i, j)
		}
	}
	return true
}

// changeMap deletes an entry, renames one, changes its value, or puts in another
// map. It reports whether anything changed.
func (w *mutator) changeMap(p part) bool {
	v, r := p.v, w.r
	if v.Len() == 0 || r.Chance(20) {
		return w.exchange(p)
	}
	key, value := entryOf(v, r.Uint64())
	switch x := r.Intn(10); {
	case x < 2:
		v.SetMapIndex(key, reflect.Value{})
	case x < 5:
		renamed, ok := w.changed(key)
		if !ok {
			return false
		}
		v.SetMapIndex(renamed, value)
	default:
		other, ok := w.changed(value)
		if !ok {
			return false
		}
		v.SetMapIndex(key, other)
	}
	return true
}

// changed is a changed copy of a value that lies in no place of its own.
func (w *mutator) changed(v reflect.Value) (reflect.Value, bool) {
	place := reflect.New(v.Type()).Elem()
	place.Set(v)
	return place, w.change(part{place, -1})
}

// entryOf picks an entry of a map by the states of the keys.
func entryOf(m reflect.Value, salt uint64) (key, value reflect.Value) {
	most := uint64(0)
	for it := m.MapRange(); it.Next(); {
		if x := probe.Mix(salt, probe.State(it.Key())); !key.IsValid() || x > most {
			key, value, most = it.Key(), it.Value(), x
		}
	}
	return key, value
}

func (w *mutator) changeInterface(p part) bool {
	v, r := p.v, w.r
	e := v.Elem()
	if e.IsValid() {
		if text, ok := readerText(e); ok && r.Chance(80) {
			return w.changeReader(v, text)
		}
		switch e.Kind() {
		case reflect.Pointer, reflect.Func, reflect.Chan:
		default:
			if r.Chance(65) { // another value of the type it holds
				if other, ok := w.changed(e); ok {
					v.Set(other)
					return true
				}
			}
		}
	}
	if v.NumMethod() == 0 && r.Chance(50) {
		x := anyValues[r.Intn(len(anyValues))]
		if x == nil {
			v.Set(reflect.Zero(v.Type()))
		} else {
			v.Set(reflect.ValueOf(x))
		}
		return true
	}
	return w.exchange(p)
}

var anyValues = []any{nil, 0, 1, -1, int8(1), uint(2), int64(3), "", "a", "12", true, false, 1.5, float32(2), 'x', byte(1)}

// readerText is what is left in one of the readers that tests use most.
func readerText(v reflect.Value) (string, bool) {
	if v.Kind() != reflect.Pointer || v.IsNil() || !v.CanInterface() {
		return "", false
	}
	w := literalWriter{}
	var l wire.Lit
	switch x := v.Interface().(type) {
	case *strings.Reader:
		c := *x
		l = w.rest(&c, c.Len())
	case *bytes.Reader:
		c := *x
		l = w.rest(&c, c.Len())
	case *bytes.Buffer:
		l = w.text(x.String())
	case *oddReader:
		l = w.text(x.text)
	default:
		return "", false
	}
	return l.S, !w.failed
}

// changeReader puts in a reader of another text, or one that behaves oddly. It
// reports whether it could.
func (w *mutator) changeReader(v reflect.Value, text string) bool {
	r := w.r
	if r.Chance(75) {
		text = w.plain.String(r, text)
	}
	odd := []string{wire.SpecialOneByte, wire.SpecialShort, wire.SpecialFailing, wire.SpecialDataEOF}
	if v.Kind() == reflect.Interface && oddReaderType.AssignableTo(v.Type()) && r.Chance(35) {
		v.Set(reflect.ValueOf(&oddReader{text: text, kind: odd[r.Intn(len(odd))]}))
		return true
	}
	t := v.Type()
	if t.Kind() == reflect.Interface {
		t = v.Elem().Type()
	}
	var x any
	switch t {
	case stringsReaderType:
		x = strings.NewReader(text)
	case bytesReaderType:
		x = bytes.NewReader([]byte(text))
	case recordedBufferType:
		x = bytes.NewBufferString(text)
	case oddReaderType:
		x = &oddReader{text: text, kind: odd[r.Intn(len(odd))]}
	default:
		return false
	}
	v.Set(reflect.ValueOf(x))
	return true
}

var oddReaderType = reflect.TypeOf((*oddReader)(nil))

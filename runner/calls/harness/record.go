//go:build go1.21

package harness

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Limits of recording.
const (
	usualRecords  = 300  // of an iteration
	hookRecords   = 80   // of one function
	sameRecords   = 8    // of one function, with the same arguments
	hookTries     = 4000 // of one function, looked at
	recordedText  = 4 << 10
	recordedTexts = 64 << 10 // of one argument
	recordedNodes = 2000     // of one argument
	recordedDepth = 24
)

// recorder collects the records of an iteration.
type recorder struct {
	*Registry
	maxRecords int
	records    []wire.Record
	abroad     int // of them, see addAbroad
	hooks      map[int]*hookRecord
	objects    map[uintptr]int // numbers, by address
	held       []any           // the objects, so that no other one gets an address
	temporary  *temporaries
}

type hookRecord struct {
	tries, taken int
	seen         map[string]int // how often, by encoded arguments
}

func newRecorder(r *Registry, most int) *recorder {
	if most <= 0 {
		most = usualRecords
	}
	return &recorder{Registry: r, maxRecords: most, hooks: map[int]*hookRecord{}, objects: map[uintptr]int{}, temporary: &temporaries{folders: map[string]int{}}}
}

// wants reports whether another record of the function would be taken.
func (r *recorder) wants(hook int) bool {
	h := r.hooks[hook]
	return len(r.records) < r.maxRecords && (h == nil || h.tries < hookTries && h.taken < hookRecords)
}

func (r *recorder) add(hook int, f any, args []any) {
	h := r.hooks[hook]
	if h == nil {
		h = &hookRecord{seen: map[string]int{}}
		r.hooks[hook] = h
	}
	h.tries++
	t := reflect.TypeOf(f)
	if t == nil || t.Kind() != reflect.Func || t.NumIn() != len(args) || len(args) > wire.MaxArgs {
		return
	}
	rec := wire.Record{Hook: hook, Op: r.operationOf(hook, t), Args: make([]wire.Lit, len(args))}
	for i, a := range args {
		rec.Args[i] = (&literalWriter{Registry: r.Registry, temporary: r.temporary}).argument(a, t.In(i))
		if rec.Object == 0 && rec.Args[i].Form == wire.Hole {
			rec.Object = r.object(a)
		}
	}
	key := string(wire.AppendArgs([]byte(strconv.Itoa(rec.Object)), rec.Args))
	if h.seen[key] < sameRecords {
		h.seen[key]++
		h.taken++
		r.records = append(r.records, rec)
	}
}

// operationOf is the operation that is a hooked function of type t; 0 for none.
func (r *Registry) operationOf(hook int, t reflect.Type) wire.Op {
	for i := wire.Builtins; int(i) < len(r.Ops); i++ {
		if op := &r.Ops[i]; op.Hook == hook && op.Fn.IsValid() && op.Fn.Type() == t {
			return i
		}
	}
	return 0
}

// object numbers what is behind a pointer; 0 for anything else.
func (r *recorder) object(a any) int {
	v := reflect.ValueOf(a)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return 0
	}
	n, known := r.objects[v.Pointer()]
	if !known {
		n = len(r.objects) + 1
		r.objects[v.Pointer()] = n
		r.held = append(r.held, a)
	}
	return n
}

// literal writes down an argument of a parameter of type t; Hole if it is
// nothing that can be.
func (r *Registry) literal(a any, t reflect.Type) wire.Lit {
	return (&literalWriter{Registry: r}).argument(a, t)
}

// wholeLiteral is literal with Hidden fields.
func (r *Registry) wholeLiteral(a any, t reflect.Type) wire.Lit {
	return (&literalWriter{Registry: r, hidden: true}).argument(a, t)
}

func (w *literalWriter) argument(a any, t reflect.Type) wire.Lit {
	var l wire.Lit
	if t.Kind() == reflect.Interface {
		l = w.held(reflect.ValueOf(a), t, 0)
	} else {
		l = w.value(reflect.ValueOf(a), 0)
	}
	if w.failed {
		return w.holed(a)
	}
	return l
}

// holed writes down a list of which not all elements can be, with holes for these; and a hole for anything else.
func (w *literalWriter) holed(a any) wire.Lit {
	v := reflect.ValueOf(a)
	if v.Kind() != reflect.Slice || v.Len() == 0 || v.Len() > maxElements {
		return wire.Lit{Form: wire.Hole}
	}
	l := wire.Lit{Form: wire.Seq, E: make([]wire.Lit, v.Len())}
	for i := range l.E {
		one := &literalWriter{Registry: w.Registry, hidden: w.hidden, temporary: w.temporary}
		if l.E[i] = one.value(v.Index(i), 0); one.failed {
			l.E[i] = wire.Lit{Form: wire.Hole}
		}
	}
	return l
}

// literalWriter writes down one argument. It calls no method of the tested
// module and changes nothing.
type literalWriter struct {
	*Registry
	nodes, texts int
	failed       bool
	hidden       bool // unexported fields are written, too
	temporary    *temporaries
}

func (w *literalWriter) fail() wire.Lit {
	w.failed = true
	return wire.Lit{}
}

func (w *literalWriter) text(s string) wire.Lit {
	s = portable(s)
	w.texts += len(s)
	if len(s) > recordedText || w.texts > recordedTexts {
		return w.fail()
	}
	return wire.Lit{Form: wire.Text, S: s}
}

var (
	recordedBufferType = reflect.TypeOf((*bytes.Buffer)(nil))
	stringsReaderType  = reflect.TypeOf((*strings.Reader)(nil))
	bytesReaderType    = reflect.TypeOf((*bytes.Reader)(nil))
	backgroundType     = reflect.TypeOf(context.Background())
	todoType           = reflect.TypeOf(context.TODO())
	errorStringType    = reflect.TypeOf(errors.New(""))
)

// held writes down what an interface of type t holds.
func (w *literalWriter) held(v reflect.Value, t reflect.Type, depth int) wire.Lit {
	if !v.IsValid() {
		return wire.Lit{}
	}
	if w.ofFiles(t) {
		if l, ok := w.writtenFiles(v); ok {
			return l
		}
	}
	switch vt := v.Type(); {
	case vt == bytesReaderType && !v.IsNil() && stringsReaderType.AssignableTo(t):
		c := *v.Interface().(*bytes.Reader)
		return w.special(wire.SpecialReader, w.rest(&c, c.Len()))
	case vt == oddReaderType && !v.IsNil():
		o := v.Interface().(*oddReader)
		return w.special(o.kind, w.text(o.text))
	case vt == stringsReaderType && !v.IsNil(), vt == recordedBufferType && !v.IsNil():
		return w.value(v, depth)
	case t == contextType && (vt == backgroundType || vt == todoType):
		return wire.Lit{Form: wire.Special, S: wire.SpecialContext}
	case t == errorType && vt == errorStringType && !v.IsNil():
		return w.special(wire.SpecialError, w.text(v.Interface().(error).Error()))
	default:
		n, ok := w.TypeNumber(vt)
		if !ok {
			return w.fail()
		}
		return wire.Lit{Form: wire.Dynamic, T: n, E: []wire.Lit{w.value(v, depth+1)}}
	}
}

func (w *literalWriter) special(name string, arg wire.Lit) wire.Lit {
	return wire.Lit{Form: wire.Special, S: name, E: []wire.Lit{arg}}
}

// rest is what is left in a reader that may be used up.
func (w *literalWriter) rest(r io.Reader, n int) wire.Lit {
	if n > recordedText {
		return w.fail()
	}
	b, _ := io.ReadAll(r)
	return w.text(string(b))
}

// value writes down a value of its own type.
func (w *literalWriter) value(v reflect.Value, depth int) wire.Lit {
	if w.nodes++; w.failed || w.nodes > recordedNodes || depth > recordedDepth {
		return w.fail()
	}
	if l, ok := w.known(v); ok {
		return l
	}
	if l, ok := scalar(v); ok {
		return l
	}
	switch v.Kind() {
	case reflect.Uintptr:
		return wire.Lit{Form: wire.Uint, N: int64(v.Uint())}
	case reflect.Float32, reflect.Float64:
		return wire.FloatLit(v.Float())
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return wire.Lit{Form: wire.Complex, E: []wire.Lit{wire.FloatLit(real(c)), wire.FloatLit(imag(c))}}
	case reflect.String:
		if l, ok := w.temporary.path(v.String()); ok {
			return l
		}
		return w.text(v.String())
	case reflect.Interface:
		return w.held(v.Elem(), v.Type(), depth)
	case reflect.Pointer:
		if v.IsNil() {
			return wire.Lit{}
		}
		return wire.Lit{Form: wire.Pointer, E: []wire.Lit{w.value(v.Elem(), depth+1)}}
	case reflect.Slice:
		if v.IsNil() {
			return wire.Lit{}
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Len() > recordedText {
				return w.fail()
			}
			return w.text(string(v.Bytes()))
		}
		return w.elements(v, depth)
	case reflect.Array:
		return w.elements(v, depth)
	case reflect.Map:
		return w.mapping(v, depth)
	case reflect.Struct:
		return w.fields(v, depth)
	}
	if v.IsZero() { // functions, channels
		return wire.Lit{}
	}
	return w.fail()
}

// known writes down values of types that have a name of their own among the
// special values.
func (w *literalWriter) known(v reflect.Value) (wire.Lit, bool) {
	switch v.Type() {
	case w.requestType:
		if !v.IsNil() {
			return w.writtenRequest(v), true
		}
	case timeType:
		at := v.Interface().(time.Time)
		_, zone := at.Zone()
		return timeAt(at.Unix(), int64(zone)), true
	case stringsReaderType:
		if !v.IsNil() {
			c := *v.Interface().(*strings.Reader)
			return w.special(wire.SpecialReader, w.rest(&c, c.Len())), true
		}
	case recordedBufferType:
		if !v.IsNil() {
			b := v.Interface().(*bytes.Buffer)
			if b.Len() > recordedText {
				return w.fail(), true
			}
			return w.special(wire.SpecialBuffer, w.text(b.String())), true
		}
	}
	return wire.Lit{}, false
}

func (w *literalWriter) elements(v reflect.Value, depth int) wire.Lit {
	if v.Len() > recordedNodes {
		return w.fail()
	}
	l := wire.Lit{Form: wire.Seq}
	for i := 0; i < v.Len() && !w.failed; i++ {
		l.E = append(l.E, w.value(v.Index(i), depth+1))
	}
	return l
}

// mapping returns the entries in the order of their keys' encodings.
func (w *literalWriter) mapping(v reflect.Value, depth int) wire.Lit {
	if v.IsNil() {
		return wire.Lit{}
	}
	if v.Len() > recordedNodes {
		return w.fail()
	}
	type entry struct {
		order  string
		key, e wire.Lit
	}
	var entries []entry
	for it := v.MapRange(); it.Next() && !w.failed; {
		k := w.value(it.Key(), depth+1)
		entries = append(entries, entry{string(k.Encode(nil)), k, w.value(it.Value(), depth+1)})
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].order < entries[j].order })
	l := wire.Lit{Form: wire.Map}
	for _, e := range entries {
		l.E = append(l.E, e.key, e.e)
	}
	return l
}

// fields leaves unexported fields out, which is right where they are zero.
func (w *literalWriter) fields(v reflect.Value, depth int) wire.Lit {
	t := v.Type()
	hidden := w.hidden && w.opens(t)
	if hidden && !v.CanAddr() {
		c := reflect.New(t).Elem()
		c.Set(v)
		v = c
	}
	l := wire.Lit{Form: wire.Struct}
	if w.Partial(t) {
		for i := 0; i < w.Registry.Fields(t) && !w.failed; i++ {
			l.E = append(l.E, w.value(v.Field(w.Field(t, i)), depth+1))
		}
		return l
	}
	for i := 0; i < t.NumField() && !w.failed; i++ {
		f := v.Field(i)
		switch {
		case t.Field(i).IsExported():
			l.E = append(l.E, w.value(f, depth+1))
		case f.IsZero():
			l.E = append(l.E, wire.Lit{})
		case hidden:
			l.E = append(l.E, wire.Lit{Form: wire.Hidden, E: []wire.Lit{w.value(settable(f), depth+1)}})
		default:
			return w.fail()
		}
	}
	return l
}

//go:build go1.21

package harness

import (
	"reflect"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A number that a function is given is often compared with the length of something else that it has: an
// index, a limit, a width. The two differ at the length itself, which numbers drawn by themselves seldom hit.

const (
	measuredNew     = 12 // calls of a hundred in which a number becomes a length
	measuredChanged = 12 // changes of a hundred, where there is a number
	maxMeasured     = 64 // things that are measured
)

// measure sets a number that step i is given to the length of something given by then, or one beside it. It reports
// whether it did.
func (b *builder) measure(i int) bool {
	s := &b.p[i]
	if s.Op.Builtin() {
		return false
	}
	var numbers []*wire.Lit
	for k := range s.Args {
		form := s.Args[k].Form
		if in := b.g.m.Ops[s.Op].In; k < len(in) && (form == wire.Int || form == wire.Uint) && in[k].Kind() != reflect.Interface && len(b.g.m.Constants[in[k]]) == 0 {
			numbers = append(numbers, &s.Args[k])
		}
	}
	if len(numbers) == 0 {
		return false
	}
	var lengths []int
	b.p[:i+1].Walk(func(_ int, l *wire.Lit) {
		if len(lengths) >= maxMeasured {
			return
		}
		switch l.Form {
		case wire.Text:
			lengths = append(lengths, len(l.S))
			if n := utf8.RuneCountInString(l.S); n != len(l.S) {
				lengths = append(lengths, n)
			}
		case wire.Seq:
			lengths = append(lengths, len(l.E))
		case wire.Map:
			lengths = append(lengths, len(l.E)/2)
		}
	})
	n, ok := orBeside(b.g.r, lengths)
	if ok {
		numbers[b.g.r.Intn(len(numbers))].N = n
	}
	return ok
}

// orBeside is one of some lengths, or one more or less; never below zero. It is false where there are none.
func orBeside(r *Rand, lengths []int) (int64, bool) {
	if len(lengths) == 0 {
		return 0, false
	}
	n := lengths[r.Intn(len(lengths))] + (r.Intn(4)+1)/2 - 1 // the length itself twice as often
	return int64(max(n, 0)), true
}

// walked reports whether elements of a type may have a length, or hold what has.
func walked(t reflect.Type) bool { return t.Kind() == reflect.String || refers(t) }

// measured are the lengths of what arguments hold, unexported fields too.
func (w *mutator) measured() []int {
	if w.lengths != nil {
		return w.lengths
	}
	w.lengths = []int{}
	seen := map[uintptr]bool{}
	var walk func(v reflect.Value, depth int)
	walk = func(v reflect.Value, depth int) {
		if depth > partDepth || len(w.lengths) >= maxMeasured {
			return
		}
		switch v.Kind() {
		case reflect.String:
			w.lengths = append(w.lengths, v.Len())
		case reflect.Slice, reflect.Array:
			w.lengths = append(w.lengths, v.Len())
			for i := 0; i < v.Len() && i < partElement && walked(v.Type().Elem()); i++ {
				walk(v.Index(i), depth+1)
			}
		case reflect.Map:
			w.lengths = append(w.lengths, v.Len())
		case reflect.Pointer:
			if !v.IsNil() && !seen[v.Pointer()] {
				seen[v.Pointer()] = true
				walk(v.Elem(), depth+1)
			}
		case reflect.Interface:
			walk(v.Elem(), depth+1)
		case reflect.Struct:
			for i := 0; i < v.NumField(); i++ {
				walk(v.Field(i), depth+1)
			}
		}
	}
	for _, v := range w.roots {
		walk(v, 0)
	}
	return w.lengths
}

//go:build go1.21

package gosource

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// setting writes a function that sets a field of what it is given, or an entry of a map in it.
func (w *writer) setting(l wire.Lit, t reflect.Type) string {
	s, ok := w.Setting(l, t)
	if !ok {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	names := w.only(t, s.At)
	own := names[s.At]
	body := own + "." + s.Field.Name
	of := s.Field.Type
	if of.Kind() == reflect.Map {
		body += "[" + w.expr(s.Key, of.Key(), typed) + "]"
		of = of.Elem()
	}
	body += " = " + w.expr(s.Value, of, typed)
	var results []string
	for i := 0; i < t.NumOut(); i++ {
		e := wire.Lit{}
		if i < len(s.Results) {
			e = s.Results[i]
		}
		if t.Out(i) == t.In(s.At) {
			results = append(results, own)
			continue
		}
		results = append(results, w.expr(e, t.Out(i), typed))
	}
	if len(results) > 0 {
		body += "; return " + strings.Join(results, ", ")
	}
	return "func" + w.signature(t, names) + " { " + body + " }"
}

// only names one parameter of a function of type t.
func (w *writer) only(t reflect.Type, at int) []string {
	names := make([]string, t.NumIn())
	for i := range names {
		names[i] = "_"
	}
	names[at] = w.variable(nameFor(t.In(at)))
	return names
}

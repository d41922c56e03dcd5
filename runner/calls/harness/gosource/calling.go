//go:build go1.21

package gosource

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// calling writes a function that calls a method of what it is given.
func (w *writer) calling(l wire.Lit, t reflect.Type) string {
	c, ok := w.Calling(l, t)
	if !ok {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	names := w.only(t, c.At)
	var args []string
	for i, a := range c.Args {
		if in := c.Op.In[i+1]; c.Op.Variadic && i == len(c.Args)-1 {
			args = append(args, w.variadic(a, in)...)
		} else {
			args = append(args, w.expr(a, in, typed))
		}
	}
	if !exportedName(c.Op.Expr) {
		w.internal = true
	}
	call := names[c.At] + "." + c.Op.Expr + "(" + strings.Join(args, ", ") + ")"
	if c.Returns {
		return "func" + w.signature(t, names) + " { return " + call + " }"
	}
	var results []string
	for i := 0; i < t.NumOut(); i++ {
		e := wire.Lit{}
		if i < len(c.Results) {
			e = c.Results[i]
		}
		results = append(results, w.expr(e, t.Out(i), typed))
	}
	if len(results) > 0 {
		call += "; return " + strings.Join(results, ", ")
	}
	return "func" + w.signature(t, names) + " { " + call + " }"
}

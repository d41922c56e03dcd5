//go:build go1.21

package gosource

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// back writes a function that calls, once, a method of what the sequence has made, or another
// function.
func (w *writer) back(l wire.Lit, t reflect.Type) string {
	c, ok := w.Back(l)
	if !ok {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	in, fn := c.Op.In, ""
	if !c.Op.Method {
		fn = w.qualified(c.Op.Package, "", c.Op.Expr) + w.expression(c.Op)
	} else {
		fn = w.receiver(c.Receiver, in[0], false) + "." + c.Op.Expr
		in = in[1:]
		if !exportedName(c.Op.Expr) {
			w.internal = true
		}
	}
	names := make([]string, t.NumIn())
	var args []string
	for i, a := range c.Args {
		if c.Op.Variadic && i == len(c.Args)-1 {
			args = append(args, w.variadic(a, in[i])...)
		} else if at, ofRequest, ok := w.Given(a, t, in[i]); ok {
			if names[at] == "" {
				names[at] = w.variable(nameFor(t.In(at)))
			}
			arg := names[at]
			if ofRequest {
				arg += ".Context()"
			}
			args = append(args, arg)
		} else {
			args = append(args, w.expr(a, in[i], typed))
		}
	}
	given := c.Args
	if c.Op.Method {
		given = append([]wire.Lit{c.Receiver}, given...)
	}
	args = w.guardFormat(c.Op, wire.Step{Args: given}, args)
	var results []string
	for i := 0; i < t.NumOut(); i++ {
		e := wire.Lit{}
		if i < len(c.Results) {
			e = c.Results[i]
		}
		results = append(results, w.same(e, t.Out(i)))
	}
	inside := w.define("inside", "false")
	call := fn + "(" + strings.Join(args, ", ") + ")"
	if ref, tells := c.List(t); tells {
		if int(ref.N) >= len(w.results) || ref.U >= len(w.results[ref.N]) {
			return w.fail("a %s %v", t, harness.ErrInvalid)
		}
		list := w.results[ref.N][ref.U]
		call = list + " = append(" + list + ", " + w.std("fmt") + "Sprint(" + call + "))"
	}
	body := "if !" + inside + " { " + inside + " = true; " + call + " }"
	if len(results) > 0 {
		body += "; return " + strings.Join(results, ", ")
	}
	if strings.Join(names, "") == "" {
		names = nil
	}
	for i, name := range names {
		if name == "" {
			names[i] = "_"
		}
	}
	return "func" + w.signature(t, names) + " { " + body + " }"
}

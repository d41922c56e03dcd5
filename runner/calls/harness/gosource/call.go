//go:build go1.21

package gosource

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// writeCall returns the call's expression. Statements it needs come before it.
func (w *writer) writeCall(op *harness.Operation, s wire.Step, step, watch int) string {
	var args []string
	fn := ""
	for k, l := range s.Args {
		t := op.In[k]
		w.current = argument{step, k}
		if l.Form != wire.Special {
			w.current = argument{-1, -1} // not recorded in there
		}
		switch {
		case op.Method && k == 0:
			fn = w.receiver(l, t, watch == 0)
			if op.Expr == "" {
				break // a function is called that another one gave
			}
			if op.Selector {
				if op.Address && w.inline != step {
					return "&" + fn + op.Expr
				}
				return fn + op.Expr
			}
			fn += "." + op.Expr
			if !exportedName(op.Expr) {
				w.internal = true
			}
		case watch == k:
			a := w.watchedArgument(l, t, k)
			if op.Variadic && k == len(s.Args)-1 {
				a += "..."
			}
			args = append(args, a)
		case op.Variadic && k == len(s.Args)-1:
			args = append(args, w.variadic(l, t)...)
		default:
			args = append(args, w.expr(l, t, typed))
		}
	}
	switch {
	case op.Name == harness.Served:
		fn = w.served()
	case op.Name == harness.Written:
		fn, args = w.written(), []string{"t"}
	case op.Credential:
		fn = w.credential(op.Expr)
	case op.CommandLine:
		fn = w.commandLine(op)
	case op.Recodes != nil:
		fn = w.recoded(op.Expr, op.Recodes)
	case !op.Method:
		fn = w.qualified(op.Package, "", op.Expr) + w.expression(op) + op.Behind
		if op.Asserted {
			fn += ".(" + w.typ(op.Fn.Type()) + ")"
		}
	}
	if op.Adapted {
		fn = w.adapted(op, fn)
	}
	args = w.guardFormat(op, s, args)
	if op.Test {
		args = append([]string{"t"}, args...)
	}
	return fn + "(" + strings.Join(args, ", ") + ")"
}

// guardFormat keeps vet from judging the format of a function like Printf: a
// test that go test will not run for that is of no use.
func (w *writer) guardFormat(op *harness.Operation, s wire.Step, args []string) []string {
	n := len(op.In)
	if !op.Variadic || n < 2 || op.In[n-2].Kind() != reflect.String || op.In[n-1].Elem().Kind() != reflect.Interface || op.Method && n == 2 {
		return args
	}
	k := n - 2
	if op.Method {
		k--
	}
	format := s.Args[n-2]
	literal := format.Form == wire.Text
	if len(args) == k+1 {
		if literal && !strings.Contains(format.S, "%") {
			return args
		}
		args = append(args, "nil...")
	}
	if literal {
		args[k] = w.define("format", w.expr(format, op.In[n-2], free))
	}
	return args
}

func (w *writer) variadic(l wire.Lit, t reflect.Type) []string {
	switch {
	case l.Form == wire.Zero:
		return nil
	case l.Form == wire.Seq && len(l.E) > 0:
		out := make([]string, len(l.E))
		for i, e := range l.E {
			out[i] = w.expr(e, t.Elem(), typed)
		}
		return out
	}
	return []string{w.expr(l, t, typed) + "..."}
}

// writeLet returns a literal a variable.
func (w *writer) writeLet(i int, s wire.Step) {
	name := "_"
	if len(s.Args) != 1 || s.Args[0].Form != wire.Dynamic || len(s.Args[0].E) != 1 || s.Args[0].T >= len(w.Types) {
		w.fail("step %d is damaged", i+1)
		return
	}
	switch {
	case w.lists[i] && s.Args[0].E[0].Form == wire.Zero:
		name = w.variable("called")
		w.lines = append(w.lines, statement{declares: []string{name}, with: w.typ(harness.ListType), isVar: true})
	case w.uses[[2]int{i, 0}] > 0:
		name = w.place(s.Args[0].E[0], w.Types[s.Args[0].T])
	}
	w.results = append(w.results, []string{name})
}

// place declares a variable of type t with the literal's value.
func (w *writer) place(l wire.Lit, t reflect.Type) string {
	switch {
	case l.Form == wire.Zero && !constantKind(t.Kind()):
		name := w.variable(nameFor(t))
		w.lines = append(w.lines, statement{declares: []string{name}, with: w.typ(t), isVar: true})
		return name
	case t.Kind() == reflect.Interface:
		value := w.expr(l, t, typed)
		name := w.variable(nameFor(t))
		w.lines = append(w.lines, statement{declares: []string{name}, with: w.typ(t) + " = " + value, isVar: true})
		return name
	}
	return w.define(nameFor(t), w.expr(l, t, free))
}

// define returns an expression a variable.
func (w *writer) define(hint, expr string) string {
	name := w.variable(hint)
	w.lines = append(w.lines, statement{declares: []string{name}, with: expr})
	return name
}

// writeElement writes or appends to a slice, in the place that the machine
// takes.
func (w *writer) writeElement(s wire.Step) {
	if len(s.Args) != 2 {
		w.fail("a damaged write")
		return
	}
	v, ok := w.Ref(s.Args[0])
	if !ok {
		w.fail("a write to nothing")
		return
	}
	at := w.results[s.Args[0].N][s.Args[0].U]
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
		at += ".(" + w.typ(v.Type()) + ")"
	}
	for v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() == reflect.Slice {
		v = v.Index(0)
		at += "[0]"
	}
	if v.Kind() != reflect.Slice {
		w.fail("a write to a value of type %s", v.Type())
		return
	}
	e := w.expr(s.Args[1], v.Type().Elem(), typed)
	if s.Op == wire.OpWrite {
		w.line("%s[0] = %s", at, e)
	} else {
		w.line("_ = append(%s, %s)", at, e)
	}
}

// writeField sets a field of a struct that the sequence has made.
func (w *writer) writeField(s wire.Step) {
	f, ok := w.FieldSet(s)
	if !ok {
		w.fail("a field of nothing is set")
		return
	}
	v, _ := w.Ref(s.Args[0])
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	field := t.Field(w.Field(t, int(s.Args[1].N)))
	w.line("%s.%s = %s", w.results[s.Args[0].N][s.Args[0].U], field.Name, w.expr(s.Args[2], f.Type(), typed))
}

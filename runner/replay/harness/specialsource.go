//go:build go1.21

package harness

import (
	"io"
	"reflect"
	"strconv"
	"strings"
)

// specialExpr writes down what no literal can say.
func (w *writer) specialExpr(l Lit, t reflect.Type, c stance) string {
	text, n := "", int64(0)
	if len(l.E) > 0 {
		text, n = l.E[0].S, l.E[0].N
	}
	e := ""
	switch l.S {
	case specialReader:
		e = w.newReader(text)
	case specialOneByte:
		e = w.std("testing/iotest") + "OneByteReader(" + w.newReader(text) + ")"
	case specialShort:
		e = w.std("testing/iotest") + "HalfReader(" + w.newReader(text) + ")"
	case specialDataEOF:
		e = w.std("testing/iotest") + "DataErrReader(" + w.newReader(text) + ")"
	case specialFailing:
		failing := w.std("testing/iotest") + "ErrReader(" + w.std("errors") + "New(" + strconv.Quote(errRead.Error()) + "))"
		e = failing
		if text != "" {
			e = w.std("io") + "MultiReader(" + w.newReader(text) + ", " + failing + ")"
		}
	case specialBuffer:
		e = w.std("bytes") + "NewBufferString(" + w.text(text) + ")"
	case specialContext:
		e = w.std("context") + "Background()"
	case specialCanceled:
		ctx, cancel := w.variable("ctx"), w.variable("cancel")
		w.line("%s, %s := %sWithCancel(%sBackground())", ctx, cancel, w.std("context"), w.std("context"))
		w.line("%s()", cancel)
		e = ctx
	case specialError:
		e = w.std("errors") + "New(" + w.text(text) + ")"
	case specialTime:
		e = w.std("time") + "Unix(" + strconv.FormatInt(n, 10) + ", 0).UTC()"
	case specialZone:
		e = w.std("time") + `FixedZone("", ` + strconv.FormatInt(int64(int(n)), 10) + ")"
	case specialFunc, specialHashFunc:
		if t.Kind() != reflect.Func {
			return w.fail("a %s %v", t, errInvalid)
		}
		e = w.closureExpr(l, t)
		if c == free && t.Name() != "" {
			return w.convert(t, e)
		}
		return e
	case specialChan:
		return w.channel(l, t, c)
	default:
		return w.fail("there is no source for %q", l.S)
	}
	return w.fitting(e, w.specialType(l, t), t, c)
}

var readInterface = reflect.TypeOf((*io.Reader)(nil)).Elem()

func (w *writer) newReader(text string) string {
	return w.std("strings") + "NewReader(" + w.text(text) + ")"
}

// specialType is the type of a special value's expression, where one of type t
// is wanted.
func (w *writer) specialType(l Lit, t reflect.Type) reflect.Type {
	switch l.S {
	case specialOneByte, specialShort, specialDataEOF, specialFailing:
		return readInterface
	case specialContext, specialCanceled:
		return contextType
	case specialError:
		return errorType
	case specialFunc, specialHashFunc, specialChan:
		return t
	}
	if v, err := w.special(l, t); err == nil {
		return v.Type()
	}
	return t
}

// fitting is an expression of type x where one of type t is wanted, as assign
// makes it.
func (w *writer) fitting(e string, x, t reflect.Type, c stance) string {
	switch {
	case x.AssignableTo(t):
		if c == free && x != t {
			return w.convert(t, e)
		}
		return e
	case x.Kind() == reflect.Interface && t.Kind() == reflect.Interface:
		return e + ".(" + w.typ(t) + ")"
	case t.Kind() == reflect.Pointer && x.AssignableTo(t.Elem()):
		return "&" + w.define(nameFor(x), e)
	case x.Kind() == reflect.Pointer && x.Elem().AssignableTo(t):
		return "*" + e
	}
	return w.fail("a %s for a %s", x, t)
}

// closureExpr writes a function literal.
func (w *writer) closureExpr(l Lit, t reflect.Type) string {
	body := make([]string, t.NumOut())
	var names []string
	for i := range body {
		out := t.Out(i)
		if l.S == specialHashFunc {
			if e, ok := w.dependingExpr(t, out, &names); ok {
				body[i] = e
				continue
			}
		}
		e := Lit{}
		if i < len(l.E) {
			e = l.E[i]
		}
		if e.Form == Zero || constantKind(out.Kind()) || out.Kind() == reflect.Func {
			body[i] = w.expr(e, out, typed)
		} else {
			// It is the same value in each call.
			body[i] = w.place(e, out)
		}
	}
	if len(body) == 0 {
		return "func" + w.signature(t, names) + " {}"
	}
	return "func" + w.signature(t, names) + " { return " + strings.Join(body, ", ") + " }"
}

// dependingExpr is the result of a function whose results depend on its
// arguments.
func (w *writer) dependingExpr(t, out reflect.Type, names *[]string) (string, bool) {
	at := -1
	for i := 0; i < t.NumIn() && at < 0; i++ {
		if t.In(i) == out {
			at = i
		}
	}
	if at < 0 {
		switch k := out.Kind(); {
		case k == reflect.Bool, k == reflect.String, k >= reflect.Int && k <= reflect.Uintptr:
			return w.fail("a %s whose results depend on a digest of its arguments", t), true
		}
		return "", false
	}
	if *names == nil {
		*names = make([]string, t.NumIn())
		for i := range *names {
			(*names)[i] = "_"
		}
	}
	if (*names)[at] == "_" {
		(*names)[at] = w.variable(nameFor(out))
	}
	return (*names)[at], true
}

// channel fills and closes a channel.
func (w *writer) channel(l Lit, t reflect.Type, c stance) string {
	if t.Kind() != reflect.Chan {
		return w.fail("a %s %v", t, errInvalid)
	}
	both := reflect.ChanOf(reflect.BothDir, t.Elem())
	ch := w.define("ch", "make("+w.typ(both)+", "+strconv.Itoa(len(l.E)+1)+")")
	for _, e := range l.E {
		w.line("%s <- %s", ch, w.expr(e, t.Elem(), typed))
	}
	w.line("close(%s)", ch)
	if c == free && both != t {
		return w.convert(t, ch)
	}
	return ch
}

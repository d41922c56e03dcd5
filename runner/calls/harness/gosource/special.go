//go:build go1.21

package gosource

import (
	"context"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// specialExpr writes down what no literal can say.
func (w *writer) specialExpr(l wire.Lit, t reflect.Type, c exprContext) string {
	text, n := "", int64(0)
	if len(l.E) > 0 {
		text, n = l.E[0].S, l.E[0].N
	}
	e := ""
	switch l.S {
	case wire.SpecialReader:
		e = w.newReader(text)
	case wire.SpecialOneByte:
		e = w.std("testing/iotest") + "OneByteReader(" + w.newReader(text) + ")"
	case wire.SpecialShort:
		e = w.std("testing/iotest") + "HalfReader(" + w.newReader(text) + ")"
	case wire.SpecialDataEOF:
		e = w.std("testing/iotest") + "DataErrReader(" + w.newReader(text) + ")"
	case wire.SpecialFailing:
		failing := w.std("testing/iotest") + "ErrReader(" + w.std("errors") + "New(" + strconv.Quote(harness.ErrRead.Error()) + "))"
		e = failing
		if text != "" {
			e = w.std("io") + "MultiReader(" + w.newReader(text) + ", " + failing + ")"
		}
	case wire.SpecialBuffer:
		e = w.std("bytes") + "NewBufferString(" + w.text(text) + ")"
	case wire.SpecialFull:
		e = "(*" + w.std("os") + "File)(nil)"
	case wire.SpecialLateFull:
		e = w.std("bufio") + "NewWriterSize((*" + w.std("os") + "File)(nil), " + strconv.Itoa(harness.LateAfter(l)) + ")"
	case wire.SpecialContext:
		e = w.std("context") + "Background()"
	case wire.SpecialCanceled:
		ctx, cancel := w.variable("ctx"), w.variable("cancel")
		w.line("%s, %s := %sWithCancel(%sBackground())", ctx, cancel, w.std("context"), w.std("context"))
		w.line("%s()", cancel)
		e = ctx
	case wire.SpecialTimeout:
		ctx, cancel := w.variable("ctx"), w.variable("cancel")
		w.line("%s, %s := %sWithTimeout(%sBackground(), %s)", ctx, cancel, w.std("context"), w.std("context"), w.milliseconds(harness.TimeoutOf(n)))
		w.line("defer %s()", cancel)
		e = ctx
	case wire.SpecialError:
		e = w.std("errors") + "New(" + w.text(text) + ")"
	case wire.SpecialWrapped:
		if len(l.E) != 1 {
			return w.fail("a %s %v", t, harness.ErrInvalid)
		}
		e = w.std("fmt") + "Errorf(" + strconv.Quote(harness.Wrapping) + ", " + w.expr(l.E[0], errorInterface, typed) + ")"
	case wire.SpecialTime:
		e = w.std("time") + "Unix(" + strconv.FormatInt(n, 10) + ", 0)."
		if zone := int(harness.TimeZone(l)); zone != 0 {
			e += "In(" + w.std("time") + `FixedZone("", ` + strconv.Itoa(zone) + "))"
		} else {
			e += "UTC()"
		}
	case wire.SpecialZone:
		e = w.std("time") + `FixedZone("", ` + strconv.FormatInt(int64(int(n)), 10) + ")"
	case wire.SpecialRequest:
		e = w.request(l)
	case wire.SpecialReply:
		e = w.reply(l)
	case wire.SpecialFiles:
		e = w.files(l, t)
	case wire.SpecialPath:
		e = w.path(l)
	case wire.SpecialFunc, wire.SpecialHashFunc, wire.SpecialTelling, wire.SpecialCalling, wire.SpecialSetting, wire.SpecialBack, wire.SpecialPanic, wire.SpecialNamed, wire.SpecialReplies:
		if t.Kind() != reflect.Func {
			return w.fail("a %s %v", t, harness.ErrInvalid)
		}
		e = w.closureExpr(l, t)
		if c == free && t.Name() != "" {
			return w.convert(t, e)
		}
		return e
	case wire.SpecialChan, wire.SpecialLateChan, wire.SpecialOpenChan:
		return w.channel(l, t, c)
	default:
		return w.fail("there is no source for %q", l.S)
	}
	return w.fitting(e, w.specialType(l, t), t, c)
}

var (
	readerInterface  = reflect.TypeOf((*io.Reader)(nil)).Elem()
	contextInterface = reflect.TypeOf((*context.Context)(nil)).Elem()
	errorInterface   = reflect.TypeOf((*error)(nil)).Elem()
)

func (w *writer) newReader(text string) string {
	return w.std("strings") + "NewReader(" + w.text(text) + ")"
}

// specialType is the type of a special value's expression, where one of type t
// is wanted.
func (w *writer) specialType(l wire.Lit, t reflect.Type) reflect.Type {
	switch l.S {
	case wire.SpecialOneByte, wire.SpecialShort, wire.SpecialDataEOF, wire.SpecialFailing:
		return readerInterface
	case wire.SpecialContext, wire.SpecialCanceled, wire.SpecialTimeout:
		return contextInterface
	case wire.SpecialError, wire.SpecialWrapped:
		return errorInterface
	case wire.SpecialPath:
		return reflect.TypeOf("") // it is not made for the sake of its type
	case wire.SpecialFunc, wire.SpecialHashFunc, wire.SpecialTelling, wire.SpecialCalling, wire.SpecialSetting, wire.SpecialBack, wire.SpecialPanic, wire.SpecialNamed, wire.SpecialReplies, wire.SpecialChan, wire.SpecialLateChan, wire.SpecialOpenChan:
		return t
	}
	if v, err := w.Special(l, t); err == nil {
		return v.Type()
	}
	return t
}

// fitting is an expression of type x where one of type t is wanted, as assign
// makes it.
func (w *writer) fitting(e string, x, t reflect.Type, c exprContext) string {
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
func (w *writer) closureExpr(l wire.Lit, t reflect.Type) string {
	if w.Answers(l, t) {
		return w.answer(l, t)
	}
	if l.S == wire.SpecialCalling {
		return w.calling(l, t)
	}
	if l.S == wire.SpecialSetting {
		return w.setting(l, t)
	}
	if l.S == wire.SpecialBack {
		return w.back(l, t)
	}
	if l.S == wire.SpecialReplies {
		return w.replies(l)
	}
	if l.S == wire.SpecialNamed {
		op, ok := w.Named(l, t)
		if !ok {
			return w.fail("a %s %v", t, harness.ErrInvalid)
		}
		return w.qualified(op.Package, "", op.Expr) + w.expression(op)
	}
	if l.S == wire.SpecialPanic {
		text := ""
		if len(l.E) > 0 {
			text = l.E[0].S
		}
		return "func" + w.signature(t, nil) + " { panic(" + w.text(text) + ") }"
	}
	if l.S == wire.SpecialHashFunc && byDigest(t) {
		return w.later(t)
	}
	body := make([]string, t.NumOut())
	var names []string
	tells := ""
	if l.S == wire.SpecialTelling {
		tells, names = w.tells(l, t)
	}
	for i := range body {
		out := t.Out(i)
		if l.S == wire.SpecialHashFunc {
			if e, ok := w.dependingExpr(t, out, &names); ok {
				body[i] = e
				continue
			}
		}
		e := wire.Lit{}
		if i < len(l.E) {
			e = l.E[i]
		}
		body[i] = w.same(e, out)
	}
	if len(body) > 0 {
		if tells != "" {
			tells += "; "
		}
		tells += "return " + strings.Join(body, ", ")
	}
	if tells == "" {
		return "func" + w.signature(t, names) + " {}"
	}
	return "func" + w.signature(t, names) + " { " + tells + " }"
}

// same writes a result that is the same value in each call.
func (w *writer) same(l wire.Lit, out reflect.Type) string {
	if l.Form == wire.Zero || constantKind(out.Kind()) || out.Kind() == reflect.Func {
		return w.expr(l, out, typed)
	}
	return w.place(l, out)
}

// tells is the statement by which a function tells of a call, with the names of its
// parameters for it.
func (w *writer) tells(l wire.Lit, t reflect.Type) (statement string, names []string) {
	_, ref, name, ok := harness.Telling(l, t)
	if !ok || int(ref.N) >= len(w.results) || ref.U >= len(w.results[ref.N]) {
		return w.fail("a %s %v", t, harness.ErrInvalid), nil
	}
	list := w.results[ref.N][ref.U]
	if teller, of := w.TellerOf(name, t); teller != nil {
		names = w.only(t, of)
		before, call := w.saying(teller, names[of])
		return before + list + " = append(" + list + ", " + w.std("fmt") + "Sprint(" + w.text(name+" ") + ", " + call + "))", names
	}
	format, told := harness.TellingFormat(name, t)
	text := w.text(strings.ReplaceAll(format, "%%", "%"))
	if len(told) > 0 {
		names = make([]string, t.NumIn())
		for i := range names {
			names[i] = "_"
		}
		var values []string
		for _, i := range told {
			names[i] = w.variable(nameFor(t.In(i)))
			values = append(values, names[i])
		}
		call := "Sprintf(" + w.text(format) + ", "
		if format == "%v" {
			call = "Sprint("
		}
		text = w.std("fmt") + call + strings.Join(values, ", ") + ")"
	}
	return list + " = append(" + list + ", " + text + ")", names
}

// saying writes the call by which a function says something of a value, and what stands before it.
func (w *writer) saying(op *harness.Operation, of string) (before, call string) {
	call = w.qualified(op.Package, "", op.Expr) + w.expression(op) + "(" + of + ")"
	if len(op.Out) == 2 {
		v := w.variable("v")
		return v + ", _ := " + call + "; ", v
	}
	return "", call
}

// request writes down what makes a request.
func (w *writer) request(l wire.Lit) string {
	text := func(at int) string {
		if at < len(l.E) {
			return l.E[at].S
		}
		return ""
	}
	body := "nil"
	if s := text(wire.RequestBody); s != "" {
		body = w.newReader(s)
	}
	e := w.std("net/http/httptest") + "NewRequest(" + w.text(text(wire.RequestMethod)) + ", " + w.text(text(wire.RequestTarget)) + ", " + body + ")"
	fields := harness.RequestHeaders(l)
	if len(fields) == 0 {
		return e
	}
	name := w.define("r", e)
	for i := 0; i < len(fields); i += 2 {
		how := "Set"
		for k := 0; k < i; k += 2 {
			if strings.EqualFold(fields[k], fields[i]) {
				how = "Add" // a further value
			}
		}
		w.line("%s.Header.%s(%s, %s)", name, how, w.text(fields[i]), w.text(fields[i+1]))
	}
	return name
}

// byDigest reports whether a result of a function of type t depends on a digest
// of the arguments: see depending.
func byDigest(t reflect.Type) bool {
	for i := 0; i < t.NumOut(); i++ {
		out, given := t.Out(i), false
		for k := 0; k < t.NumIn(); k++ {
			given = given || t.In(k) == out
		}
		if k := out.Kind(); !given && (k == reflect.Bool || k == reflect.String || k >= reflect.Int && k <= reflect.Uintptr) {
			return true
		}
	}
	return false
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

// channel makes a channel, and fills and closes it unless it is to be sent to.
func (w *writer) channel(l wire.Lit, t reflect.Type, c exprContext) string {
	if t.Kind() != reflect.Chan {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	both := reflect.ChanOf(reflect.BothDir, t.Elem())
	if l.S == wire.SpecialOpenChan {
		made := "make(" + w.typ(both) + ", " + strconv.Itoa(harness.ChannelRoom) + ")"
		if c == free && both != t {
			return w.convert(t, made)
		}
		return made
	}
	ch := w.define("ch", "make("+w.typ(both)+", "+strconv.Itoa(len(l.E)+1)+")")
	for _, e := range l.E {
		w.line("%s <- %s", ch, w.expr(e, t.Elem(), typed))
	}
	if l.S == wire.SpecialLateChan {
		w.line("%sAfterFunc(%s, func() { close(%s) })", w.std("time"), w.milliseconds(harness.ClosedAfter), ch)
	} else {
		w.line("close(%s)", ch)
	}
	if c == free && both != t {
		return w.convert(t, ch)
	}
	return ch
}

// milliseconds writes down a duration.
func (w *writer) milliseconds(d time.Duration) string {
	return strconv.FormatInt(d.Milliseconds(), 10) + "*" + w.std("time") + "Millisecond"
}

// A function whose results depend on a digest of its arguments has no source.
// What can be written down is what it gave for the arguments that it was
// called with.

// argument is a place in a sequence: argument arg of a step.
type argument struct{ step, arg int }

// recorded is one call of a function: its arguments and its only result.
type recorded struct {
	args   []wire.Lit
	key    string
	result reflect.Value
}

const maxRecorded = 12 // different calls of one function

// pending is a function whose source is known when the sequence has run.
type pending struct {
	t  reflect.Type
	at argument
}

// closureMark stands around a pending function's number.
const closureMark = "\x03"

// later returns the mark that stands for a function's source.
func (w *writer) later(t reflect.Type) string {
	if w.current.step < 0 {
		return w.fail("a %s whose results depend on a digest of its arguments", t)
	}
	w.closures = append(w.closures, pending{t, w.current})
	return closureMark + strconv.Itoa(len(w.closures)-1) + closureMark
}

// settle puts the sources of functions where their marks are.
func (w *writer) settle() {
	if len(w.closures) == 0 {
		return
	}
	texts := make([]string, len(w.closures))
	for i, c := range w.closures {
		texts[i] = w.recordedExpr(c)
	}
	put := func(text string) string {
		parts := strings.Split(text, closureMark)
		for i := 1; i < len(parts); i += 2 {
			n, _ := strconv.Atoi(parts[i])
			parts[i] = texts[n]
		}
		return strings.Join(parts, "")
	}
	for i := range w.lines {
		w.lines[i].with, w.lines[i].call = put(w.lines[i].with), put(w.lines[i].call)
	}
	w.call = put(w.call)
}

// execute runs a step as the machine does, and notes the calls of functions
// that are pending.
func (w *writer) execute(i int, s wire.Step) (probe.Ending, error) {
	op := &w.Ops[s.Op]
	recording := false
	for _, c := range w.closures {
		recording = recording || c.at.step == i
	}
	if !recording {
		st, err := w.Step(s)
		return st.Ending, err
	}
	args, ok := w.watchedArguments(s, op, func(arg int, call recorded) {
		at := argument{i, arg}
		for _, r := range w.calls[at] {
			if r.key == call.key {
				return
			}
		}
		if len(w.calls[at]) <= maxRecorded {
			w.calls[at] = append(w.calls[at], call)
		}
	})
	if !ok {
		return probe.Returned, harness.ErrInvalid
	}
	var out []reflect.Value
	ending, _, written := w.Guarded(harness.CallFuel, func() {
		if op.Variadic {
			out = op.Fn.CallSlice(args)
		} else {
			out = op.Fn.Call(args)
		}
	})
	w.Vars, w.Args, w.Printed = append(w.Vars, out), append(w.Args, args), append(w.Printed, written)
	return ending, nil
}

// watchedArguments builds a step's arguments, with functions that tell note of
// their calls.
func (w *writer) watchedArguments(s wire.Step, op *harness.Operation, note func(arg int, call recorded)) ([]reflect.Value, bool) {
	args := make([]reflect.Value, len(s.Args))
	for k, l := range s.Args {
		v, err := w.Build(l, op.In[k])
		if err != nil {
			return nil, false
		}
		args[k] = v
		if l.Form != wire.Special || l.S != wire.SpecialHashFunc || v.Kind() != reflect.Func || v.Type().NumOut() != 1 {
			continue
		}
		arg := k
		args[k] = reflect.MakeFunc(v.Type(), func(in []reflect.Value) []reflect.Value {
			var out []reflect.Value
			if v.Type().IsVariadic() {
				out = v.CallSlice(in)
			} else {
				out = v.Call(in)
			}
			call, plain := recorded{result: out[0]}, true
			for _, a := range in {
				e, ok := w.litOf(a, 0)
				plain = plain && ok && constantKind(a.Kind())
				call.args = append(call.args, e)
			}
			var key []byte
			for _, e := range call.args {
				key = e.Encode(key)
			}
			call.key = string(key)
			if !plain {
				call.args = nil
			}
			note(arg, call)
			return out
		})
	}
	return args, true
}

// recordedExpr is the body of a function that gives what was recorded.
func (w *writer) recordedExpr(c pending) string {
	t, calls := c.t, w.calls[c.at]
	out := t.Out(0)
	if t.NumOut() != 1 || len(calls) > maxRecorded {
		return w.fail("a %s whose results depend on a digest of its arguments", t)
	}
	names := make([]string, t.NumIn())
	for i := range names {
		names[i] = "_"
	}
	same := true
	for _, c := range calls {
		same = same && c.result.Interface() == calls[0].result.Interface()
	}
	if len(calls) == 0 || same {
		v := reflect.Zero(out)
		if len(calls) > 0 {
			v = calls[0].result
		}
		return "func" + w.signature(t, nil) + " { return " + w.scalar(v, typed) + " }"
	}
	var order []reflect.Value
	conditions := map[any][]string{}
	for _, c := range calls {
		if c.args == nil {
			return w.fail("a %s whose results depend on a digest of its arguments", t)
		}
		var all []string
		for i, a := range c.args {
			if names[i] == "_" {
				names[i] = w.variable(nameFor(t.In(i)))
			}
			all = append(all, names[i]+" == "+w.expr(a, t.In(i), typed))
		}
		r := c.result.Interface()
		if conditions[r] == nil {
			order = append(order, c.result)
		}
		conditions[r] = append(conditions[r], strings.Join(all, " && "))
	}
	head := "func" + w.signature(t, names)
	if out.Kind() == reflect.Bool {
		for _, v := range order {
			if v.Bool() {
				return head + " { return " + strings.Join(conditions[v.Interface()], " || ") + " }"
			}
		}
	}
	body := " {\nswitch {\n"
	for _, v := range order[1:] {
		body += "case " + strings.Join(conditions[v.Interface()], ", ") + ":\nreturn " + w.scalar(v, typed) + "\n"
	}
	return head + body + "}\nreturn " + w.scalar(order[0], typed) + "\n}"
}

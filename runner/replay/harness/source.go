//go:build go1.21

package harness

import (
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strings"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Place says where in a program's trace two versions differ.
type Place struct {
	Kind  PlaceKind
	Step  int // unless AtAfter
	Index int // of StepTrace.Components or of Trace.After
}

// PlaceKind says what kind of a thing differs.
type PlaceKind byte

const (
	AtEnding    PlaceKind = iota // how step Step ends
	AtComponent                  // component Index of step Step
	AtAfter                      // component Index of what is looked at in the end
)

// Code is a program as Go statements.
//
// Names of packages are left open in all texts: a qualifier is the import path
// between two NUL characters, directly in front of the identifier, which no Go
// string literal written here can contain. Qualify fills them in. That goes for
// the package under test too, whose qualifier is empty within it.
type Code struct {
	Lines []string // statements; one may span several lines of text
	Setup int      // so many lines stand in front of the last call
	// Imports are the packages named, with the names that the variables
	// stay clear of.
	Imports map[string]string
	// Internal says that something unexported is named: only a test in the
	// package can do that. External says that something is named that the
	// package's external tests declare.
	Internal, External bool
	Call               string // the last call as an expression, for people
	// Subject is the expression of the value that differs, behind Lines; ""
	// if the ending differs.
	Subject string
	Vars    []string // names of the variables
}

// Qualify replaces the qualifiers in a text of Code or View by what name
// gives for the import path, such as "strings." or "".
func Qualify(text string, name func(path string) string) string {
	if !strings.Contains(text, qualifierMark) {
		return text
	}
	parts := strings.Split(text, qualifierMark)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = name(parts[i])
	}
	return strings.Join(parts, "")
}

// Marks in texts under way. Quoted literals cannot contain them.
const (
	qualifierMark = "\x00"
	variableMark  = "\x01" // around a variable's number, until names are given
	SubjectMark   = "\x02" // in a View: the subject's expression
)

// Source writes p down as Go statements, up to the place that differs. It runs
// the steps in front of the place to know what the variables hold.
//
// An error says what there is no Go expression for.
func (r *Registry) Source(p Program, at Place) (Code, error) {
	w := newWriter(r)
	if err := w.program(p, at, false); err != nil {
		return Code{}, err
	}
	w.settle()
	return w.code(), w.err
}

// writer writes one program.
type writer struct {
	*machine
	lines    []statement
	setup    int
	call     string
	packages map[string]string // import path → name of the package
	own      map[string]bool   // identifiers of the package under test that are used
	internal bool
	external bool
	hints    []string // names wanted for the variables
	results  [][]string
	uses     map[[2]int]int
	extra    []reflect.Type // numbered behind the registered types
	subject  subject
	closures []pending
	calls    map[argument][]recorded // of pending functions
	current  argument                // the one being written
	err      error
}

// statement is one statement under way: variables, if there are some, and what
// they are declared with.
type statement struct {
	declares []string // "_" among them
	with     string   // " := f(x)", " T = x"; the whole statement if nothing is declared
	isVar    bool     // var x T
	call     string   // what remains if no variable is used; "" for nothing
}

// subject is the value that differs.
type subject struct {
	expr   string
	static reflect.Type         // of expr
	value  func() reflect.Value // after the last step
}

func newWriter(r *Registry) *writer {
	return &writer{
		machine:  &machine{Registry: r},
		packages: map[string]string{},
		own:      map[string]bool{},
		uses:     map[[2]int]int{},
		calls:    map[argument][]recorded{},
	}
}

// fail remembers the first reason why there is no source.
func (w *writer) fail(format string, args ...any) string {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
	return "_"
}

var errPlace = errors.New("the program has no such place")

// program writes p up to the place. With through, the last step is run too, so
// that the subject has its value.
func (w *writer) program(p Program, at Place, through bool) error {
	watch, err := w.locate(p, at)
	if err != nil {
		return err
	}
	if at.Kind != AtAfter {
		p = p[:at.Step+1]
	}
	p.Walk(func(_ int, l *Lit) {
		if l.Form == Ref {
			w.uses[[2]int{int(l.N), l.U}]++
		}
	})
	if watch.result >= 0 {
		w.uses[[2]int{watch.step, watch.result}]++
	}
	probe.Reseed()
	for i, s := range p {
		last := i == len(p)-1
		if last {
			w.setup = len(w.lines)
		}
		w.write(i, s, watch, last)
		if w.err != nil {
			return w.err
		}
		if n := len(w.closures); last && !through && (n == 0 || w.closures[n-1].at.step != i) {
			break
		}
		ending, err := w.execute(i, s)
		if err != nil {
			return fmt.Errorf("step %d %w", i+1, err)
		}
		if ending != probe.Returned && !last {
			return fmt.Errorf("step %d does not return", i+1)
		}
	}
	if watch.result >= 0 && w.subject.expr == "" {
		place := watch
		w.subject = subject{expr: w.results[place.step][place.result], static: w.outs(p[place.step])[place.result]}
		w.subject.value = func() reflect.Value { return w.vars[place.step][place.result] }
	}
	return w.err
}

// watched is the result or the argument that differs, -1 for none.
type watched struct {
	step, result, arg int
}

func (w *writer) locate(p Program, at Place) (watched, error) {
	none := watched{-1, -1, -1}
	if at.Kind != AtAfter && (at.Step < 0 || at.Step >= len(p)) || len(p) == 0 {
		return none, errPlace
	}
	for _, s := range p {
		if s.Op < 0 || s.Op >= len(w.Ops) {
			return none, errPlace
		}
	}
	switch at.Kind {
	case AtEnding:
		return none, nil
	case AtAfter:
		step, result := w.afterOf(p, at.Index)
		if step < 0 {
			return none, errPlace
		}
		return watched{step, result, -1}, nil
	}
	_, result, arg := w.Ops[p[at.Step].Op].componentName(at.Index)
	if result < 0 && arg < 0 {
		return none, errPlace
	}
	return watched{at.Step, result, arg}, nil
}

// write adds the statements of one step.
func (w *writer) write(i int, s Step, watch watched, last bool) {
	op := &w.Ops[s.Op]
	switch {
	case op.builtin == let:
		w.writeLet(i, s)
		return
	case op.builtin != none:
		w.writeElement(op.builtin, s)
		w.results = append(w.results, nil)
		if last && w.err == nil {
			w.call, w.setup = w.lines[len(w.lines)-1].with, len(w.lines)-1
		}
		return
	case op.Variable:
		name := w.qualified(op.Package, "", op.Expr) + w.expression(op)
		w.results = append(w.results, []string{name})
		w.call, w.setup = name, len(w.lines)
		return
	}
	if len(s.Args) != len(op.In) {
		w.fail("step %d has %d arguments, not %d", i+1, len(s.Args), len(op.In))
		return
	}
	arg := -1
	if watch.step == i {
		arg = watch.arg
	}
	call := w.writeCall(op, s, i, arg)
	if last {
		w.call, w.setup = call, len(w.lines)
	}
	names := make([]string, len(op.Out))
	used := false
	for k, t := range op.Out {
		names[k] = "_"
		if w.uses[[2]int{i, k}] > 0 {
			hint := nameFor(t)
			if last && watch.result == k && t != errorType {
				hint = "got"
			}
			names[k], used = w.variable(hint), true
		}
	}
	w.results = append(w.results, names)
	declares := names
	if !used {
		declares = nil
	}
	w.lines = append(w.lines, statement{declares: declares, with: call, call: call})
}

func (w *writer) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	w.lines = append(w.lines, statement{with: format})
}

// writeCall gives the call's expression. Statements it needs come before it.
func (w *writer) writeCall(op *Op, s Step, step, watch int) string {
	var args []string
	fn := ""
	for k, l := range s.Args {
		t := op.In[k]
		w.current = argument{step, k}
		if l.Form != Special {
			w.current = argument{-1, -1} // not recorded in there
		}
		switch {
		case op.Method && k == 0:
			fn = w.receiver(l, t, watch == 0) + "." + op.Expr
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
	if !op.Method {
		fn = w.qualified(op.Package, "", op.Expr) + w.expression(op)
	}
	args = w.guardFormat(op, s, args)
	return fn + "(" + strings.Join(args, ", ") + ")"
}

// guardFormat keeps vet from judging the format of a function like Printf: a
// test that go test will not run for that is of no use.
func (w *writer) guardFormat(op *Op, s Step, args []string) []string {
	n := len(op.In)
	if !op.Variadic || n < 2 || op.In[n-2].Kind() != reflect.String || op.In[n-1].Elem().Kind() != reflect.Interface || op.Method && n == 2 {
		return args
	}
	k := n - 2
	if op.Method {
		k--
	}
	format := s.Args[n-2]
	literal := format.Form == Text
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

func (w *writer) variadic(l Lit, t reflect.Type) []string {
	switch {
	case l.Form == Zero:
		return nil
	case l.Form == Seq && len(l.E) > 0:
		out := make([]string, len(l.E))
		for i, e := range l.E {
			out[i] = w.expr(e, t.Elem(), typed)
		}
		return out
	}
	return []string{w.expr(l, t, typed) + "..."}
}

// writeLet gives a literal a variable.
func (w *writer) writeLet(i int, s Step) {
	name := "_"
	if len(s.Args) != 1 || s.Args[0].Form != Dynamic || len(s.Args[0].E) != 1 || s.Args[0].T >= len(w.Types) {
		w.fail("step %d is damaged", i+1)
		return
	}
	if w.uses[[2]int{i, 0}] > 0 {
		name = w.place(s.Args[0].E[0], w.Types[s.Args[0].T])
	}
	w.results = append(w.results, []string{name})
}

// place declares a variable of type t with the literal's value.
func (w *writer) place(l Lit, t reflect.Type) string {
	switch {
	case l.Form == Zero && !constantKind(t.Kind()):
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

// define gives an expression a variable.
func (w *writer) define(hint, expr string) string {
	name := w.variable(hint)
	w.lines = append(w.lines, statement{declares: []string{name}, with: expr})
	return name
}

// writeElement writes or appends to a slice, in the place that the machine
// takes.
func (w *writer) writeElement(b builtin, s Step) {
	if len(s.Args) != 2 {
		w.fail("a damaged write")
		return
	}
	v, ok := w.ref(s.Args[0])
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
	if b == write {
		w.line("%s[0] = %s", at, e)
	} else {
		w.line("_ = append(%s, %s)", at, e)
	}
}

// reference writes a result of an earlier step where a value of type t is
// wanted, as assign does.
func (w *writer) reference(l Lit, t reflect.Type, c stance) string {
	v, ok := w.ref(l)
	if !ok || v.Kind() == reflect.Invalid {
		return w.fail("a reference to nothing")
	}
	name, x := w.results[l.N][l.U], v.Type()
	converted := func(expr string, from reflect.Type) string {
		if c == free && from != t {
			return w.convert(t, expr)
		}
		return expr
	}
	switch {
	case x.AssignableTo(t):
		return converted(name, x)
	case x.Kind() == reflect.Interface && !v.IsNil() && v.Elem().Type().AssignableTo(t):
		d := v.Elem().Type()
		if t.Kind() == reflect.Interface {
			d = t
		}
		return converted(name+".("+w.typ(d)+")", d)
	case t.Kind() == reflect.Pointer && v.CanAddr() && reflect.PointerTo(x).AssignableTo(t):
		return converted("&"+name, reflect.PointerTo(x))
	case t.Kind() == reflect.Pointer && x.AssignableTo(t.Elem()):
		return converted("&"+w.copyOf(l, x, t.Elem()), t)
	case x.Kind() == reflect.Pointer && x.Elem().AssignableTo(t):
		return converted("*"+name, x.Elem())
	}
	return w.fail("a %s for a %s", x, t)
}

// copyOf gives a variable of type t whose address may be taken. The machine
// copies a result each time; with one use there is nobody to see that.
func (w *writer) copyOf(l Lit, x, t reflect.Type) string {
	name := w.results[l.N][l.U]
	if x == t && w.uses[[2]int{int(l.N), l.U}] == 1 {
		return name
	}
	if x == t {
		return w.define(nameFor(t), name)
	}
	own := w.variable(nameFor(t))
	w.lines = append(w.lines, statement{declares: []string{own}, with: w.typ(t) + " = " + name, isVar: true})
	return own
}

// receiver writes what a method of type t is called on.
func (w *writer) receiver(l Lit, t reflect.Type, watch bool) string {
	if l.Form == Ref {
		return w.receiverRef(l, t, watch)
	}
	inner, of := l, t
	for inner.Form == Dynamic && len(inner.E) == 1 {
		of = w.typeNumber(inner.T)
		inner = inner.E[0]
		if of == nil {
			return w.fail("a value of a type that is not registered")
		}
	}
	if inner.Form == Ref {
		return w.receiverRef(inner, of, watch)
	}
	if !watch && constantKind(of.Kind()) {
		e := w.expr(inner, of, free)
		if strings.Contains(e, " * ") {
			e = "(" + e + ")"
		}
		return e
	}
	if inner.Form == Zero && of.Kind() == reflect.Pointer && !watch {
		return w.expr(inner, of, free)
	}
	if inner.Form == Pointer && len(inner.E) == 1 && inner.E[0].Form == Zero && of.Elem().Kind() == reflect.Struct {
		// A method with a pointer receiver takes the address by itself.
		name := w.place(inner.E[0], of.Elem())
		if watch {
			w.subject = subject{name, of.Elem(), func() reflect.Value { return w.argument(0, of).Elem() }}
		}
		return name
	}
	name := w.place(inner, of)
	if watch {
		w.subject = subject{name, of, func() reflect.Value { return w.argument(0, of) }}
	}
	return name
}

// argument is an argument of the last step as it is now, out of an interface
// if it is written down as the variable of a type t that is none.
func (w *writer) argument(k int, t reflect.Type) reflect.Value {
	args := w.aside[len(w.aside)-1]
	v := args[k]
	if v.Kind() == reflect.Interface && t.Kind() != reflect.Interface {
		v = v.Elem()
	}
	return v
}

func (w *writer) receiverRef(l Lit, t reflect.Type, watch bool) string {
	v, ok := w.ref(l)
	if !ok {
		return w.fail("a reference to nothing")
	}
	x, name := v.Type(), w.results[l.N][l.U]
	same := func() reflect.Value { v, _ := w.ref(l); return v }
	direct := x == t || x.Kind() == reflect.Pointer && x.Elem() == t ||
		t.Kind() == reflect.Interface && x.AssignableTo(t) ||
		t.Kind() == reflect.Pointer && v.CanAddr() && t.Elem() == x
	switch {
	case direct:
		if watch {
			w.subject = subject{name, x, same}
		}
		return name
	case t.Kind() == reflect.Pointer && t.Elem() == x:
		name = w.copyOf(l, x, x)
		if watch {
			w.subject = subject{name, x, func() reflect.Value { return w.argument(0, t).Elem() }}
		}
		return name
	}
	e := w.reference(l, t, free)
	if watch {
		e = w.define(nameFor(t), e)
		w.subject = subject{e, t, func() reflect.Value { return w.argument(0, t) }}
		return e
	}
	if strings.HasPrefix(e, "*") || strings.HasPrefix(e, "&") {
		e = "(" + e + ")"
	}
	return e
}

// watchedArgument writes an argument in such a way that it can be looked at
// after the call.
func (w *writer) watchedArgument(l Lit, t reflect.Type, k int) string {
	if l.Form == Ref {
		if v, ok := w.ref(l); ok {
			x, name := v.Type(), w.results[l.N][l.U]
			same := func() reflect.Value { v, _ := w.ref(l); return v }
			switch {
			case x.AssignableTo(t):
				w.subject = subject{name, x, same}
				return name
			case t.Kind() == reflect.Pointer && v.CanAddr() && reflect.PointerTo(x).AssignableTo(t):
				w.subject = subject{name, x, same}
				return "&" + name
			}
		}
	}
	of, inner := t, l
	if l.Form == Dynamic && len(l.E) == 1 && w.typeNumber(l.T) != nil {
		of, inner = w.typeNumber(l.T), l.E[0]
	} else if l.Form == Special {
		of = w.specialType(l, t)
	}
	name := ""
	if inner.Form == Ref {
		name = w.define(nameFor(of), w.reference(inner, of, free))
	} else {
		name = w.place(inner, of)
	}
	w.subject = subject{name, of, func() reflect.Value { return w.argument(k, of) }}
	return name
}

// code drops what nothing uses and gives the variables their names.
func (w *writer) code() Code {
	used := map[string]bool{}
	use := func(text string) {
		parts := strings.Split(text, variableMark)
		for i := 1; i < len(parts); i += 2 {
			used[variableMark+parts[i]+variableMark] = true
		}
	}
	use(w.subject.expr)
	use(w.call)
	var lines []string
	setup := w.setup
	for i := len(w.lines) - 1; i >= 0; i-- {
		text := w.lines[i].text(used)
		if text == "" {
			if i < w.setup {
				setup--
			}
			continue
		}
		use(text)
		lines = append(lines, text)
	}
	names := w.names(used)
	open := func(text string) string {
		parts := strings.Split(text, variableMark)
		for i := 1; i < len(parts); i += 2 {
			parts[i] = names[parts[i]]
		}
		return strings.Join(parts, "")
	}
	c := Code{Setup: setup, Imports: map[string]string{}, Internal: w.internal, External: w.external,
		Call: open(w.call), Subject: open(w.subject.expr)}
	for i := len(lines) - 1; i >= 0; i-- {
		c.Lines = append(c.Lines, open(lines[i]))
	}
	for _, text := range append([]string{c.Call, c.Subject}, c.Lines...) {
		Qualify(text, func(path string) string {
			c.Imports[path] = w.packages[path]
			return ""
		})
	}
	for _, n := range names {
		c.Vars = append(c.Vars, n)
	}
	sort.Strings(c.Vars)
	return c
}

// text is the statement without the variables that are not used; "" if
// nothing is left of it.
func (s statement) text(used map[string]bool) string {
	if len(s.declares) == 0 {
		return s.with
	}
	names, some := make([]string, len(s.declares)), false
	for i, n := range s.declares {
		names[i] = "_"
		if used[n] {
			names[i], some = n, true
		}
	}
	switch {
	case !some:
		return s.call
	case s.isVar:
		return "var " + names[0] + " " + s.with
	}
	return strings.Join(names, ", ") + " := " + s.with
}

//go:build go1.21

package gosource

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// variableMark stands around a variable's number until names are given. Quoted
// literals cannot contain it.
const variableMark = "\x01"

// Source writes p down as Go statements, up to the place that differs. It runs
// the steps in front of the place to know what the variables hold.
//
// An error says what there is no Go expression for.
func Source(r *harness.Registry, p wire.Sequence, at wire.Place) (wire.Code, error) {
	w := newWriter(r)
	if err := w.sequence(p, at, false); err != nil {
		return wire.Code{}, err
	}
	w.settle()
	return w.code(), w.err
}

// writer writes one sequence.
type writer struct {
	*harness.Machine
	lines    []statement
	setup    int
	call     string
	packages map[string]string // import path → name of the package
	own      map[string]bool   // identifiers of the package under test that are used
	internal bool
	external bool
	stubs    []wire.Stub
	locals   []string // declarations of types in front of the statements
	hints    []string // names wanted for the variables
	results  [][]string
	uses     map[[2]int]int
	inline   int            // step whose value the next one reads where it stands, -1 for none
	lists    map[int]bool   // steps that make a list of calls: see harness.Telling
	extra    []reflect.Type // numbered behind the registered types
	subject  subject
	stream   int // that differs, -1 for none
	closures []pending
	calls    map[argument][]recorded // of pending functions
	current  argument                // the one being written
	err      error
}

// subject is the value that differs.
type subject struct {
	expr   string
	static reflect.Type         // of expr
	value  func() reflect.Value // after the last step
}

func newWriter(r *harness.Registry) *writer {
	return &writer{
		Machine:  harness.NewMachine(r),
		packages: map[string]string{},
		own:      map[string]bool{},
		uses:     map[[2]int]int{},
		lists:    map[int]bool{},
		calls:    map[argument][]recorded{},
		stream:   -1,
	}
}

// fail remembers the first reason why there is no source.
func (w *writer) fail(format string, args ...any) string {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
	return "_"
}

var errPlace = errors.New("the sequence has no such place")

// sequence writes p up to the place. With through, the last step is run too, so
// that the subject has its value.
func (w *writer) sequence(p wire.Sequence, at wire.Place, through bool) (err error) {
	w.InTest(p, func() { err = w.sequenceIn(p, at, through) })
	return err
}

func (w *writer) sequenceIn(p wire.Sequence, at wire.Place, through bool) error {
	watch, err := w.locate(p, at)
	if err != nil {
		return err
	}
	if at.Kind != wire.AtAfter {
		p = p[:at.Step+1]
	}
	p.Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Ref {
			w.uses[[2]int{int(l.N), l.U}]++
		}
		if n := len(l.E); l.Form == wire.Special && l.S == wire.SpecialTelling && n >= 2 {
			w.lists[int(l.E[n-2].N)] = true
		}
		if l.Form == wire.Special && l.S == wire.SpecialReplies && len(l.E) > 0 && l.E[0].Form == wire.Ref {
			w.lists[int(l.E[0].N)] = true
		}
	})
	if watch.result >= 0 {
		w.uses[[2]int{watch.step, watch.result}]++
	}
	harness.Restore()
	w.RemoveFolders()
	for i, s := range p {
		last := i == len(p)-1
		if last {
			w.setup = len(w.lines)
		}
		made := w.Folders()
		w.inline = -1
		if !last && w.uses[[2]int{i, 0}] == 1 && w.readBy(p[i+1], i) {
			w.inline = i
		}
		w.write(i, s, watch, last)
		w.RemoveFoldersFrom(made) // what writing needed to look at
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
		w.subject = subject{expr: w.results[place.step][place.result], static: w.Outs(p[place.step])[place.result]}
		w.subject.value = func() reflect.Value { return w.Vars[place.step][place.result] }
	}
	return w.err
}

// readBy reports whether a step calls a method of the first result of step i.
func (w *writer) readBy(s wire.Step, i int) bool {
	return w.Ops[s.Op].Method && len(s.Args) > 0 && s.Args[0].Form == wire.Ref && s.Args[0].N == int64(i) && s.Args[0].U == 0
}

// watched is the result or the argument that differs, -1 for none.
type watched struct {
	step, result, arg int
}

func (w *writer) locate(p wire.Sequence, at wire.Place) (watched, error) {
	none := watched{-1, -1, -1}
	if at.Kind != wire.AtAfter && (at.Step < 0 || at.Step >= len(p)) || len(p) == 0 {
		return none, errPlace
	}
	for _, s := range p {
		if !w.Has(s.Op) {
			return none, errPlace
		}
	}
	switch at.Kind {
	case wire.AtEnding:
		return none, nil
	case wire.AtAfter:
		step, result := w.AfterOf(p, at.Index)
		if step < 0 {
			return none, errPlace
		}
		return watched{step, result, -1}, nil
	}
	op := &w.Ops[p[at.Step].Op]
	if w.stream = op.Stream(at.Index); w.stream >= 0 && !p[at.Step].Op.Builtin() {
		return none, nil
	}
	if op.IsExitStatus(at.Index) {
		return none, nil
	}
	_, result, arg := op.ComponentName(at.Index)
	if result < 0 && arg < 0 {
		return none, errPlace
	}
	return watched{at.Step, result, arg}, nil
}

// write adds the statements of one step.
func (w *writer) write(i int, s wire.Step, watch watched, last bool) {
	op := &w.Ops[s.Op]
	switch {
	case s.Op == wire.OpLet:
		w.writeLet(i, s)
		return
	case s.Op.Builtin():
		if s.Op == wire.OpSet {
			w.writeField(s)
		} else {
			w.writeElement(s)
		}
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
	if harness.Surrounds(op) && !last {
		w.surround(op, s)
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
	if op.Selector && w.inline == i {
		w.results = append(w.results, []string{call})
		return
	}
	names := make([]string, len(op.Out))
	used := false
	for k, t := range op.Out {
		names[k] = "_"
		if w.uses[[2]int{i, k}] > 0 {
			hint := nameFor(t)
			if last && watch.result == k && t != errorInterface {
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
	with := call
	if !used && (op.Selector || !last && op.Method && len(op.In) == 1 && (op.Expr == "String" || op.Expr == "Error")) {
		with = "_ = " + call // vet wants the text of these to be used, and Go a field
	}
	w.lines = append(w.lines, statement{declares: declares, with: with, call: call})
}

func (w *writer) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	w.lines = append(w.lines, statement{with: format})
}

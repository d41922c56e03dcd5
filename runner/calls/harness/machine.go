//go:build go1.21

package harness

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// Limits of one sequence.
const (
	CallFuel   = 150_000 // rounds of loops and calls in one call
	maxElement = 1 << 16 // elements of a sequence built
	// firstAddress bounds numbers that may stand for addresses. Each binary has something else at an address, and none has
	// anything below this one.
	firstAddress = 4096
)

// Machine runs sequences, one at a time.
type Machine struct {
	*Registry
	Vars [][]reflect.Value // results by step
	Args [][]reflect.Value // arguments by step, for looking at them afterwards
	// Printed is what each step wrote to the standard output and the standard error.
	Printed [][probe.Streams]string
	users   map[reflect.Type][]maker
	cover   *probe.Coverage   // nil where nobody learns from it
	fuel    int64             // for one call; 0 for callFuel
	short   map[wire.Op]int64 // instead of callFuel
	near    []int             // branches of Δ's functions, see wire.Setup
	took    []int             // of near, those that the last sequence took
	// entered counts sequences by the member of Δ that they executed.
	entered []int
	ran     []int      // the members of Δ that the last sequence executed
	drew    bool       // the last sequence drew random numbers
	greedy  bool       // the last sequence was refused memory
	lists   sync.Mutex // of the calls that functions tell: some are called by several goroutines
	toldAll bool       // the last sequence's lists hold all calls
	endings []func()   // end what the last sequence's contexts and channels wait for
	folders int        // made by the last sequence, see newPath
	calling int32      // functions under way that call a method: see callingFunc
	asks    bool       // what calls ask the environment for is noted
	Asked   []string   // variables that the last sequence asked for and that are not set, sorted
	// AskedServers says that the last sequence asked servers, and that no step of it has them answered.
	AskedServers bool
	calls        func(step int) // is told which step is called, and wire.NoCall afterwards; nil tells nobody
}

var ErrInvalid = errors.New("cannot be built")

// NewMachine makes a machine that knows what a registry holds.
func NewMachine(r *Registry) *Machine { return &Machine{Registry: r} }

// Run executes a sequence.
func (m *Machine) Run(p wire.Sequence) wire.Trace {
	t := wire.Trace{Invalid: true}
	m.InTest(p, func() { t = m.run(p) })
	return t
}

func (m *Machine) run(p wire.Sequence) wire.Trace {
	probe.Clear()
	Restore()
	if m.asks {
		probe.NoteAsked()
		defer func() { m.Asked = probe.Asked() }()
	}
	if m.unanswered != nil {
		m.unanswered()
		defer func() { m.AskedServers = m.unanswered() }()
	}
	drew, refused := probe.Drew(), probe.Refused()
	m.Vars, m.Args, m.Printed = m.Vars[:0], m.Args[:0], m.Printed[:0]
	m.toldAll, m.calling, m.ran, m.took = true, 0, m.ran[:0], m.took[:0]
	m.RemoveFolders()
	m.stopWaiting()
	var t wire.Trace
	hidden := uint64(0)
	t.Steps = make([]wire.StepTrace, 0, len(p))
	var holds addressed
	for i, s := range p {
		before := probe.Addresses()
		st, err := m.Step(s)
		if err != nil {
			t.Invalid = true
			break
		}
		if holds.from(s) {
			st.Components = nil
		}
		holds.note(i, s, probe.Addresses() != before)
		for _, c := range st.Components {
			hidden = probe.Mix(hidden, uint64(c.Hidden))
		}
		t.Steps = append(t.Steps, st)
		if st.Ending != probe.Returned {
			break
		}
	}
	if t.Entered = probe.EnteredChange(); t.Entered {
		ran := uint64(0)
		for _, k := range probe.EnteredChanges() {
			m.noteEntered(k)
			m.ran = append(m.ran, k)
			ran = probe.Mix(ran, uint64(k)+1)
		}
		t.Ran = uint32(ran ^ ran>>32)
		t.Way = m.way()
	}
	if m.cover != nil {
		t.Branch, t.Fresh = m.cover.Add()
	}
	// Looking must not count as taking branches.
	if len(t.Steps) == len(p) && len(p) > 1 && len(holds) == 0 && t.Steps[len(p)-1].Ending == probe.Returned {
		t.After = m.after(p)
		for _, c := range t.After {
			hidden = probe.Mix(hidden, uint64(c.Hidden))
		}
	}
	t.Hidden = uint32(hidden ^ hidden>>32)
	m.drew, m.greedy = drew(), refused()
	t.Invalid = t.Invalid || !m.toldAll || m.greedy
	return t
}

// way is a digest of the branches of Δ's functions that were taken, which it keeps in took.
func (m *Machine) way() uint32 {
	way := uint64(0)
	for _, b := range m.near {
		if probe.Took(b) {
			m.took = append(m.took, b)
			way = probe.Mix(way, uint64(b)+1)
		}
	}
	return uint32(way ^ way>>32)
}

// nilGiven reports whether an argument is nil, or a list with nil among its first elements. Nil slices and maps are empty ones.
func nilGiven(v reflect.Value) bool {
	const first = 16
	switch v.Kind() {
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.Pointer, reflect.Func, reflect.Interface, reflect.Chan:
			for i := 0; i < v.Len() && i < first; i++ {
				if v.Index(i).IsNil() {
					return true
				}
			}
		}
	case reflect.Pointer, reflect.Func, reflect.Interface, reflect.Chan:
		return v.IsNil()
	}
	return false
}

// noteEntered counts the sequences that executed a member of Δ.
func (m *Machine) noteEntered(k int) {
	for len(m.entered) <= k {
		m.entered = append(m.entered, 0)
	}
	m.entered[k]++
}

// Step runs one step.
func (m *Machine) Step(s wire.Step) (wire.StepTrace, error) {
	st, err := m.invoke(s)
	if err != nil || s.Op.Builtin() {
		return st, err
	}
	last := len(m.Vars) - 1
	if st.Ending != probe.Returned {
		st.Components = m.exitComponents(&m.Ops[s.Op], last, st)
		return st, nil
	}
	if slices.ContainsFunc(m.Args[last], givesFunctions) {
		defer probe.MaskFunctions()()
	}
	for _, v := range m.Vars[last] {
		st.Components = append(st.Components, component(v))
		st.Failed = st.Failed || v.Type() == errorType && !v.IsNil()
	}
	for i, v := range m.Args[last] {
		if changeable(m.Ops[s.Op].In[i]) {
			st.Components = append(st.Components, component(v))
		}
	}
	if !m.Ops[s.Op].Variable {
		st.Components = append(st.Components, m.printedComponents(last)...)
	}
	return st, nil
}

// invoke runs one step and looks at nothing that it gave.
func (m *Machine) invoke(s wire.Step) (wire.StepTrace, error) {
	var st wire.StepTrace
	if !m.Has(s.Op) {
		return st, ErrInvalid
	}
	op := &m.Ops[s.Op]
	if s.Op.Builtin() {
		return st, m.builtin(s)
	}
	if op.excluded {
		return st, ErrInvalid
	}
	if op.Variable {
		m.Vars = append(m.Vars, []reflect.Value{op.Fn.Elem()})
		m.Args = append(m.Args, nil)
		m.Printed = append(m.Printed, [probe.Streams]string{})
		return st, nil
	}
	if len(s.Args) != len(op.In) {
		return st, ErrInvalid
	}
	args := make([]reflect.Value, len(s.Args))
	for i, a := range s.Args {
		v, ok := m.behind(op, i, a)
		if !ok {
			var err error
			if v, err = m.Build(a, op.In[i]); err != nil {
				return st, err
			}
		}
		args[i] = v
		if nilGiven(v) {
			st.NilArgs = append(st.NilArgs, i)
		}
	}
	var out []reflect.Value
	fuel := m.fuel
	if fuel == 0 {
		fuel = CallFuel
		if short, ok := m.short[s.Op]; ok {
			fuel = short
		}
	}
	var printed [probe.Streams]string
	if m.calls != nil {
		m.calls(len(m.Vars))
		defer m.calls(wire.NoCall)
	}
	call := func() {
		st.Ending, st.Message, printed = m.Guarded(fuel, func() {
			if op.Variadic {
				out = op.Fn.CallSlice(args)
			} else {
				out = op.Fn.Call(args)
			}
		})
	}
	if !op.Test {
		call()
	} else if !aside(call) {
		if !m.test.Failed() {
			return st, ErrInvalid // it is skipped
		}
		st.Ending, st.Message = probe.Panicked, wire.FailedTest+saidIn(m.test)
	}
	m.Vars = append(m.Vars, placed(out))
	m.Args = append(m.Args, args)
	m.Printed = append(m.Printed, printed)
	return st, nil
}

// placed gives structs places of their own, as variables are: a method of the pointer changes what later steps
// see, and so does setting a field.
func placed(out []reflect.Value) []reflect.Value {
	for i, v := range out {
		if v.Kind() == reflect.Struct {
			at := reflect.New(v.Type()).Elem()
			at.Set(v)
			out[i] = at
		}
	}
	return out
}

// ComponentName names component i of a step of op for people, and says which
// result or argument it is; -1 for none.
func (op *Operation) ComponentName(i int) (name string, result, arg int) {
	at := i
	if i < len(op.Out) {
		failing := make([]bool, len(op.Out))
		for k, t := range op.Out {
			failing[k] = t == errorType
		}
		return wire.ResultName(i, failing), i, -1
	}
	i -= len(op.Out)
	for k, t := range op.In {
		if !changeable(t) {
			continue
		}
		if i == 0 {
			if op.Method && k == 0 {
				return "receiver", -1, k
			}
			n := k + 1
			if op.Method {
				n = k
			}
			return fmt.Sprintf("argument %d", n), -1, k
		}
		i--
	}
	if i >= 0 && i < probe.Streams && !op.Variable {
		return streamNames[i], -1, -1
	}
	if op.IsExitStatus(at) {
		return "exit status", -1, -1
	}
	return "?", -1, -1
}

var errorType = reflect.TypeOf((*error)(nil)).Elem()

func component(v reflect.Value) wire.Component {
	var a, b uint64
	// Error and String are the module's own: they may not end either.
	if e, _, _ := probe.Guard(CallFuel, func() { a, b = probe.Digest(v) }); e != probe.Returned {
		a, b = uint64(e), uint64(e)
	}
	return wire.Component{Visible: uint32(a ^ a>>32), Hidden: uint32(b ^ b>>32)}
}

// changeable reports whether a call can change what an argument of type t shows. Of a context only the time
// changes it, and it shows how much of that is left. Structs whose fields differ between the versions are not looked at
// where they are given as values, nor are values of a type that is of another kind on one of them: on one alone there may be
// something that can be changed.
func changeable(t reflect.Type) bool {
	if t == contextType || registry.Partial(t) {
		return false
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if changeable(t.Field(i).Type) {
				return true
			}
		}
	case reflect.Array:
		return changeable(t.Elem())
	}
	return false
}

// after looks at everything that later steps may have changed.
func (m *Machine) after(p wire.Sequence) []wire.Component {
	var out []wire.Component
	for i := range p {
		if i == len(p)-1 {
			break // has been looked at just now
		}
		for _, v := range m.Vars[i] {
			if v.IsValid() && changeable(v.Type()) {
				out = append(out, component(v))
			}
		}
	}
	return out
}

// AfterOf tells which result component i of Trace.After is.
func (r *Registry) AfterOf(p wire.Sequence, i int) (step, result int) {
	for k, s := range p {
		if k == len(p)-1 {
			break
		}
		for j, t := range r.Outs(s) {
			if t == nil || !changeable(t) {
				continue
			}
			if i == 0 {
				return k, j
			}
			i--
		}
	}
	return -1, -1
}

// Outs returns the types of a step's results.
func (r *Registry) Outs(s wire.Step) []reflect.Type {
	if !r.Has(s.Op) {
		return nil
	}
	op := &r.Ops[s.Op]
	if s.Op == wire.OpLet && len(s.Args) == 1 && s.Args[0].Form == wire.Dynamic && s.Args[0].T < len(r.Types) {
		return []reflect.Type{r.Types[s.Args[0].T]}
	}
	return op.Out
}

// builtin runs a step of an operation that every registry has.
func (m *Machine) builtin(s wire.Step) error {
	if s.Op == wire.OpLet {
		if len(s.Args) != 1 || s.Args[0].Form != wire.Dynamic || s.Args[0].T >= len(m.Types) || len(s.Args[0].E) != 1 {
			return ErrInvalid
		}
		t := m.Types[s.Args[0].T]
		v, err := m.Build(s.Args[0].E[0], t)
		if err != nil {
			return err
		}
		// A place of its own.
		at := reflect.New(t).Elem()
		at.Set(v)
		m.Vars = append(m.Vars, []reflect.Value{at})
		m.Args = append(m.Args, nil)
		m.Printed = append(m.Printed, [probe.Streams]string{})
		return nil
	}
	if s.Op == wire.OpSet {
		return m.setField(s)
	}
	if len(s.Args) != 2 {
		return ErrInvalid
	}
	v, ok := m.Ref(s.Args[0])
	if !ok {
		return ErrInvalid
	}
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	// The first row of a slice of slices is the more telling place.
	for v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() == reflect.Slice {
		v = v.Index(0)
	}
	if v.Kind() != reflect.Slice || s.Op == wire.OpWrite && v.Len() == 0 {
		return ErrInvalid
	}
	e, err := m.Build(s.Args[1], v.Type().Elem())
	if err != nil {
		return err
	}
	if s.Op == wire.OpWrite {
		v.Index(0).Set(e)
	} else {
		reflect.Append(v, e)
	}
	m.Vars = append(m.Vars, nil)
	m.Args = append(m.Args, nil)
	m.Printed = append(m.Printed, [probe.Streams]string{})
	return nil
}

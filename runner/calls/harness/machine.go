//go:build go1.21

package harness

import (
	"errors"
	"fmt"
	"reflect"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Limits of one program.
const (
	callFuel   = 150_000 // conditions evaluated in one call
	maxElement = 1 << 16 // elements of a sequence built
)

// machine runs programs.
type machine struct {
	*Registry
	vars  [][]reflect.Value // results by step
	aside [][]reflect.Value // arguments by step, for looking at them afterwards
	users map[reflect.Type][]maker
	cover *probe.Coverage // nil where nobody learns from it
	fuel  int64           // for one call; 0 for callFuel
	// entered counts programs by the member of Δ that they executed.
	entered []int
}

// A Trace is what one program did. Components are compared one by one.
type Trace struct {
	Steps []StepTrace
	// After are the digests of values that calls may have changed, taken when
	// all steps are through: results by step.
	After   []Component
	Hidden  uint32 // digest of all hidden digests
	Entered bool   // executed something of Δ
	Branch  uint64 // digest of the branches taken
	Fresh   int    // branches never taken before in this process
	Invalid bool   // could not be built: says nothing
}

// StepTrace is what one step did.
type StepTrace struct {
	Ending     probe.Ending
	Message    string
	NilArgs    bool        // a pointer, map, function or interface given was nil
	Components []Component // results, then arguments that the call may have changed
}

// Component is a part of what can be seen of a step.
type Component struct {
	Visible, Hidden uint32
}

var errInvalid = errors.New("cannot be built")

// run executes a program.
func (m *machine) run(p Program) Trace {
	probe.Clear()
	probe.Reseed()
	m.vars, m.aside = m.vars[:0], m.aside[:0]
	var t Trace
	hidden := uint64(0)
	t.Steps = make([]StepTrace, 0, len(p))
	for _, s := range p {
		st, err := m.step(s)
		if err != nil {
			t.Invalid = true
			break
		}
		for _, c := range st.Components {
			hidden = probe.Mix(hidden, uint64(c.Hidden))
		}
		t.Steps = append(t.Steps, st)
		if st.Ending != probe.Returned {
			break
		}
	}
	if t.Entered = probe.EnteredChange(); t.Entered {
		for _, k := range probe.EnteredChanges() {
			m.noteEntered(k)
		}
	}
	if m.cover != nil {
		t.Branch, t.Fresh = m.cover.Add()
	}
	// Looking must not count as taking branches.
	if len(t.Steps) == len(p) && len(p) > 1 && t.Steps[len(p)-1].Ending == probe.Returned {
		t.After = m.after(p)
		for _, c := range t.After {
			hidden = probe.Mix(hidden, uint64(c.Hidden))
		}
	}
	t.Hidden = uint32(hidden ^ hidden>>32)
	return t
}

// nilGiven reports whether an argument is nil where a value is expected; an empty
// slice is a value, and no error is one too.
func nilGiven(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Interface, reflect.Chan:
		return v.IsNil() && v.Type() != errorType
	}
	return false
}

// noteEntered counts the programs that executed a member of Δ.
func (m *machine) noteEntered(k int) {
	for len(m.entered) <= k {
		m.entered = append(m.entered, 0)
	}
	m.entered[k]++
}

// step runs one step.
func (m *machine) step(s Step) (StepTrace, error) {
	var st StepTrace
	if s.Op < 0 || s.Op >= len(m.Ops) {
		return st, errInvalid
	}
	op := &m.Ops[s.Op]
	if op.builtin != none {
		return st, m.builtin(op.builtin, s)
	}
	if op.excluded {
		return st, errInvalid
	}
	if op.Variable {
		m.vars = append(m.vars, []reflect.Value{op.Fn.Elem()})
		m.aside = append(m.aside, nil)
		st.Components = append(st.Components, component(op.Fn.Elem()))
		return st, nil
	}
	if len(s.Args) != len(op.In) {
		return st, errInvalid
	}
	args := make([]reflect.Value, len(s.Args))
	for i, a := range s.Args {
		v, err := m.build(a, op.In[i])
		if err != nil {
			return st, err
		}
		args[i] = v
		st.NilArgs = st.NilArgs || nilGiven(v)
	}
	var out []reflect.Value
	fuel := m.fuel
	if fuel == 0 {
		fuel = callFuel
	}
	st.Ending, st.Message, _ = probe.Guard(fuel, func() {
		if op.Variadic {
			out = op.Fn.CallSlice(args)
		} else {
			out = op.Fn.Call(args)
		}
	})
	m.vars = append(m.vars, out)
	m.aside = append(m.aside, args)
	if st.Ending != probe.Returned {
		return st, nil
	}
	for _, v := range out {
		st.Components = append(st.Components, component(v))
	}
	for i, v := range args {
		if changeable(op.In[i]) {
			st.Components = append(st.Components, component(v))
		}
	}
	return st, nil
}

// componentName names component i of a step of op, for people.
func (op *Op) componentName(i int) (name string, result, arg int) {
	if i < len(op.Out) {
		return resultName(op, i), i, -1
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
	return "?", -1, -1
}

var errorType = reflect.TypeOf((*error)(nil)).Elem()

func resultName(op *Op, i int) string {
	switch {
	case op.Out[i] == errorType:
		return "error"
	case len(op.Out) == 1 || len(op.Out) == 2 && op.Out[1] == errorType:
		return "result"
	}
	return fmt.Sprintf("result %d", i+1)
}

func component(v reflect.Value) Component {
	var a, b uint64
	// Error and String are the module's own: they may not end either.
	if e, _, _ := probe.Guard(callFuel, func() { a, b = probe.Digest(v) }); e != probe.Returned {
		a, b = uint64(e), uint64(e)
	}
	return Component{uint32(a ^ a>>32), uint32(b ^ b>>32)}
}

// changeable reports whether a call can change what an argument of type t shows.
func changeable(t reflect.Type) bool {
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
func (m *machine) after(p Program) []Component {
	var out []Component
	for i := range p {
		if i == len(p)-1 {
			break // has been looked at just now
		}
		for _, v := range m.vars[i] {
			if v.IsValid() && changeable(v.Type()) {
				out = append(out, component(v))
			}
		}
	}
	return out
}

// afterOf returns the step and the result that component i of After is.
func (r *Registry) afterOf(p Program, i int) (step, result int) {
	for k, s := range p {
		if k == len(p)-1 {
			break
		}
		for j, t := range r.outs(s) {
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

// outs are the types of a step's results.
func (r *Registry) outs(s Step) []reflect.Type {
	if s.Op < 0 || s.Op >= len(r.Ops) {
		return nil
	}
	op := &r.Ops[s.Op]
	if op.builtin == let && len(s.Args) == 1 && s.Args[0].Form == Dynamic && s.Args[0].T < len(r.Types) {
		return []reflect.Type{r.Types[s.Args[0].T]}
	}
	return op.Out
}

func (m *machine) builtin(b builtin, s Step) error {
	switch b {
	case let:
		if len(s.Args) != 1 || s.Args[0].Form != Dynamic || s.Args[0].T >= len(m.Types) || len(s.Args[0].E) != 1 {
			return errInvalid
		}
		t := m.Types[s.Args[0].T]
		v, err := m.build(s.Args[0].E[0], t)
		if err != nil {
			return err
		}
		// A place of its own.
		at := reflect.New(t).Elem()
		at.Set(v)
		m.vars = append(m.vars, []reflect.Value{at})
		m.aside = append(m.aside, nil)
		return nil
	}
	if len(s.Args) != 2 {
		return errInvalid
	}
	v, ok := m.ref(s.Args[0])
	if !ok {
		return errInvalid
	}
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	// The first row of a slice of slices is the more telling place.
	for v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() == reflect.Slice {
		v = v.Index(0)
	}
	if v.Kind() != reflect.Slice || b == write && v.Len() == 0 {
		return errInvalid
	}
	e, err := m.build(s.Args[1], v.Type().Elem())
	if err != nil {
		return err
	}
	if b == write {
		v.Index(0).Set(e)
	} else {
		reflect.Append(v, e)
	}
	m.vars = append(m.vars, nil)
	m.aside = append(m.aside, nil)
	return nil
}

func (m *machine) ref(l Lit) (reflect.Value, bool) {
	if l.Form != Ref || l.N < 0 || int(l.N) >= len(m.vars) || l.U >= len(m.vars[l.N]) {
		return reflect.Value{}, false
	}
	v := m.vars[l.N][l.U]
	return v, v.IsValid()
}

// build makes the value of type t that l writes down.
func (m *machine) build(l Lit, t reflect.Type) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	if err := m.fill(v, l); err != nil {
		return v, err
	}
	return v, nil
}

func (m *machine) fill(v reflect.Value, l Lit) error {
	t := v.Type()
	switch l.Form {
	case Zero:
		return nil
	case Ref:
		x, ok := m.ref(l)
		if !ok {
			return errInvalid
		}
		return assign(v, x)
	case Special:
		x, err := m.special(l, t)
		if err != nil {
			return err
		}
		return assign(v, x)
	case Dynamic:
		if t.Kind() != reflect.Interface || l.T >= len(m.Types) || len(l.E) != 1 {
			return errInvalid
		}
		x, err := m.build(l.E[0], m.Types[l.T])
		if err != nil {
			return err
		}
		return assign(v, x)
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(l.N != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(l.N)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(l.N))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(l.float())
	case reflect.Complex64, reflect.Complex128:
		if len(l.E) != 2 {
			return errInvalid
		}
		v.SetComplex(complex(l.E[0].float(), l.E[1].float()))
	case reflect.String:
		if l.Form != Text {
			return errInvalid
		}
		v.SetString(l.S)
	case reflect.Slice:
		return m.fillSlice(v, l)
	case reflect.Array:
		if l.Form != Seq {
			return errInvalid
		}
		for i := 0; i < len(l.E) && i < v.Len(); i++ {
			if err := m.fill(v.Index(i), l.E[i]); err != nil {
				return err
			}
		}
	case reflect.Map:
		if l.Form != Map {
			return errInvalid
		}
		v.Set(reflect.MakeMap(t))
		for i := 0; i+1 < len(l.E); i += 2 {
			k, err := m.build(l.E[i], t.Key())
			if err != nil {
				return err
			}
			if !hashable(k) {
				return errInvalid
			}
			e, err := m.build(l.E[i+1], t.Elem())
			if err != nil {
				return err
			}
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		if l.Form != Struct {
			return errInvalid
		}
		for i := 0; i < len(l.E) && i < m.fields(t); i++ {
			k := m.field(t, i)
			if l.E[i].Form == Zero || !t.Field(k).IsExported() {
				continue
			}
			if err := m.fill(v.Field(k), l.E[i]); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if l.Form != Pointer || len(l.E) != 1 {
			return errInvalid
		}
		v.Set(reflect.New(t.Elem()))
		return m.fill(v.Elem(), l.E[0])
	default:
		return errInvalid
	}
	return nil
}

func (m *machine) fillSlice(v reflect.Value, l Lit) error {
	switch {
	case l.Form == Text && v.Type().Elem().Kind() == reflect.Uint8:
		v.SetBytes([]byte(l.S))
		return nil
	case l.Form != Seq || len(l.E) > maxElement:
		return errInvalid
	}
	v.Set(reflect.MakeSlice(v.Type(), len(l.E), len(l.E)))
	for i := range l.E {
		if err := m.fill(v.Index(i), l.E[i]); err != nil {
			return err
		}
	}
	return nil
}

// assign sets v to x, also where only one of value and pointer fits.
func assign(v, x reflect.Value) error {
	switch {
	case !x.IsValid():
		return errInvalid
	case x.Type().AssignableTo(v.Type()):
		v.Set(x)
	case x.Kind() == reflect.Interface && !x.IsNil() && x.Elem().Type().AssignableTo(v.Type()):
		v.Set(x.Elem())
	case v.Kind() == reflect.Pointer && x.CanAddr() && x.Addr().Type().AssignableTo(v.Type()):
		v.Set(x.Addr())
	case v.Kind() == reflect.Pointer && x.Type().AssignableTo(v.Type().Elem()):
		v.Set(reflect.New(v.Type().Elem()))
		v.Elem().Set(x)
	case x.Kind() == reflect.Pointer && !x.IsNil() && copies(x.Type().Elem(), v.Type()):
		v.Set(x.Elem())
	default:
		return errInvalid
	}
	return nil
}

// fits reports whether assign can work between the types.
func fits(to, from reflect.Type) bool {
	return from.AssignableTo(to) ||
		to.Kind() == reflect.Pointer && from.AssignableTo(to.Elem()) && to.Elem().Kind() != reflect.Interface ||
		from.Kind() == reflect.Pointer && to.Kind() != reflect.Interface && copies(from.Elem(), to)
}

// copies reports whether what a pointer points to may be copied to a value of type
// to. A struct with hidden state is not copied from behind a pointer: its
// author gave out pointers so that nobody does.
func copies(from, to reflect.Type) bool { return from.AssignableTo(to) && !opaque(from) }

func hashable(v reflect.Value) bool {
	for v.Kind() == reflect.Interface {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	return v.Comparable()
}

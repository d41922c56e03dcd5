//go:build go1.21

package harness

import (
	"encoding/json"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

func (s *server) explain(payload []byte) {
	var q wire.Question
	var a wire.Answer
	if json.Unmarshal(payload, &q) != nil {
		s.json(a)
		return
	}
	p, _, err := wire.Decode(q.Sequence)
	if err != nil {
		a.Invalid = true
		s.json(a)
		return
	}
	whole := q.Place != nil && !q.Brief
	var branches, last []int
	if whole {
		last = s.m.enteredLast(p)
		s.m.Run(p)
		branches = probe.CoveredBranches()
	}
	a.Invalid = true
	// In one test, for cleanups change what is looked at here.
	s.m.InTest(p, func() {
		a = s.m.explain(p)
		if q.Place != nil {
			a.Leaves = s.m.leavesAt(p, *q.Place)
		}
	})
	if whole {
		a.Branches, a.Last = branches, last
	}
	if whole && s.describe != nil {
		s.describe(s.m.Registry, p, *q.Place, &a)
	}
	s.json(a)
}

// enteredLast runs a sequence without looking at what its steps give, and returns the members of Δ that the
// last one executes.
func (m *Machine) enteredLast(p wire.Sequence) (entered []int) {
	m.InTest(p, func() {
		if m.before(p) {
			_, _ = m.invoke(p[len(p)-1])
			entered = probe.EnteredChanges()
		}
	})
	return entered
}

// explain runs a sequence and tells what each step showed.
func (m *Machine) explain(p wire.Sequence) wire.Answer {
	before := unrouted()
	t := m.Run(p)
	a := wire.Answer{Invalid: t.Invalid, Drew: m.drew, Sent: unrouted() != before}
	entered := probe.EnteredChanges()
	for _, b := range m.near {
		if probe.Took(b) {
			a.Branches = append(a.Branches, b)
		}
	}
	// Values are looked at now, when all steps are through: what a later step
	// changed shows as it is then. So the steps are told one by one.
	for n := range t.Steps {
		probe.LocatePanics(t.Steps[n].Ending == probe.Panicked)
		m.Run(p[:n+1])
		st := t.Steps[n]
		sa := wire.StepAnswer{Op: m.Ops[p[n].Op].Name, Ending: int(st.Ending), Message: m.labelled(st.Message), NilArgs: st.NilArgs, At: probe.PanickedAt()}
		probe.LocatePanics(false)
		op := &m.Ops[p[n].Op]
		status, exits := probe.ExitStatus(st.Message)
		if st.Ending == probe.Returned || exits {
			for i := range st.Components {
				name, result, arg := op.ComponentName(i)
				v := wire.ValueAnswer{Name: name, Step: n, Result: result, Arg: arg}
				switch {
				case op.IsExitStatus(i):
					explainValue(&v, reflect.ValueOf(status))
				case result >= 0 && result < len(m.Vars[n]):
					explainValue(&v, m.Vars[n][result])
				case arg >= 0 && arg < len(m.Args[n]):
					explainValue(&v, m.Args[n][arg])
				case op.Stream(i) >= 0:
					v.Printed = true
					explainValue(&v, reflect.ValueOf(probe.NormalOutput(op.Stream(i), m.Printed[n][op.Stream(i)])))
				}
				sa.Components = append(sa.Components, v)
			}
		}
		a.Steps = append(a.Steps, sa)
	}
	a.Entered = entered
	for i := range t.After {
		step, result := m.AfterOf(p, i)
		v := wire.ValueAnswer{Name: "value", Step: step, Result: result, Arg: -1}
		if step >= 0 {
			explainValue(&v, m.Vars[step][result])
		}
		a.After = append(a.After, v)
	}
	return a
}

// leavesAt runs a sequence and returns what the value at a place is made of.
func (m *Machine) leavesAt(p wire.Sequence, at wire.Place) []wire.Leaf {
	if stream, text := m.printedAt(p, at); stream >= 0 {
		return printedLeaves(probe.NormalOutput(stream, text))
	}
	if v := m.at(p, at); v.IsValid() {
		return leavesOf(v)
	}
	return nil
}

// at runs a sequence and returns the value at a place, the zero one where there is none.
func (m *Machine) at(p wire.Sequence, at wire.Place) reflect.Value {
	if t := m.Run(p); t.Invalid || at.Step < 0 || at.Step >= len(t.Steps) {
		return reflect.Value{}
	}
	step, result, arg := at.Step, -1, -1
	switch at.Kind {
	case wire.AtAfter:
		step, result = m.AfterOf(p, at.Index)
	case wire.AtComponent:
		_, result, arg = m.Ops[p[step].Op].ComponentName(at.Index)
	}
	switch {
	case step < 0 || step >= len(m.Vars):
	case result >= 0 && result < len(m.Vars[step]):
		return m.Vars[step][result]
	case arg >= 0 && step < len(m.Args) && arg < len(m.Args[step]):
		return m.Args[step][arg]
	}
	return reflect.Value{}
}

// printedAt runs a sequence and returns what was written to the stream that a place is
// about, which is -1 for none.
func (m *Machine) printedAt(p wire.Sequence, at wire.Place) (stream int, text string) {
	if at.Kind != wire.AtComponent || at.Step < 0 || at.Step >= len(p) || !m.Has(p[at.Step].Op) {
		return -1, ""
	}
	stream = m.Ops[p[at.Step].Op].Stream(at.Index)
	if stream < 0 {
		return -1, ""
	}
	if t := m.Run(p[:at.Step+1]); t.Invalid || len(t.Steps) <= at.Step {
		return -1, ""
	}
	return stream, m.Printed[at.Step][stream]
}

// explainValue says what a value looks like.
func explainValue(v *wire.ValueAnswer, x reflect.Value) {
	text, category := probe.Render(x)
	v.Text, v.Category = text, string(category)
	if x.IsValid() {
		v.Type = x.Type().String()
	}
}

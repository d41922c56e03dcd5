//go:build go1.21

package harness

import (
	"encoding/json"
	"fmt"
	"reflect"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Question asks for one program in detail; where Place is given, also for the
// program as Go source and for the ways to look at the place.
type Question struct {
	Program []byte
	Place   *Place
}

// Answer tells what it did.
type Answer struct {
	Invalid bool
	Steps   []StepAnswer
	After   []ValueAnswer
	Entered []int // members of Δ
	// Branches taken, and Code and Views, answer a question with a place;
	// NoCode says why there is none.
	Branches []int
	Code     Code
	Views    Views
	NoCode   string
}

// StepAnswer is one step.
type StepAnswer struct {
	Op         string
	Ending     int
	Message    string
	NilArgs    bool // see StepTrace
	Components []ValueAnswer
}

// ValueAnswer is one component.
type ValueAnswer struct {
	Name         string
	Step, Result int // where it can be found again: a result of a step, or
	Arg          int // an argument of it; -1 for none
	Text         string
	Category     string // e: an error, n: nil, z: empty, v: any other value
	Type         string
}

func (s *server) explain(payload []byte) {
	var q Question
	var a Answer
	if json.Unmarshal(payload, &q) != nil {
		s.json(a)
		return
	}
	p, _, err := Decode(q.Program)
	if err != nil {
		a.Invalid = true
		s.json(a)
		return
	}
	var branches []int
	if q.Place != nil {
		s.m.run(p)
		branches = probe.CoveredBranches()
	}
	a = s.m.explain(p)
	a.Branches = branches
	if q.Place != nil {
		a.describe(s.m.Registry, p, *q.Place)
	}
	s.json(a)
}

func (a *Answer) describe(r *Registry, p Program, at Place) {
	defer func() {
		if e := recover(); e != nil {
			a.NoCode = fmt.Sprint(e)
		}
	}()
	var err error
	if a.Code, err = r.Source(p, at); err == nil {
		a.Views, err = r.Views(p, at)
	}
	if err != nil {
		a.NoCode = err.Error()
	}
}

// explain runs a program and tells what each step showed.
func (m *machine) explain(p Program) Answer {
	t := m.run(p)
	a := Answer{Invalid: t.Invalid}
	entered := probe.EnteredChanges()
	// Values are looked at now, when all steps are through: what a later step
	// changed shows as it is then. So the steps are told one by one.
	for n := range t.Steps {
		m.run(p[:n+1])
		st := t.Steps[n]
		sa := StepAnswer{Op: m.Ops[p[n].Op].Name, Ending: int(st.Ending), Message: st.Message, NilArgs: st.NilArgs}
		op := &m.Ops[p[n].Op]
		if st.Ending == probe.Returned {
			for i := range st.Components {
				name, result, arg := op.componentName(i)
				v := ValueAnswer{Name: name, Step: n, Result: result, Arg: arg}
				switch {
				case result >= 0 && result < len(m.vars[n]):
					v.tell(m.vars[n][result])
				case arg >= 0 && arg < len(m.aside[n]):
					v.tell(m.aside[n][arg])
				}
				sa.Components = append(sa.Components, v)
			}
		}
		a.Steps = append(a.Steps, sa)
	}
	a.Entered = entered
	for i := range t.After {
		step, result := m.afterOf(p, i)
		v := ValueAnswer{Name: "value", Step: step, Result: result, Arg: -1}
		if step >= 0 {
			v.tell(m.vars[step][result])
		}
		a.After = append(a.After, v)
	}
	return a
}

func (v *ValueAnswer) tell(x reflect.Value) {
	text, category := probe.Render(x)
	v.Text, v.Category = text, string(category)
	if x.IsValid() {
		v.Type = x.Type().String()
	}
}

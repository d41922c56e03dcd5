//go:build go1.21

package harness

import (
	"reflect"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// An answer with values ends, however many sequences are left, after so much processor
// time, or with so many bytes. The parent asks again for those left.
const (
	valuesTime  = 200 * time.Millisecond
	valuesBytes = 8 << 20
)

// values answers with what the last step of each sequence gives.
func (s *server) values(payload []byte) {
	q, err := wire.DecodeValues(payload)
	if err != nil {
		return
	}
	over := timeOver(valuesTime)
	for _, p := range q.Sequences {
		if over() || len(s.buf) > valuesBytes {
			return
		}
		s.noteDown(p)
		v := s.m.values(p, q.Negate)
		s.buf = v.Encode(s.buf)
	}
}

// values runs a sequence as Run does, but for looking at what its steps give, and tells
// what the last one gave; the conditions are negated while that one runs. What it executes
// counts nowhere: with a condition negated it is not what the program does.
func (m *Machine) values(p wire.Sequence, negate []int) (v wire.Valued) {
	m.InTest(p, func() { v = m.valuesIn(p, negate) })
	return v
}

func (m *Machine) valuesIn(p wire.Sequence, negate []int) wire.Valued {
	if !m.before(p) {
		return wire.Valued{}
	}
	last := len(p) - 1
	restore := probe.Negate(negate)
	drew := probe.Drew()
	st, err := m.invoke(p[last])
	restore()
	if err != nil {
		return wire.Valued{}
	}
	v := wire.Valued{Ran: true, Ending: st.Ending, Drew: drew(), Branches: probe.CoveredBranches()}
	if st.Ending != probe.Returned {
		return v
	}
	for i, a := range m.Args[last] {
		l := hole
		if changeable(m.Ops[p[last].Op].In[i]) || p[last].Args[i].RefersBack() {
			l = m.written(a)
		}
		v.Args = append(v.Args, l)
	}
	for _, r := range m.Vars[last] {
		v.Results = append(v.Results, m.written(r))
	}
	return v
}

// before runs all steps of a sequence but the last one, and reports whether they return. What they execute
// is forgotten.
func (m *Machine) before(p wire.Sequence) bool {
	if len(p) == 0 {
		return false
	}
	probe.Clear()
	Restore()
	m.RemoveFolders()
	m.stopWaiting()
	m.Vars, m.Args = m.Vars[:0], m.Args[:0]
	for _, s := range p[:len(p)-1] {
		if st, err := m.invoke(s); err != nil || st.Ending != probe.Returned {
			return false
		}
	}
	probe.Clear()
	return true
}

// written writes one value down.
func (r *Registry) written(v reflect.Value) wire.Lit {
	w := valueWriter{Registry: r}
	return w.value(v, 0)
}

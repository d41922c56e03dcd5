//go:build go1.21

package harness

import (
	"encoding/json"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

type relationEntry struct {
	op    wire.Op
	group reflect.Value
}

// Relation registers the groups of a relation of the function name; group takes
// a *Group and the parameters of the operation, the receiver first.
func Relation(name, id string, group any) {
	if op := registry.taking(name, reflect.TypeOf(group)); op >= 0 {
		registry.relations[id] = relationEntry{op, reflect.ValueOf(group)}
	}
}

// Choices registers which declared choices an input of a function is of.
func Choices(name string, group any) {
	if op := registry.taking(name, reflect.TypeOf(group)); op >= 0 {
		registry.choices[op] = relationEntry{op, reflect.ValueOf(group)}
	}
}

// taking is the number of the function's operation whose parameters a closure
// has behind its first; -1 if there is none.
func (r *Registry) taking(name string, group reflect.Type) wire.Op {
	for i := wire.Builtins; i < r.end(); i++ {
		op := &r.Ops[i]
		same := op.Name == name && !op.Variable && len(op.In) == group.NumIn()-1
		for k := 0; same && k < len(op.In); k++ {
			same = op.In[k] == group.In(k+1)
		}
		if same {
			return i
		}
	}
	return -1
}

func (s *server) relate(payload []byte) {
	var q wire.RelateQuestion
	var a wire.RelateAnswer
	if json.Unmarshal(payload, &q) == nil {
		for _, b := range q.Sequences {
			p, _, err := wire.Decode(b)
			if err != nil || len(p) == 0 {
				a.Rows = append(a.Rows, wire.RelatedRow{})
				continue
			}
			s.noteDown(p)
			a.Rows = append(a.Rows, s.m.relate(p, q))
		}
	}
	s.json(a)
}

// relate runs the source sequence and a group for each relation.
func (m *Machine) relate(p wire.Sequence, q wire.RelateQuestion) wire.RelatedRow {
	var row wire.RelatedRow
	verdicts := make([]byte, len(q.Relations))
	for i := range verdicts {
		verdicts[i] = wire.GroupSkipped
	}
	defer func() { row.Verdicts = string(verdicts) }()
	t := m.Run(p)
	row.Branches = probe.CoveredBranches()
	last := len(p) - 1
	if t.Invalid || len(t.Steps) <= last || t.Steps[last].Ending != probe.Returned || p[last].Op.Builtin() {
		row.Verdicts = string(verdicts)
		return row
	}
	row.Ended = true
	row.Gives = gives(m.Vars[last])
	for _, c := range m.telling(t.Steps[last].Components, last) {
		row.Output = uint32(probe.Mix(uint64(row.Output), uint64(c.Visible)))
	}
	if q.Choices {
		if c, ok := m.choices[p[last].Op]; ok {
			g, _ := m.group(p, c.group)
			row.Chosen = g.chosen
		}
	}
	for i, id := range q.Relations {
		var texts []wire.CallText
		r, ok := m.relations[id]
		if ok && r.op == p[last].Op {
			g, v := m.group(p, r.group)
			verdicts[i] = v
			if q.FollowUps && v != wire.GroupSkipped {
				row.FollowUps = append(row.FollowUps, m.followUps(p, g)...)
			}
			if q.Calls {
				texts = m.callTexts(g, v)
			}
		}
		if q.Calls {
			row.Calls = append(row.Calls, texts)
		}
	}
	row.Verdicts = string(verdicts)
	return row
}

// telling are the components of a step that tell what it gave: its results, or all where it
// has none but an error. An argument differs from call to call, whatever the function does.
func (m *Machine) telling(all []wire.Component, step int) []wire.Component {
	for _, v := range m.Vars[step] {
		if v.IsValid() && v.Type() != errorType {
			return all[:len(m.Vars[step])]
		}
	}
	return all
}

// gives reports whether results hold a value: no error, and no false that says of another
// result that it is none.
func gives(results []reflect.Value) bool {
	n := len(results)
	if n == 0 {
		return true
	}
	switch v := results[n-1]; {
	case v.Type() == errorType:
		return v.IsNil()
	case v.Kind() == reflect.Bool:
		return n == 1 || v.Bool()
	}
	return true
}

// group runs the steps in front of the source call and then one group.
func (m *Machine) group(p wire.Sequence, closure reflect.Value) (*Group, byte) {
	g := &Group{}
	last := len(p) - 1
	args := []reflect.Value{reflect.ValueOf(g)}
	if m.Run(p[:last]).Invalid {
		return g, wire.GroupSkipped
	}
	op := &m.Ops[p[last].Op]
	for k, l := range p[last].Args {
		v, err := m.Build(l, op.In[k])
		if err != nil {
			return g, wire.GroupSkipped
		}
		args = append(args, v)
	}
	Restore()
	fuel := m.fuel
	if fuel == 0 {
		fuel = CallFuel
	}
	copied := true
	ending, _, _ := probe.Guard(groupFuel*fuel, func() {
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(noCopy); ok {
					copied = false
					return
				}
				panic(r)
			}
		}()
		closure.Call(args)
	})
	switch {
	case !copied || g.skip != "":
		return g, wire.GroupSkipped
	case ending == probe.Exhausted:
		return g, wire.GroupEndless
	case ending == probe.Panicked && g.open:
		return g, wire.GroupPanics
	case ending == probe.Panicked || !g.said: // in an expression of the relation
		return g, wire.GroupSkipped
	case !g.holds:
		return g, wire.GroupFails
	case g.trivial():
		return g, wire.GroupTrivial
	}
	return g, wire.GroupHolds
}

// groupFuel: a group has more than one call.
const groupFuel = 4

// trivial reports whether all calls were given the same, or what they gave is such that the
// relation says no more than that it is equal.
func (g *Group) trivial() bool {
	if g.idle {
		return true
	}
	for i, c := range g.calls {
		if i > 0 && !sameArgs(g.calls[0].args, c.args) {
			return false
		}
	}
	return len(g.calls) > 1
}

func sameArgs(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if reflect.TypeOf(a[i]) != reflect.TypeOf(b[i]) || component(reflect.ValueOf(a[i])) != component(reflect.ValueOf(b[i])) {
			return false
		}
	}
	return true
}

// followUps are sequences that make the further calls of the operation.
func (m *Machine) followUps(p wire.Sequence, g *Group) [][]byte {
	last := len(p) - 1
	op := &m.Ops[p[last].Op]
	var out [][]byte
	for i, c := range g.calls {
		if i == 0 || len(c.args) != len(op.In) || sameArgs(c.args, g.calls[0].args) {
			continue
		}
		q := p[:last:last].Clone()
		step := wire.Step{Op: p[last].Op}
		whole := true
		for k, a := range c.args {
			// What comes from an earlier step stays: the relation only copied it.
			if p[last].Args[k].Form == wire.Ref && component(reflect.ValueOf(a)) == component(reflect.ValueOf(g.calls[0].args[k])) {
				step.Args = append(step.Args, p[last].Args[k])
				continue
			}
			if a != nil && reflect.TypeOf(a) != op.In[k] && op.In[k].Kind() != reflect.Interface {
				whole = false // a call of another function
				break
			}
			l := m.literal(a, op.In[k])
			whole = whole && l.Form != wire.Hole
			step.Args = append(step.Args, l)
		}
		if whole {
			out = append(out, append(q, step).Encode(nil))
		}
	}
	return out
}

func (m *Machine) callTexts(g *Group, verdict byte) []wire.CallText {
	text := func(list []any) []string {
		var out []string
		for _, v := range list {
			var s string
			if e, _, _ := probe.Guard(CallFuel, func() { s, _ = probe.Render(reflect.ValueOf(v)) }); e != probe.Returned {
				s = "…"
			}
			out = append(out, s)
		}
		return out
	}
	var out []wire.CallText
	for _, c := range g.calls {
		t := wire.CallText{Args: text(c.args), Results: text(c.results)}
		for _, v := range c.results {
			t.Leaves = append(t.Leaves, leavesOf(reflect.ValueOf(v)))
		}
		out = append(out, t)
	}
	switch verdict {
	case wire.GroupPanics:
		out = append(out, wire.CallText{Ending: "panics"})
	case wire.GroupEndless:
		out = append(out, wire.CallText{Ending: "does not end"})
	}
	return out
}

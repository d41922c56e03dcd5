package check

import (
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// shape is what a function takes and gives, cut into cells. What has no kind is seen
// through observers: methods without parameters that change nothing.
//
// A row of a table has the cells of the source input, what the receiver shows before the
// call, the cells of the follow-up input, what the source call gives, and what the
// follow-up call gives. What a call gives are the cells of its results, whether it
// failed, what its results show, and what the receiver shows afterwards. A row about one
// call has no follow-up.
type shape struct {
	op      wire.Op
	subject *relation.Subject
	params  []string // names, the receiver's first
	in      []cell
	out     []cell     // of results
	fails   bool       // the last result is an error; where it is one, the others say nothing
	state   []observer // of the receiver, before the call
	after   []observer // of the receiver, after the call
	shown   []observer // of results
	own     evidence   // whose branches on base are kept of each call
}

// observer is a method that tells something of a value.
type observer struct {
	op   wire.Op
	name string
	at   int // number of the result that it looks at
	typ  types.Type
	kind law.Kind
}

// shapeOf returns the shape of a function without observers; false where there is nothing
// to see of what it takes.
func shapeOf(op wire.Op, s *relation.Subject) (*shape, bool) {
	h := &shape{op: op, subject: s}
	sig := s.Sig
	if sig.Variadic() || sig.Params().Len() == 0 {
		return nil, false
	}
	for i, p := range relation.NewFrame(s).Params {
		h.params = append(h.params, p.Name)
		h.in = append(h.in, cellsOf(i, sig.Params().At(i).Type(), false)...)
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if i == sig.Results().Len()-1 && types.Identical(t, types.Universe.Lookup("error").Type()) {
			h.fails = true
			continue
		}
		h.out = append(h.out, cellsOf(i, t, true)...)
	}
	return h, len(h.in) > 0 || s.Receiver
}

// tells reports whether there is anything to see of what a call gives.
func (h *shape) tells() bool { return h.outputs() > 0 }

// outputs is how many columns one call gives.
func (h *shape) outputs() int {
	n := len(h.out) + len(h.shown) + len(h.after)
	if h.fails {
		n++
	}
	return n
}

// leastOutputs is how many different outputs a relation has to hold for before it is
// believed.
func (h *shape) leastOutputs() int {
	all, _, _ := h.variables(nil)
	for _, v := range all[len(all)-h.outputs():] {
		if v.Kind != law.Bool {
			return minOutputs
		}
	}
	return min(minOutputs, 1<<h.outputs())
}

// minStates is how many different objects, by what they show, a relation of a method has to
// hold for where calls made the objects: of empty ones much is true.
const minStates = 3

// leastStates is that number for a function; an object whose fields are cells is different
// from call to call.
func (h *shape) leastStates() int {
	if len(h.state) == 0 || slices.ContainsFunc(h.in, func(c cell) bool { return c.at == 0 }) {
		return 0
	}
	if slices.ContainsFunc(h.state, func(o observer) bool { return o.kind != law.Bool }) {
		return minStates
	}
	return 2
}

// observation is what was seen of one call: what the receiver shows before, and what the
// call gives, nil for what is not known.
type observation struct {
	before, out []any
	branches    []int // of the function, on base
	gives       bool  // neither an error nor a false behind what it gives
}

// sequences are the runs by which a call is observed.
func (h *shape) sequences(p wire.Sequence) []wire.Sequence {
	last := len(p) - 1
	list := []wire.Sequence{p}
	look := func(at wire.Sequence, o observer, of wire.Lit) {
		list = append(list, append(slices.Clone(at), wire.Step{Op: o.op, Args: []wire.Lit{of}}))
	}
	for _, o := range h.shown {
		look(p, o, wire.RefTo(last, o.at))
	}
	for _, o := range h.state {
		look(p[:last], o, p[last].Args[0])
	}
	for _, o := range h.after {
		if p[last].Args[0].Form == wire.Ref {
			look(p, o, p[last].Args[0])
		} else {
			list = append(list, nil) // it would be built anew
		}
	}
	return list
}

// observed reads what the runs of sequences gave, nil if the call did not return.
func (h *shape) observed(list []wire.Valued) *observation {
	call := list[0]
	if !call.Ran || call.Ending != probe.Returned {
		return nil
	}
	failed := h.fails && len(call.Results) > 0 && call.Results[len(call.Results)-1].Form != wire.Zero
	seen := observation{branches: h.own.of(call.Branches), gives: !failed && !saysNone(call.Results)}
	for _, c := range h.out {
		v := c.get(call.Results)
		if failed {
			v = nil
		}
		seen.out = append(seen.out, v)
	}
	if h.fails {
		seen.out = append(seen.out, failed)
	}
	list = list[1:]
	for i, o := range h.shown {
		v := o.shows(list[i])
		if failed {
			v = nil
		}
		seen.out = append(seen.out, v)
	}
	list = list[len(h.shown):]
	for i, o := range h.state {
		seen.before = append(seen.before, o.shows(list[i]))
	}
	list = list[len(h.state):]
	for i, o := range h.after {
		seen.out = append(seen.out, o.shows(list[i]))
	}
	return &seen
}

// saysNone reports whether the last of several results is false: of what stands before it,
// there is none.
func saysNone(results []wire.Lit) bool {
	n := len(results)
	return n > 1 && results[n-1].Form == wire.Bool && results[n-1].N == 0
}

// withoutIdle is the shape without the observers that tell nothing of the function: those
// of results that told the same each time, and those of the receiver that told the same
// after each call as before it. That a call leaves its receiver as it is, a template says.
func (h *shape) withoutIdle(seen map[string]*observation) *shape {
	out := *h
	out.shown, out.after = nil, nil
	firstAfter := h.outputs() - len(h.after)
	for i, o := range h.shown {
		var told any
		for _, x := range seen {
			if v := x.output(firstAfter - len(h.shown) + i); v != nil && told != nil && !law.EqualValues(v, told) {
				out.shown = append(out.shown, o)
				break
			} else if v != nil {
				told = v
			}
		}
	}
	for i, o := range h.after {
		for _, x := range seen {
			if v := x.output(firstAfter + i); v != nil && !law.EqualValues(x.before[i], v) {
				out.after = append(out.after, o)
				break
			}
		}
	}
	return &out
}

// output is one value that a call gives, nil for a call that did not return.
func (x *observation) output(i int) any {
	if x == nil {
		return nil
	}
	return x.out[i]
}

// shows is what an observer told, nil if it did not.
func (o observer) shows(v wire.Valued) any {
	if !v.Ran || v.Ending != probe.Returned || len(v.Results) != 1 {
		return nil
	}
	return valueOf(v.Results[0], o.kind)
}

// row puts a row together; follow is nil for a row about one call.
func (h *shape) row(source, follow []any, a, b *observation) []any {
	if b == nil {
		return slices.Concat(source, a.before, a.out)
	}
	return slices.Concat(source, a.before, follow, a.out, b.out)
}

// variables are the columns of a row: which of them are outputs, and which outputs are
// those of both calls. t is nil for rows about one call.
func (h *shape) variables(t *genetic.Transform) (all []law.Variable, outputs []int, twins [][2]int) {
	add := func(kind law.Kind, text string) int {
		all = append(all, law.Variable{Math: text, Go: text, Kind: kind})
		return len(all) - 1
	}
	names := h.names()
	for i, c := range h.in {
		add(c.kind, names[i])
	}
	for _, o := range h.state {
		add(o.kind, h.params[0]+"."+o.name+"()")
	}
	calls := [][]string{h.params}
	if t != nil {
		follow := t.Math(names)
		for i, c := range h.in {
			add(c.kind, follow[i])
		}
		calls = append(calls, h.arguments(names, follow))
	}
	for _, args := range calls {
		call := h.subject.Note(args)
		for _, c := range h.out {
			outputs = append(outputs, add(c.kind, c.math(call+h.subscript(c.at))))
		}
		if h.fails {
			outputs = append(outputs, add(law.Bool, "("+call+" fails)"))
		}
		for _, o := range h.shown {
			outputs = append(outputs, add(o.kind, call+h.subscript(o.at)+"."+o.name+"()"))
		}
		for _, o := range h.after {
			outputs = append(outputs, add(o.kind, "("+args[0]+"."+o.name+"() after "+call+")"))
		}
	}
	if n := h.outputs(); t != nil {
		for i := range n {
			twins = append(twins, [2]int{outputs[i], outputs[i+n]})
		}
	}
	return all, outputs, twins
}

// names are what the cells of an input are called.
func (h *shape) names() []string {
	var out []string
	for _, c := range h.in {
		out = append(out, h.params[c.at]+c.name)
	}
	return out
}

// arguments writes the arguments of a follow-up call whose cells are written as given.
func (h *shape) arguments(names, cells []string) []string {
	out := slices.Clone(h.params)
	changed := make([][]string, len(out))
	for i, c := range h.in {
		switch {
		case cells[i] == names[i]:
		case !c.isPart():
			out[c.at] = cells[i]
		default:
			changed[c.at] = append(changed[c.at], strings.TrimPrefix(c.name, ".")+" = "+cells[i])
		}
	}
	for i, list := range changed {
		if len(list) > 0 {
			out[i] += " with " + strings.Join(list, ", ")
		}
	}
	return out
}

// subscript tells results apart if there are several.
func (h *shape) subscript(result int) string {
	n := h.subject.Sig.Results().Len()
	if h.fails {
		n--
	}
	if n < 2 {
		return ""
	}
	return string([]rune("₁₂₃₄₅₆₇₈₉")[min(result, 8)])
}

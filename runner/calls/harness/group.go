//go:build go1.21

package harness

import "reflect"

// A Group is one metamorphic group under way: the closure that a generated file
// registers for a relation makes the source call and the follow-up calls, tells
// Begin and End of each, and says in the end whether the relation holds.
type Group struct {
	calls  []groupCall
	open   bool // between Begin and End
	skip   string
	said   bool
	holds  bool
	idle   bool        // if it holds, it says nothing but that the outputs are equal
	chosen [2][][2]int // input and output choices
}

type groupCall struct{ args, results []any }

// Skip says that the relation says nothing about this source input.
func (g *Group) Skip(reason string) { g.skip = reason }

// Begin says that the next call begins, the source call first: a panic until
// End is that call's.
func (g *Group) Begin() { g.open = true }

// End says that a call has returned, what it was given, and what it gave.
func (g *Group) End(args, results []any) {
	g.open = false
	g.calls = append(g.calls, groupCall{args, results})
}

// Holds reports whether the outputs are related as the relation wants.
func (g *Group) Holds(ok bool) { g.said, g.holds = true, ok }

// Idle reports to the group that what it says of its outputs, it says of any equal ones.
func (g *Group) Idle(yes bool) { g.idle = yes }

// Choose says that the source input is of this choice of a category.
func (g *Group) Choose(category, choice int) {
	g.chosen[0] = append(g.chosen[0], [2]int{category, choice})
}

// ChooseOut says that the source output is of this choice of a category.
func (g *Group) ChooseOut(category, choice int) {
	g.chosen[1] = append(g.chosen[1], [2]int{category, choice})
}

// noCopy ends a group whose inputs cannot be copied.
type noCopy struct{ reason string }

// Copy copies a value deeply, so that a call may change what it refers to. It
// ends the group as skipped where that cannot be done.
func Copy[T any](v T) T {
	t := reflect.TypeOf(&v).Elem()
	if !refers(t) {
		return v
	}
	s := look([]reflect.Value{reflect.ValueOf(&v).Elem()}, []reflect.Type{t})
	if s.reason != "" {
		panic(noCopy{s.reason})
	}
	out := s.copy()[0]
	p, ok := out.Addr().Interface().(*T)
	if !ok {
		panic(noCopy{"is not of its own type"})
	}
	return *p
}

package calls

import (
	"go/types"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Whether nil crashes is hardly ever part of what a function promises, unless the function asks for nil, or somebody gives
// it nil: that it crashes on head alone is then what users lose.

// nilGiven reports whether a sequence gives nil where a value is expected, or one version is
// given nil in the place of what the other does not take.
func (c *Search) nilGiven(p wire.Sequence) bool {
	return slices.ContainsFunc(p, func(s wire.Step) bool {
		for k, a := range s.Args {
			isNil := a.Form == wire.Zero
			if element(c.API.Op(s.Op).Parameter(k)) != nil { // the nil of a list is an empty one
				isNil = holdsNil(a)
			}
			if isNil && c.expectsValue(s.Op, k) {
				return true
			}
		}
		return c.API.Op(s.Op).SuppliesNil()
	})
}

// gotNil reports whether a call, or an earlier one, was passed nil where a value is expected. A failed constructor returns nil,
// and another constructor may keep it.
func (c *Search) gotNil(p wire.Sequence, a wire.Answer, step int) bool {
	for n, s := range a.Steps[:min(step+1, len(a.Steps), len(p))] {
		if slices.ContainsFunc(s.NilArgs, func(k int) bool { return c.expectsValue(p[n].Op, k) }) {
			return true
		}
	}
	return false
}

// element returns the type of a list's elements, nil for what is no list.
func element(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if list, ok := t.Underlying().(*types.Slice); ok {
		return list.Elem()
	}
	return nil
}

// expectsValue reports whether an operation expects a value as an argument, or as each element of a list: nil is none there.
func (c *Search) expectsValue(op wire.Op, k int) bool {
	o := c.API.Op(op)
	t := o.Parameter(k)
	if t == nil {
		return true
	}
	_, isStruct := t.Underlying().(*types.Struct)
	if of := element(t); of != nil {
		t = of
	}
	if !isStruct && !surface.MissesNil(t) {
		return false
	}
	return c.TakesNil == nil || o.Function == nil || !c.TakesNil(o.Function, k)
}

// GivesNil reports whether there is nil among the arguments of an operation, or in a list of what nil is none of.
func GivesNil(o surface.Operation, args []wire.Lit) bool {
	for k, a := range args {
		t := o.Parameter(k)
		of := element(t)
		if a.Form == wire.Zero && of == nil && !isMap(t) || surface.MissesNil(of) && holdsNil(a) {
			return true
		}
	}
	return false
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// holdsNil reports whether a list has nil in it.
func holdsNil(a wire.Lit) bool {
	return a.Form == wire.Seq && slices.ContainsFunc(a.E, func(e wire.Lit) bool { return e.Form == wire.Zero })
}

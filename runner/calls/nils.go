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
			if a.Form == wire.Zero && c.expectsValue(s.Op, k) {
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

// expectsValue reports whether an operation expects a value as an argument: nil is none there.
func (c *Search) expectsValue(op wire.Op, k int) bool {
	o := c.API.Op(op)
	t := o.Parameter(k)
	if t == nil {
		return true
	}
	if _, isStruct := t.Underlying().(*types.Struct); !isStruct && !surface.MissesNil(t) {
		return false
	}
	return c.TakesNil == nil || o.Function == nil || !c.TakesNil(o.Function, k)
}

// NilArguments reports whether there is nil among some arguments.
func NilArguments(args []wire.Lit) bool {
	return slices.ContainsFunc(args, func(a wire.Lit) bool { return a.Form == wire.Zero })
}

package surface

import (
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// maxRecipe bounds the steps of one recipe.
const maxRecipe = 16

// Recipes turns the calls recorded from a test into sequences. What was not
// plain is a hole, which is filled with the newest value that fits: in nearly
// all tests that is the value that was meant.
func (a *API) Recipes(recorded []byte) []wire.Sequence {
	records, err := wire.DecodeRecords(recorded)
	if err != nil {
		return nil
	}
	var out []wire.Sequence
	var p wire.Sequence
	for _, r := range records {
		op, args, ok := a.recorded(r)
		if !ok {
			continue
		}
		// A call without holes may be the beginning of something else.
		if len(p) >= maxRecipe {
			out = append(out, p)
			p = append(wire.Sequence(nil), p[len(p)/2:]...)
		}
		p = append(p, wire.Step{Op: op, Args: args})
	}
	if len(p) > 0 {
		out = append(out, p)
	}
	return out
}

// recorded finds the operation of a recorded call, and what it is given: of a function whose
// signature changed, a version may have been given more.
func (a *API) recorded(r wire.Record) (wire.Op, []wire.Lit, bool) {
	for n, o := range a.All() {
		if r.Hook >= 0 && o.hook == r.Hook && o.adapted != nil {
			args, ok := o.adapted.given(r.Args, len(o.params)-o.adapted.sig.Params().Len())
			return n, args, ok
		}
	}
	op, ok := a.Hooked(r.Hook, len(r.Args))
	return op, r.Args, ok
}

// Hooked finds the operation of a hook that takes so many arguments, the
// receiver counted.
func (a *API) Hooked(hook, args int) (wire.Op, bool) {
	if hook < 0 {
		return 0, false
	}
	for n, o := range a.All() {
		if o.hook == hook && len(o.params) == args {
			return n, true
		}
	}
	return 0, false
}

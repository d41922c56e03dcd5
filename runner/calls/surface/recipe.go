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
		op, ok := a.Hooked(r.Hook, len(r.Args))
		if !ok {
			continue
		}
		// A call without holes may be the beginning of something else.
		if len(p) >= maxRecipe {
			out = append(out, p)
			p = append(wire.Sequence(nil), p[len(p)/2:]...)
		}
		p = append(p, wire.Step{Op: op, Args: r.Args})
	}
	if len(p) > 0 {
		out = append(out, p)
	}
	return out
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

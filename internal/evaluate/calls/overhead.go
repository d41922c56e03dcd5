package calls

import (
	"context"

	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// overhead is the processor time of a subject's suite, instrumented, with
// hooks and harness that are off, as a multiple of that without them.
func (w *evaluation) overhead(ctx context.Context, seeded *rig.Rig) (float64, error) {
	// With the distribution's own run time, as users' suites have it.
	var binaries [2]string
	for i, calls := range []bool{false, true} {
		r, err := w.Rig(ctx, seeded.Tree, rig.Rigging{Calls: calls})
		if err != nil {
			return 0, err
		}
		binaries[i] = r.Binary
	}
	c, err := w.Cost(ctx, binaries, seeded.Tree.Packages[0].Dir, seeded.Pattern(false))
	return c.Ratio, err
}

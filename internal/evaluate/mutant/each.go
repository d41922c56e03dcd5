package mutant

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// Each tries all mutants, up to rig.Workers at a time, and gives try the index of
// each. The first error, with the mutant's name, ends the others.
func Each(ctx context.Context, mutants []Mutant, try func(ctx context.Context, i int, m Mutant) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(rig.Workers)
	for i, m := range mutants {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := try(ctx, i, m); err != nil {
				return fmt.Errorf("mutant %s: %w", m, err)
			}
			return nil
		})
	}
	return g.Wait()
}

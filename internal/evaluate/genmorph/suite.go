package genmorph

import (
	"context"
	"slices"
	"sync"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

// suiteInputs are the tests of a generated suite: each calls the method with one input and
// expects the output that was recorded.
const suiteInputs = 10

// addToSuite counts the mutants that a generated suite detects, by its recorded outputs
// alone and with the relations that are shown, whose source inputs are those of the suite.
func (s *study) addToSuite(ctx context.Context, r *row) error {
	inputs, err := s.inputs(ctx, fresh, suiteInputs, 4)
	if err != nil {
		return err
	}
	ask := slices.Clone(inputs)
	of := make([][]group, len(r.shown))
	for i, x := range r.shown {
		if !x.measured {
			continue // it would fail with the original
		}
		if of[i], _, err = s.groups(ctx, x.transform, inputs, true); err != nil {
			return err
		}
		for _, g := range of[i] {
			ask = append(ask, g.follow)
		}
	}
	var lock sync.Mutex
	return mutant.Each(ctx, s.program.of(s.method, s.opt.mutants), func(ctx context.Context, _ int, m mutant.Mutant) error {
		out, err := s.program.run(ctx, s.method, m.ID, ask)
		if err != nil {
			return err
		}
		given, differs := map[string]outcome{}, false
		for i, o := range out {
			given[keyOf(ask[i])] = o
			if i < len(inputs) {
				was := s.known[keyOf(inputs[i])]
				differs = differs || keyOf([]any{was}) != keyOf([]any{o.value})
			}
		}
		broken := false
		for i, x := range r.shown {
			violated, ended := judge(x.tree, of[i], given)
			broken = broken || violated || ended
		}
		lock.Lock()
		defer lock.Unlock()
		if differs {
			r.recorded++
		}
		if differs || broken {
			r.withRelations++
		}
		return nil
	})
}

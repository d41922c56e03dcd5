package kmr

import (
	"context"
	"fmt"
	"math"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/runner/load"
)

// faulty are the programs that hold the mutants.
type faulty struct {
	schemata string         // binary with all mutants but plain ones; the original is mutant 0
	plain    map[int]string // a binary for each other, by ID
	mutants  map[string][]mutant.Mutant
	rejected int // candidates that do not compile
}

// binary returns the program for a mutant, and the ID that activates it there.
func (f *faulty) binary(m mutant.Mutant) (string, int) {
	if b, ok := f.plain[m.ID]; ok {
		return b, 0
	}
	return f.schemata, m.ID
}

// seed makes all mutants of the subjects, and of each those that most allows,
// spread evenly over its code.
func seed(ctx context.Context, dir string, subjects []string, most int, seed uint64) (*faulty, error) {
	root, err := module(dir, nil)
	if err != nil {
		return nil, err
	}
	t, err := load.Load(ctx, load.Options{Root: root, Dir: root, Patterns: []string{"./subjects"}, Env: environment()})
	if err != nil {
		return nil, err
	}
	set, err := mutant.Make(ctx, t, mutant.Selection{Limit: math.MaxInt, Seed: seed})
	if err != nil {
		return nil, err
	}
	f := &faulty{plain: map[int]string{}, mutants: map[string][]mutant.Mutant{}, rejected: set.Rejected}
	var chosen []mutant.Mutant
	for _, s := range subjects {
		var own []mutant.Mutant
		for _, m := range set.Mutants {
			if m.File == subjectFile(s) {
				own = append(own, m)
			}
		}
		f.mutants[s] = mutant.Spread(own, most, 0)
		chosen = append(chosen, f.mutants[s]...)
	}
	prog, err := mutant.Schemata(t, chosen, mutant.Form{Structural: true})
	if err != nil {
		return nil, err
	}
	if f.schemata, err = build(ctx, dir, prog.Files); err != nil {
		return nil, err
	}
	for _, m := range chosen {
		if !m.Plain {
			continue
		}
		src, err := sources.ReadFile(m.File)
		if err != nil {
			return nil, err
		}
		if f.plain[m.ID], err = build(ctx, dir, map[string][]byte{m.File: mutant.Apply(src, m)}); err != nil {
			return nil, fmt.Errorf("mutant %s: %w", m, err)
		}
	}
	return f, nil
}

package faulty

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/measure"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/runner/load"
)

// Programs are what children run.
type Programs struct {
	code     Code
	counting string            // counts what is covered
	counts   map[string]Counts // by file
	schemata string            // with all mutants but plain ones; the original is mutant 0
	plain    map[int]string    // a program for each other, by ID
	mutants  map[string][]mutant.Mutant
}

// Make builds the programs in dir, with all mutants of the subjects, and of each those that most
// allows, spread evenly over its code.
func Make(ctx context.Context, dir string, code Code, subjects []string, most int, seed uint64) (*Programs, error) {
	p := &Programs{code: code, plain: map[int]string{}, mutants: map[string][]mutant.Mutant{}}
	var err error
	if p.counting, p.counts, err = code.instrumented(ctx, dir); err != nil {
		return nil, err
	}
	return p, p.seed(ctx, dir, subjects, most, seed)
}

func (p *Programs) seed(ctx context.Context, dir string, subjects []string, most int, seed uint64) error {
	root, err := p.code.module(dir, nil)
	if err != nil {
		return err
	}
	t, err := load.Load(ctx, load.Options{Root: root, Dir: root, Patterns: []string{"./" + p.code.Programs}, Env: environment()})
	if err != nil {
		return err
	}
	set, err := mutant.Make(ctx, t, mutant.Selection{Limit: math.MaxInt, Seed: seed})
	if err != nil {
		return err
	}
	var chosen []mutant.Mutant
	for _, s := range subjects {
		var own []mutant.Mutant
		for _, m := range set.Mutants {
			if m.File == p.code.file(s) {
				own = append(own, m)
			}
		}
		p.mutants[s] = mutant.Spread(own, most, 0)
		chosen = append(chosen, p.mutants[s]...)
	}
	prog, err := mutant.Schemata(t, chosen, mutant.Form{Structural: true})
	if err != nil {
		return err
	}
	if p.schemata, err = p.code.build(ctx, dir, prog.Files); err != nil {
		return err
	}
	for _, m := range chosen {
		if !m.Plain {
			continue
		}
		src, err := p.code.source(m.File)
		if err != nil {
			return err
		}
		if p.plain[m.ID], err = p.code.build(ctx, dir, map[string][]byte{m.File: mutant.Apply(src, m)}); err != nil {
			return fmt.Errorf("mutant %s: %w", m, err)
		}
	}
	return nil
}

// binary returns the program for a mutant, and the ID that activates it there.
func (p *Programs) binary(m mutant.Mutant) (string, int) {
	if b, ok := p.plain[m.ID]; ok {
		return b, 0
	}
	return p.schemata, m.ID
}

// Survey asks for a pool of source inputs.
func (p *Programs) Survey(ctx context.Context, subject string, q measure.Survey) (measure.Response, error) {
	return ask(ctx, p.schemata, 0, measure.Request{Subject: subject, Survey: &q}, time.Hour)
}

// Cover asks what each source input covers, and says what there is to cover.
func (p *Programs) Cover(ctx context.Context, subject string, pool []uint64) ([]measure.Coverage, Counts, error) {
	a, err := ask(ctx, p.counting, 0, measure.Request{Subject: subject, Cover: &measure.Cover{Pool: pool}}, time.Hour)
	return a.Covered, p.counts[p.code.file(subject)], err
}

package automr

import (
	"context"
	"fmt"
	"sync"

	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// alarms are false detections on one program: groups for which a sentence that is
// told of it fails, as it is printed, on correct code.
type alarms struct {
	program   program
	relations int
	base      tally // the code that they were inferred from, with other inputs
	// independent is another implementation of the same function.
	independent tally
}

// tally counts groups that apply.
type tally struct {
	groups, failing int
	// beyond are those of the failing that rounding does not explain, sentences the
	// relations that have one.
	beyond, sentences int
	examples          []string // one for each of the sentences
}

// evaluator runs one implementation of a program; a missing output is a nil row.
type evaluator func(ctx context.Context, in [][]float64) ([][]float64, error)

// count runs the groups.
func (t *tally) count(ctx context.Context, g *groups, s automr.Program, eval evaluator) error {
	outputs, err := eval(ctx, g.inputs)
	if err != nil {
		return err
	}
	holding, failing := g.check(outputs)
	t.groups, t.failing = len(holding)+len(failing), len(failing)
	beyond, err := g.beyondRounding(ctx, failing, outputs, eval)
	if err != nil {
		return err
	}
	t.beyond = len(beyond)
	seen := map[int]bool{}
	for _, x := range beyond {
		if seen[x.relation] {
			continue
		}
		seen[x.relation] = true
		t.sentences++
		example := g.told[x.relation].Notation(s.Name, s.Params)
		for _, i := range x.at {
			example += fmt.Sprintf("; %v gives %v", g.inputs[i], outputs[i])
		}
		t.examples = append(t.examples, example)
	}
	return nil
}

// alarm checks one program.
func (e *evaluation) alarm(ctx context.Context, name string) (alarms, error) {
	p := named([]string{name})[0]
	out := alarms{program: p}
	inf, err := e.inferredBy(ctx, p, automr.NullSpace)
	if err != nil {
		return out, err
	}
	out.relations = len(inf.result.Relations)
	child := e.plain.process(name, 0)
	defer child.close()
	s := subjectOf(p, child)
	g := printedGroups(s, inf.result.Relations, int64(e.opt.seed)+2_000_000, 4*e.opt.groups)
	if err := out.base.count(ctx, g, s, s.Eval); err != nil {
		return out, err
	}
	// Slow, and so with fewer groups.
	g = printedGroups(s, inf.result.Relations, int64(e.opt.seed)+3_000_000, e.opt.groups)
	if err := out.independent.count(ctx, g, s, parallel(e.library.Function(name))); err != nil {
		return out, err
	}
	for i, t := range []tally{out.base, out.independent} {
		for _, example := range t.examples {
			e.Say("  %s: false on %s: %s", name, []string{"base", "the independent implementation"}[i], example)
		}
	}
	return out, nil
}

// parallel runs a function on all processors.
func parallel(f func(in []float64) []float64) evaluator {
	return func(ctx context.Context, in [][]float64) ([][]float64, error) {
		out := make([][]float64, len(in))
		var wg sync.WaitGroup
		for worker := range rig.Workers {
			wg.Go(func() {
				for i := worker; i < len(out) && ctx.Err() == nil; i += rig.Workers {
					out[i] = f(in[i])
				}
			})
		}
		wg.Wait()
		return out, ctx.Err()
	}
}

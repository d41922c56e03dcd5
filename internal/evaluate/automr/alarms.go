package automr

import (
	"context"
	"fmt"
	"sync"

	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// alarms are false detections on one program: groups of inferred relations that
// fail on correct code.
type alarms struct {
	program   string
	relations int
	base      tally // the code that they were inferred from, with other inputs
	// independent is another implementation of the same function.
	independent tally
}

// tally counts groups that apply.
type tally struct {
	groups, failing int
	example         string // of a failing one
}

func (t *tally) count(g *groups, s automr.Program, outputs [][]float64) {
	holding, failing := g.check(outputs)
	t.groups = len(holding) + len(failing)
	t.failing = len(failing)
	if len(failing) > 0 {
		x := failing[0]
		t.example = g.relations[x.relation].Notation(s.Name, s.Params)
		for _, i := range x.at {
			t.example += fmt.Sprintf("; %v gives %v", g.inputs[i], outputs[i])
		}
	}
}

// alarm checks one program.
func (e *evaluation) alarm(ctx context.Context, name string) (alarms, error) {
	p := named([]string{name})[0]
	out := alarms{program: name}
	inf, err := e.inferredBy(ctx, p, automr.NullSpace)
	if err != nil {
		return out, err
	}
	out.relations = len(inf.result.Relations)
	child := e.plain.process(name, 0)
	defer child.close()
	// A relation is judged as its reader takes it.
	var printed []automr.Relation
	for _, r := range inf.result.Relations {
		printed = append(printed, r.Printed())
	}
	g := newGroups(inf.subject, printed, int64(e.opt.seed)+2_000_000, 4*e.opt.groups)
	answers, err := child.eval(ctx, g.inputs)
	if err != nil {
		return out, err
	}
	out.base.count(g, inf.subject, rows(answers))

	// Slow, and so with fewer groups.
	g = newGroups(inf.subject, printed, int64(e.opt.seed)+3_000_000, e.opt.groups)
	outputs := make([][]float64, len(g.inputs))
	f := e.library.Function(name)
	var wg sync.WaitGroup
	for worker := range rig.Workers {
		wg.Go(func() {
			for i := worker; i < len(outputs) && ctx.Err() == nil; i += rig.Workers {
				outputs[i] = f(g.inputs[i])
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return out, err
	}
	out.independent.count(g, inf.subject, outputs)
	for i, t := range []tally{out.base, out.independent} {
		if t.failing > 0 {
			e.Say("  %s: %d of %d groups fail on %s: %s", name, t.failing, t.groups, []string{"base", "the independent implementation"}[i], t.example)
		}
	}
	return out, nil
}

package automr

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

// fate is what became of one mutant of a program.
type fate struct {
	mutant mutant.Mutant
	own    bool // in the program's own file
	// by are the forms of relations that fail, all outputs being numbers.
	by forms
	// missing: they promise an output (NaN and infinities are none) that the mutant
	// does not give.
	missing forms
	// crashed, timedOut: a call of a group of theirs panicked, or did not end, that
	// returns in the original.
	crashed, timedOut forms
	took              time.Duration // to try the groups
	difference
}

// newFate is that of a mutant before anything is tried.
func newFate(m mutant.Mutant) fate {
	return fate{mutant: m, by: forms{}, missing: forms{}, crashed: forms{}, timedOut: forms{}}
}

// killed reports whether a relation fails: by its outputs, by one that is
// missing, or because a call of the group never returns.
func (f fate) killed() bool { return f.killedBy(func(form) bool { return true }) }

// killedBy reports whether a relation of some forms does.
func (f fate) killedBy(has func(form) bool) bool {
	return f.by.any(has) || f.missing.any(has) || f.crashed.any(has) || f.timedOut.any(has)
}

// difference is what a direct comparison with the original shows.
type difference struct {
	any bool // some output differs, if only in its last bit, or the call ends otherwise
	// notable: at a finite input where the original has an output, and by more
	// than the relations' tolerance.
	notable bool
}

// detection is one program's rows of Table V.
type detection struct {
	program  program
	fates    []fate
	failing  int           // groups that fail on the original; has to be 0
	kept     int           // relations
	inferred time.Duration // in which they were
}

// detect tries all mutants of a program on the relations that a method finds. A
// direct comparison is made with as many inputs as are asked for.
func (e *evaluation) detect(ctx context.Context, name, method string, directly int) (detection, error) {
	p := named([]string{name})[0]
	out := detection{program: p}
	inf, err := e.inferredBy(ctx, p, method)
	if err != nil {
		return out, err
	}
	if e.seeded == nil {
		if e.seeded, err = e.seed(ctx); err != nil {
			return out, err
		}
	}
	t := &trial{groups: newGroups(inf.subject, inf.result.Relations, int64(e.opt.seed)+1_000_000, e.opt.groups),
		direct: directInputs(p, e.opt.seed, directly)}
	if t.original, err = e.outputs(ctx, p, t.groups.inputs); err != nil {
		return out, err
	}
	if t.expected, err = e.outputs(ctx, p, t.direct); err != nil {
		return out, err
	}
	var failing []group
	t.holding, failing = t.groups.check(rows(t.original))
	out.failing, out.kept, out.inferred = len(failing), len(inf.result.Relations), inf.took
	own := e.seeded.of(p, true)
	all := e.seeded.of(p, false)
	out.fates = make([]fate, len(all))
	return out, mutant.Each(ctx, all, func(ctx context.Context, i int, m mutant.Mutant) (err error) {
		out.fates[i], err = e.try(ctx, p, m, t)
		out.fates[i].own = slices.ContainsFunc(own, func(o mutant.Mutant) bool { return o.ID == m.ID })
		return err
	})
}

// rows are the outputs alone.
func rows(answers []answer) [][]float64 {
	out := make([][]float64, len(answers))
	for i, a := range answers {
		out[i] = a.out
	}
	return out
}

// trial is what all mutants of a program are tried with.
type trial struct {
	groups   *groups
	holding  []group  // those that hold on the original
	original []answer // to the inputs of the groups
	// direct are inputs of a direct comparison, expected the original's answers.
	direct   [][]float64
	expected []answer
}

// outputs runs the original, as it stands in the binary with the mutants.
func (e *evaluation) outputs(ctx context.Context, p program, in [][]float64) ([]answer, error) {
	child := e.seeded.process(p.name, 0)
	defer child.close()
	return child.eval(ctx, in)
}

// try runs one mutant.
func (e *evaluation) try(ctx context.Context, p program, m mutant.Mutant, t *trial) (fate, error) {
	f := newFate(m)
	child := e.seeded.process(p.name, m.ID)
	defer child.close()
	began := time.Now()
	got, err := child.eval(ctx, t.groups.inputs)
	if err != nil {
		return f, err
	}
	f.judge(t, got)
	f.took = time.Since(began)
	if f.killed() {
		f.difference = difference{any: true, notable: true} // a group has shown it
		return f, nil
	}
	const chunk = 10_000
	for i := 0; i < len(t.direct) && !f.notable; i += chunk {
		end := min(i+chunk, len(t.direct))
		got, err := child.eval(ctx, t.direct[i:end])
		if err != nil {
			return f, err
		}
		f.compare(t.direct[i:end], t.expected[i:end], got)
	}
	return f, nil
}

// judge looks for groups that hold on the original and not on the mutant.
func (f *fate) judge(t *trial, got []answer) {
	outputs := rows(got)
	g, original := t.groups, t.original
	for _, x := range t.holding {
		of := formOf(g.relations[x.relation])
		if f.by[of] {
			continue // nothing new can come of it
		}
		same, complete := true, true
		for _, i := range x.at {
			same = same && alike(original[i], got[i])
			complete = complete && output(got[i].out)
			switch {
			case original[i].ending != done || got[i].ending == done:
			case got[i].ending == hung:
				f.timedOut[of] = true
			default:
				f.crashed[of] = true
			}
		}
		if same {
			continue
		}
		if holds, applicable := g.verdict(x, outputs); holds || !applicable {
			continue
		}
		if complete {
			f.by[of] = true
		} else if !slices.ContainsFunc(x.at, func(i int) bool { return got[i].ending != done }) {
			f.missing[of] = true
		}
	}
}

// alike reports whether two answers are the same to the last bit; NaN is NaN.
func alike(a, b answer) bool {
	if a.ending != b.ending || len(a.out) != len(b.out) {
		return false
	}
	for i, x := range a.out {
		y := b.out[i]
		if math.Float64bits(x) != math.Float64bits(y) && !(math.IsNaN(x) && math.IsNaN(y)) {
			return false
		}
	}
	return true
}

// tolerance is the one that equalities are inferred with.
const tolerance = 1e-9

// compare compares directly.
func (d *difference) compare(in [][]float64, original, got []answer) {
	for i := range in {
		if alike(original[i], got[i]) {
			continue
		}
		d.any = true
		if output(in[i]) && output(original[i].out) && (!output(got[i].out) || far(original[i].out, got[i].out)) {
			d.notable = true
		}
	}
}

func far(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > tolerance*max(math.Abs(a[i]), math.Abs(b[i])) {
			return true
		}
	}
	return false
}

package kmr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/diff/adequacy"
	"github.com/isodelta/isodelta/internal/evaluate/kmr/measure"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

// study is one subject measured: which metamorphic groups there are, which
// mutants each detects, and what each source input satisfies.
type study struct {
	name      string
	forms     []string // of the output relation, for each relation
	inCats    []int    // choices of each input category
	outCats   []int
	pool      []uint64 // draws
	relations [][]int  // that apply, for each source input
	// detected gives for each source input and relation the mutants, by place
	// among those that count.
	detected [][]bits
	mutants  int // that count

	required   map[adequacy.Criterion][][]int // source inputs that satisfy each requirement
	satisfies  map[adequacy.Criterion][][]int // requirements that each source input satisfies
	infeasible map[adequacy.Criterion]int     // that no source input satisfies

	made, equivalent, hung int
	ceiling                int // mutants that some group detects
	seconds                float64
}

// study measures a subject.
func (w *evaluation) study(ctx context.Context, name string) (*study, error) {
	began := time.Now()
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}
	s := &study{name: name}
	inputs, err := w.survey(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := w.require(ctx, s, inputs); err != nil {
		return nil, err
	}
	if err := w.detect(ctx, s); err != nil {
		return nil, err
	}
	s.seconds = time.Since(began).Seconds()
	w.Say("  %s: pool of %d, %d mutants, %d equivalent, %d hang, %d detected by any group, in %.1fs",
		name, len(s.pool), s.made, s.equivalent, s.hung, s.ceiling, s.seconds)
	return s, nil
}

// prepare builds what all subjects share.
func (w *evaluation) prepare(ctx context.Context) (err error) {
	if w.faulty != nil {
		return nil
	}
	if w.counting, w.counts, err = instrumented(ctx, w.Dir); err != nil {
		return err
	}
	w.faulty, err = seed(ctx, w.Dir, w.opt.subjects, w.opt.mutants, w.opt.seed)
	return err
}

// first is the number of the first draw: other seeds draw other inputs.
func (w *evaluation) first() uint64 { return w.opt.seed << 32 }

func (w *evaluation) survey(ctx context.Context, s *study) ([]measure.Input, error) {
	a, err := ask(ctx, w.faulty.schemata, 0, measure.Request{Subject: s.name, Survey: &measure.Survey{
		First: w.first(), Draws: w.opt.draws, PerFrame: w.opt.perFrame, Plain: w.opt.plain,
	}}, time.Hour)
	if err != nil {
		return nil, err
	}
	s.forms, s.inCats, s.outCats = a.Description.Forms, a.Description.In, a.Description.Out
	for _, i := range a.Inputs {
		s.pool = append(s.pool, i.Draw)
	}
	return a.Inputs, nil
}

// require finds the requirements of each criterion, and who satisfies them.
// Frames, and pairs of choices, are feasible if one of the draws has them.
func (w *evaluation) require(ctx context.Context, s *study, inputs []measure.Input) error {
	a, err := ask(ctx, w.counting, 0, measure.Request{Subject: s.name, Cover: &measure.Cover{Pool: s.pool}}, time.Hour)
	if err != nil {
		return err
	}
	c := w.counts[subjectFile(s.name)]
	r := adequacy.Requirements{Choices: s.inCats}
	for id := c.statements[0]; id < c.statements[1]; id++ {
		r.Statements = append(r.Statements, id)
	}
	for id := c.branches[0]; id < c.branches[1]; id++ {
		r.Branches = append(r.Branches, id)
	}
	satisfied := make([]adequacy.Satisfied, len(inputs))
	combinations := make([]adequacy.Combination, len(inputs))
	for t, i := range inputs {
		combinations[t] = adequacy.Combination{In: picks(i.In), Out: picks(i.Out)}
		satisfied[t] = adequacy.Satisfied{Statements: a.Covered[t].Statements, Branches: a.Covered[t].Branches, Combination: combinations[t]}
	}
	r.Frames = adequacy.Seen(combinations)
	f := adequacy.NewFunction(r)
	for t, x := range satisfied {
		f.Source(strconv.FormatUint(s.pool[t], 10), x)
	}
	s.required, s.satisfies = map[adequacy.Criterion][][]int{}, map[adequacy.Criterion][][]int{}
	s.infeasible = map[adequacy.Criterion]int{}
	for _, c := range adequacy.Criteria() {
		s.satisfies[c] = make([][]int, len(s.pool))
		for _, inputs := range f.Satisfying(c) {
			if len(inputs) == 0 {
				s.infeasible[c]++
				continue
			}
			for _, t := range inputs {
				s.satisfies[c][t] = append(s.satisfies[c][t], len(s.required[c]))
			}
			s.required[c] = append(s.required[c], inputs)
		}
	}
	return nil
}

func picks(choices []int) []adequacy.Pick {
	var out []adequacy.Pick
	for category, choice := range choices {
		if choice >= 0 {
			out = append(out, adequacy.Pick{Category: category, Choice: choice})
		}
	}
	return out
}

// detect runs all groups of the pool on the original and on all mutants.
func (w *evaluation) detect(ctx context.Context, s *study) error {
	q := measure.Try{Pool: s.pool, First: w.first() + 1<<31, Draws: w.opt.draws, Applicable: true}
	request := func() measure.Request { return measure.Request{Subject: s.name, Try: &q} }
	began := time.Now()
	a, err := ask(ctx, w.faulty.schemata, 0, request(), time.Hour)
	if err != nil {
		return err
	}
	s.relations = make([][]int, len(s.pool))
	for r, g := range a.Groups {
		if len(g.Violated) > 0 {
			return fmt.Errorf("relation %q of %s does not hold on the original, for draw %d: it is no relation",
				a.Description.Relations[r], s.name, s.pool[g.Violated[0]])
		}
		for _, t := range g.Applicable {
			s.relations[t] = append(s.relations[t], r)
		}
	}
	q.Applicable, q.Outputs = false, a.Outputs
	// Once more, with what the surviving mutants are compared on.
	original, err := ask(ctx, w.faulty.schemata, 0, request(), time.Hour)
	if err != nil {
		return err
	}
	// Generous, since on a busy machine no mutant may hang that does not on an
	// idle one.
	limit := 10*time.Since(began) + 20*time.Second
	mutants := w.faulty.mutants[s.name]
	answers, err := w.tryAll(ctx, mutants, request(), limit)
	if err != nil {
		return err
	}
	s.book(answers, original)
	if w.opt.list {
		for i, a := range answers {
			if f := fateOf(a, original); f != counted {
				w.Say("    %s: %s", f, mutants[i])
			} else if !violates(a) {
				w.Say("    not detected: %s", mutants[i])
			}
		}
	}
	return nil
}

// fate is what becomes of a mutant.
type fate string

const (
	counted    fate = "counted"
	equivalent fate = "not distinguished"
	hangs      fate = "hangs"
)

func fateOf(a *measure.Response, original measure.Response) fate {
	switch {
	case a == nil:
		return hangs
	case a.Outputs == original.Outputs && a.Further == original.Further:
		return equivalent
	}
	return counted
}

// violates reports whether some group detects the mutant.
func violates(a *measure.Response) bool {
	return slices.ContainsFunc(a.Groups, func(g measure.Groups) bool { return len(g.Violated) > 0 })
}

// tryAll returns the answer for each mutant, nil for one that hangs.
func (w *evaluation) tryAll(ctx context.Context, mutants []mutant.Mutant, q measure.Request, limit time.Duration) ([]*measure.Response, error) {
	answers := make([]*measure.Response, len(mutants))
	err := mutant.Each(ctx, mutants, func(ctx context.Context, i int, m mutant.Mutant) error {
		binary, id := w.faulty.binary(m)
		a, err := ask(ctx, binary, id, q, limit)
		if errors.Is(err, errHang) {
			return nil
		}
		answers[i] = &a
		return err
	})
	return answers, err
}

// book sorts mutants into those that hang, those that nothing distinguishes
// from the original, and those that count.
func (s *study) book(answers []*measure.Response, original measure.Response) {
	s.made = len(answers)
	var counting []*measure.Response
	for _, a := range answers {
		switch fateOf(a, original) {
		case hangs:
			s.hung++
		case equivalent:
			s.equivalent++
		default:
			counting = append(counting, a)
		}
	}
	s.mutants = len(counting)
	s.detected = make([][]bits, len(s.pool))
	for t := range s.detected {
		s.detected[t] = make([]bits, len(s.forms))
	}
	for m, a := range counting {
		if violates(a) {
			s.ceiling++
		}
		for r, g := range a.Groups {
			for _, t := range g.Violated {
				if s.detected[t][r] == nil {
					s.detected[t][r] = newBits(s.mutants)
				}
				s.detected[t][r].set(m)
			}
		}
	}
}

package kmr

import (
	"context"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/diff/adequacy"
	"github.com/isodelta/isodelta/internal/evaluate/faulty"
	"github.com/isodelta/isodelta/internal/evaluate/kmr/measure"
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
	if w.programs == nil {
		w.programs, err = faulty.Make(ctx, w.Dir, Code(), w.opt.subjects, w.opt.mutants, w.opt.seed)
	}
	return err
}

// first is the number of the first draw: other seeds draw other inputs.
func (w *evaluation) first() uint64 { return w.opt.seed << 32 }

func (w *evaluation) survey(ctx context.Context, s *study) ([]measure.Input, error) {
	a, err := w.programs.Survey(ctx, s.name, measure.Survey{
		First: w.first(), Draws: w.opt.draws, PerFrame: w.opt.perFrame, Plain: w.opt.plain,
	})
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
	covered, c, err := w.programs.Cover(ctx, s.name, s.pool)
	if err != nil {
		return err
	}
	r := adequacy.Requirements{Choices: s.inCats}
	for id := c.Statements[0]; id < c.Statements[1]; id++ {
		r.Statements = append(r.Statements, id)
	}
	for id := c.Branches[0]; id < c.Branches[1]; id++ {
		r.Branches = append(r.Branches, id)
	}
	satisfied := make([]adequacy.Satisfied, len(inputs))
	combinations := make([]adequacy.Combination, len(inputs))
	for t, i := range inputs {
		combinations[t] = adequacy.Combination{In: picks(i.In), Out: picks(i.Out)}
		satisfied[t] = adequacy.Satisfied{Statements: covered[t].Statements, Branches: covered[t].Branches, Combination: combinations[t]}
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
	t, err := w.programs.Try(ctx, s.name, s.pool, w.first()+1<<31, w.opt.draws)
	if err != nil {
		return err
	}
	s.book(t)
	if w.opt.list {
		for _, m := range t.Tried {
			if m.Fate != faulty.Counted {
				w.Say("    %s: %s", m.Fate, m.Mutant)
			} else if !m.Detected() {
				w.Say("    not detected: %s", m.Mutant)
			}
		}
	}
	return nil
}

// book keeps what the groups say of mutants that neither hang nor are like the original.
func (s *study) book(t *faulty.Trial) {
	s.relations = t.Relations
	s.made, s.hung, s.equivalent = len(t.Tried), t.Number(faulty.Hangs), t.Number(faulty.Equivalent)
	s.mutants = t.Number(faulty.Counted)
	s.detected = make([][]bits, len(s.pool))
	for i := range s.detected {
		s.detected[i] = make([]bits, len(s.forms))
	}
	n := 0
	for _, m := range t.Tried {
		if m.Fate != faulty.Counted {
			continue
		}
		if m.Detected() {
			s.ceiling++
		}
		for r, g := range m.Groups {
			for _, i := range g.Violated {
				if s.detected[i][r] == nil {
					s.detected[i][r] = newBits(s.mutants)
				}
				s.detected[i][r].set(n)
			}
		}
		n++
	}
}

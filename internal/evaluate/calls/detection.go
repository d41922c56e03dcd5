package calls

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/internal/evaluate/subject"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner"
)

// shown says by which techniques one survivor was shown.
type shown struct {
	Observed bool
	Reached  bool            // by any origin
	Origins  map[string]bool // of Reached
	Forced   bool
	Same     bool // in SSA form it is the original: there is nothing to find
	Failed   bool // the comparison could not be made, or ended before its end
	Cut      bool // the budget ended before the counts did
	Calls    int
	Seconds  float64
}

// any reports whether one of the techniques shows it.
func (s shown) any() bool { return s.Observed || s.Reached || s.Forced }

// String is a line of the log.
func (s shown) String() string {
	var by []string
	for _, x := range []struct {
		holds bool
		name  string
	}{{s.Observed, "observed"}, {s.Reached, "reached"}, {s.Forced, "forced"}, {s.Same, "same SSA"}, {s.Failed, "FAILED"}, {s.Cut, "cut"}} {
		if x.holds {
			by = append(by, x.name)
		}
	}
	for _, o := range origins() {
		if s.Origins[o] {
			by = append(by, o)
		}
	}
	if !s.any() {
		by = append(by, "missed")
	}
	return fmt.Sprintf("%s; %d calls, %.1fs", strings.Join(by, ", "), s.Calls, s.Seconds)
}

// origins of reached findings that make a column.
func origins() []string { return []string{"plain", "sequence", "in-place"} }

// detection measures one subject: how many of the mutants that its own tests
// do not kill are shown, and by what.
func (w *evaluation) detection(ctx context.Context, name string) (detectionRow, error) {
	began := time.Now()
	row := detectionRow{subject: name, origin: map[string]int{}}
	m, err := w.Commit(ctx, name)
	if err != nil {
		return row, err
	}
	t, err := w.Load(ctx, m.Dir)
	if err != nil {
		return row, err
	}
	set, err := mutant.Make(ctx, t, mutant.Selection{Limit: w.opt.mutants, Seed: w.opt.seed})
	if err != nil {
		return row, err
	}
	outcomes, err := mutant.Kill(ctx, t, set.Mutants)
	if err != nil {
		return row, err
	}
	survivors := outcomes.Of(set.Mutants, mutant.Survived)
	row.made, row.survivors = len(set.Mutants), len(survivors)
	sampled := survivors
	if w.opt.sample > 0 {
		sampled = mutant.Spread(survivors, w.opt.sample, rand.New(rand.NewPCG(w.opt.seed, 0)).Float64())
	}
	w.Say("  %s: %d mutants, %d survivors in %.1fs, %d of them compared", name, row.made, row.survivors, time.Since(began).Seconds(), len(sampled))
	for i, x := range sampled {
		s, err := w.try(ctx, m, x)
		if err != nil {
			return row, fmt.Errorf("mutant %s: %w", x, err)
		}
		row.add(s)
		w.Say("  %s %d/%d: %s", name, i+1, len(sampled), s)
		if w.opt.missed && !s.any() && !s.Same {
			w.Say("    missed: %s", x)
		}
	}
	row.seconds = time.Since(began).Seconds()
	return row, nil
}

// try compares the subject with one mutant of it, which stands in the working
// tree for as long.
func (w *evaluation) try(ctx context.Context, m *subject.Module, x mutant.Mutant) (s shown, err error) {
	err = mutant.While(m.Dir, x, func() error {
		events, sum, err := rig.Compare(ctx, w.comparison(m.Dir))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			// One comparison that fails is a result too, and no good one.
			w.Say("    FAILED %s: %v", x, err)
			s.Failed = true
			return nil
		}
		s = shownBy(events, sum)
		s.Cut = s.Cut || !s.Same && sum.Sequences < w.opt.programs && sum.Seconds >= w.opt.budget.Seconds()
		if s.Failed {
			for _, e := range events {
				if l, ok := e.(event.Limit); ok {
					w.Say("    %s: %s: %s", l.Kind, l.What, l.Reason)
				}
			}
		}
		return nil
	})
	return s, err
}

// comparison is the options that all comparisons share.
func (w *evaluation) comparison(dir string) runner.Options {
	opt := w.Options(dir)
	opt.Budget, opt.MaxSequences, opt.MaxVariants = w.opt.budget, w.opt.programs, w.opt.variants
	opt.Seed = int64(w.opt.seed)
	return opt
}

// shownBy reads what a comparison has found. Findings that say that the change
// meant them are none here: a mutant edits no test.
func shownBy(events []event.Event, sum event.Summary) shown {
	s := shown{Origins: map[string]bool{}, Same: sum.Verdict == event.NoExecutableChange, Failed: sum.Interrupted, Calls: sum.Calls, Seconds: sum.Seconds}
	for _, e := range events {
		switch e := e.(type) {
		case event.Finding:
			if e.Intended {
				continue
			}
			switch e.Rung {
			case event.Observed:
				s.Observed = true
			case event.Reached:
				s.Reached = true
				s.Origins[string(e.Origin)] = true
			case event.Forced:
				s.Forced = true
			}
			// A forced finding that an input also shows is told with the latter.
			s.Forced = s.Forced || len(e.Merged) > 0
		case event.Limit:
			s.Cut = s.Cut || e.Kind == event.LimitBudget && e.What != "negation"
			// Where no call can be made, that is the engine's fault here: the
			// same subjects offer some.
			s.Failed = s.Failed || e.Kind == event.LimitNotBuilt || e.Kind == event.LimitInfrastructure || e.Kind == event.LimitCalls
		}
	}
	return s
}

// detectionRow is a subject's row.
type detectionRow struct {
	subject   string
	made      int // mutants
	survivors int // of those, not killed by the subject's own tests
	sampled   int // of those, compared
	observed  int
	reached   int
	origin    map[string]int // of reached, one survivor in several if need be
	forced    int
	joined    int
	same      int
	failed    int
	cut       int
	calls     int
	seconds   float64
}

// add books one survivor.
func (r *detectionRow) add(s shown) {
	r.sampled++
	figure.CountIf(&r.observed, s.Observed)
	figure.CountIf(&r.reached, s.Reached)
	figure.CountIf(&r.forced, s.Forced)
	figure.CountIf(&r.joined, s.any())
	figure.CountIf(&r.same, s.Same)
	figure.CountIf(&r.failed, s.Failed)
	figure.CountIf(&r.cut, s.Cut)
	for o := range s.Origins {
		r.origin[o]++
	}
	r.calls += s.Calls
}

// numbers are those that add up over subjects.
func (r *detectionRow) numbers() []*int {
	return []*int{&r.made, &r.survivors, &r.sampled, &r.observed, &r.reached, &r.forced, &r.joined, &r.same, &r.failed, &r.cut, &r.calls}
}

// plus adds another subject.
func (r *detectionRow) plus(o detectionRow) {
	figure.Sum(r.numbers(), o.numbers())
	for k, n := range o.origin {
		r.origin[k] += n
	}
	r.seconds += o.seconds
}

// techniques are the columns with a share, with the names of their figures.
func techniques() (titles, names []string) {
	titles, names = []string{"observed", "reached"}, []string{"observed", "reached"}
	for _, o := range origins() {
		titles = append(titles, "by "+o)
		names = append(names, "reached_"+strings.ReplaceAll(o, "-", "_"))
	}
	return append(titles, "forced", "joined"), append(names, "forced", "joined")
}

// counts are the numbers of these columns.
func (r detectionRow) counts() []int {
	out := []int{r.observed, r.reached}
	for _, o := range origins() {
		out = append(out, r.origin[o])
	}
	return append(out, r.forced, r.joined)
}

func (r detectionRow) cells() []string {
	out := figure.Row(r.subject, r.made, r.survivors, r.sampled)
	for _, x := range r.counts() {
		out = append(out, figure.Percent(figure.Proportion(x, r.sampled)))
	}
	return append(out, figure.Row(r.same, r.cut, r.failed, r.calls, figure.Decimal(r.seconds, 1))...)
}

func reportDetection(out io.Writer, f *figure.Set, rows []detectionRow) error {
	titles, names := techniques()
	header := append([]string{"Subject", "mutants", "survivors", "sampled"}, titles...)
	lines := [][]string{append(header, "same SSA", "cut", "failed", "calls", "seconds")}
	shares := make([]figure.Share, len(names))
	sum := detectionRow{subject: "all", origin: map[string]int{}}
	for _, r := range rows {
		lines = append(lines, r.cells())
		for i, x := range r.counts() {
			shares[i].Add(x, r.sampled)
		}
		sum.plus(r)
	}
	middle := make([]string, len(lines[0]))
	middle[0] = "median"
	f.Count("calls.detection.subjects", len(rows))
	f.Count("calls.detection.mutants", sum.made)
	f.Count("calls.detection.survivors", sum.survivors)
	f.Count("calls.detection.sampled", sum.sampled)
	f.Count("calls.detection.same_ssa", sum.same)
	f.Count("calls.detection.cut", sum.cut)
	f.Count("calls.detection.failed", sum.failed)
	for i, name := range names {
		middle[4+i] = figure.Percent(shares[i].Median())
		f.Share("calls."+name, shares[i])
	}
	return figure.Table(out, "Mutants that the subject's own tests do not kill, equivalent ones among them: share shown, of those sampled", append(lines, sum.cells(), middle))
}

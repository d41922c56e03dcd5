package relations

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/internal/evaluate/everyday"
	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/relations/subjects"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation/automr"
	"github.com/isodelta/isodelta/runner/relation/virtual"
)

// mostShown is how many relations of a function isodelta lists.
const mostShown = 5

// row is what came of one subject.
type row struct {
	subject, kind      string
	kept, shown        int
	lies, shownLies    []string // told of the function, and false
	planted, survivors []string // false laws, and those of them that are told of it
	mutants            int
	killed, shownKill  int // by those kept, and by those shown
}

// Run infers relations of the subjects, prints a table to out, then the figures;
// progress goes to log. An error is an *options.UsageError, flag.ErrHelp, or that of the
// first subject whose relations could not be inferred.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	opt, err := parse(args, log)
	if err != nil {
		return err
	}
	about := rig.Circumstances{Name: "relations", Args: args, Seed: uint64(opt.seed), Subjects: opt.subjects}
	var p *mutant.Executable
	return rig.Run(ctx, about, []string{"relations"}, func(w *rig.Workspace) []rig.Part {
		return []rig.Part{rig.PartOf(w, "relations", opt.subjects, func(ctx context.Context, name string) (row, error) {
			if p == nil {
				var err error
				if p, err = newProgram(ctx, w, opt.seed); err != nil {
					return row{}, err
				}
			}
			return measure(ctx, find(name), p, opt)
		}, func(out io.Writer, f *figure.Set, rows []row) error { return tell(out, f, rows, opt.list) })}
	}, out, log)
}

// measure infers the relations of a subject and judges them.
func measure(ctx context.Context, s subjects.Subject, p *mutant.Executable, opt settings) (row, error) {
	r := row{subject: s.Name, kind: s.Kind}
	points, err := constants(s.Name)
	if err != nil {
		return r, err
	}
	whole := program(s, true, points)
	inferred := func(p automr.Program) ([]automr.Relation, error) {
		found, err := automr.Infer(ctx, p, automr.Options{Seed: opt.seed})
		return found.Relations, err
	}
	told, err := inferred(whole)
	if err != nil {
		return r, err
	}
	plain, err := inferred(program(s, false, points))
	if err != nil {
		return r, err
	}
	j := newJudge(s, whole, opt)
	texts := map[string]bool{}
	var events []event.Relation
	mutants := virtual.New(points)
	for _, x := range told {
		text := x.Notation(s.Name, s.Params)
		texts[text] = true
		events = append(events, event.Relation{ID: text, Function: s.Name, Name: x.Name(), Relation: text, Source: event.AutoMR, State: event.Kept,
			Refutes: x.Refutes(mutants, j.groups(x))})
	}
	chosen, _ := report.WorthReading(events, mostShown)
	isShown := func(text string) bool {
		return slices.ContainsFunc(chosen, func(e event.Relation) bool { return e.ID == text })
	}
	r.kept, r.shown = len(told), len(chosen)
	refuted, err := j.refuted(ctx, told)
	if err != nil {
		return r, err
	}
	for i, x := range told {
		text := x.Notation(s.Name, s.Params)
		if !refuted[i] {
			continue
		}
		r.lies = append(r.lies, text)
		if isShown(text) {
			r.shownLies = append(r.shownLies, text)
		}
	}
	if refuted, err = j.refuted(ctx, plain); err != nil {
		return r, err
	}
	for i, x := range plain {
		text := x.Notation(s.Name, s.Params)
		if !refuted[i] {
			continue
		}
		r.planted = append(r.planted, text)
		if texts[text] {
			r.survivors = append(r.survivors, text)
		}
	}
	by, n, err := j.kills(ctx, p, told)
	if err != nil {
		return r, err
	}
	var ofShown []map[int]bool
	for i, x := range told {
		if isShown(x.Notation(s.Name, s.Params)) {
			ofShown = append(ofShown, by[i])
		}
	}
	r.mutants, r.killed, r.shownKill = n, len(union(by)), len(union(ofShown))
	return r, nil
}

// judge has the inputs on which relations of a subject are judged.
type judge struct {
	program automr.Program
	eval    func(x []float64) []float64
	inputs  [][]float64
	seed    int64
}

func newJudge(s subjects.Subject, p automr.Program, opt settings) judge {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s.Name) // never fails
	j := judge{program: p, seed: int64(h.Sum64()) ^ (opt.seed + 1), eval: func(x []float64) []float64 {
		y := s.F(x, true)
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return nil
		}
		return []float64{y}
	}}
	j.inputs = everyday.Inputs(p, opt.inputs, rand.New(rand.NewSource(j.seed)))
	return j
}

// groups are those of a relation whose inputs come first.
func (j judge) groups(r automr.Relation) []automr.Group {
	var out []automr.Group
	rnd := rand.New(rand.NewSource(j.seed))
	for _, x := range j.inputs[:min(len(j.inputs), groupInputs)] {
		follow := r.FollowUps(x, rnd)
		if follow == nil && len(r.A) > 0 {
			continue
		}
		g := automr.Group{In: append([][]float64{x}, follow...)}
		for _, in := range g.In {
			g.Out = append(g.Out, j.eval(in))
		}
		out = append(out, g)
	}
	return out
}

// refuted reports of each relation whether it is false, several at a time.
func (j judge) refuted(ctx context.Context, list []automr.Relation) ([]bool, error) {
	out := make([]bool, len(list))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(rig.Workers)
	for i, r := range list {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			out[i] = j.refutes(r)
			return nil
		})
	}
	return out, g.Wait()
}

// refutes reports whether a relation is false of the whole function for one of the
// inputs, as it is printed.
func (j judge) refutes(r automr.Relation) bool {
	printed := r.Printed()
	rnd := rand.New(rand.NewSource(j.seed))
	for _, x := range j.inputs {
		follow := printed.FollowUps(x, rnd)
		if follow == nil && len(printed.A) > 0 {
			continue
		}
		in := append([][]float64{x}, follow...)
		out := make([][]float64, len(in))
		for i := range in {
			out[i] = j.eval(in[i])
		}
		if holds, applicable := printed.Holds(in, out); applicable && !holds {
			return true
		}
	}
	return false
}

// tell prints the table and the figures.
func tell(out io.Writer, f *figure.Set, rows []row, list bool) error {
	lines := [][]string{{"Subject", "kind", "kept", "false", "shown", "shown and false", "planted", "refuted", "mutants", "killed", "by those shown"}}
	var sum row
	shown, kept, most := 0, 0, 0
	line := func(name, kind string, kept, shown int, r row) []string {
		return []string{name, kind, fmt.Sprint(kept), fmt.Sprint(len(r.lies)), fmt.Sprint(shown), fmt.Sprint(len(r.shownLies)),
			fmt.Sprint(len(r.planted)), fmt.Sprint(len(r.planted) - len(r.survivors)), fmt.Sprint(r.mutants), fmt.Sprint(r.killed), fmt.Sprint(r.shownKill)}
	}
	for _, r := range rows {
		lines = append(lines, line(r.subject, r.kind, r.kept, r.shown, r))
		kept, shown, most = kept+r.kept, shown+r.shown, max(most, r.shown)
		sum.lies, sum.shownLies = append(sum.lies, r.lies...), append(sum.shownLies, r.shownLies...)
		sum.planted, sum.survivors = append(sum.planted, r.planted...), append(sum.survivors, r.survivors...)
		sum.mutants, sum.killed, sum.shownKill = sum.mutants+r.mutants, sum.killed+r.killed, sum.shownKill+r.shownKill
	}
	lines = append(lines, line("all", "", kept, shown, sum))
	if err := figure.Table(out, "Relations of everyday functions, judged as they are printed", lines); err != nil {
		return err
	}
	if list {
		for _, part := range []struct {
			title string
			laws  []string
		}{{"False", sum.lies}, {"Planted, and told", sum.survivors}, {"Planted", sum.planted}} {
			fmt.Fprintf(out, "\n%s:\n", part.title)
			for _, law := range part.laws {
				fmt.Fprintf(out, "  %s\n", law)
			}
		}
	}
	f.Count("relations.kept", kept)
	f.Count("relations.false", len(sum.lies))
	f.Count("relations.shown", shown)
	f.Count("relations.shown_false", len(sum.shownLies))
	f.Count("relations.most_shown", most)
	f.Count("relations.planted", len(sum.planted))
	f.Count("relations.planted_refuted", len(sum.planted)-len(sum.survivors))
	f.Number("relations.planted_refuted.share", figure.Proportion(len(sum.planted)-len(sum.survivors), len(sum.planted)))
	f.Count("relations.mutants", sum.mutants)
	f.Count("relations.killed", sum.killed)
	f.Count("relations.killed_by_shown", sum.shownKill)
	f.Number("relations.killed_by_shown.share", figure.Proportion(sum.shownKill, sum.killed))
	return nil
}

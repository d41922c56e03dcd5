package genmorph

import (
	"fmt"
	"io"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// score is the share of mutants that a relation detects; 0 for one that is false.
func (x found) score(mutants int) float64 {
	if !x.measured || mutants == 0 {
		return 0
	}
	return figure.Proportion(len(x.kills), mutants)
}

// union is the share of mutants that any of the relations detects.
func union(list []found, mutants int) float64 {
	all := map[int]bool{}
	for _, x := range list {
		for id := range x.kills {
			all[id] = true
		}
	}
	return figure.Proportion(len(all), mutants)
}

// tell prints the table and the figures.
func tell(out io.Writer, f *figure.Set, rows []row, list bool) error {
	lines := [][]string{{"Method", "mutants", "relations", "true of fresh inputs", "and of those for measuring", "mean of single ones", "union of shown", "union of all", "seconds"}}
	var means, shown, all, seconds []float64
	relations, fresh, measured, shownRelations, shownFalse := 0, 0, 0, 0, 0
	for _, r := range rows {
		var single []float64
		survive, hold := 0, 0
		for _, x := range r.relations {
			single = append(single, x.score(r.mutants))
			figure.CountIf(&survive, x.fresh)
			figure.CountIf(&hold, x.measured)
		}
		mean := 0.0
		if len(single) > 0 {
			mean = figure.Mean(single)
		}
		means, shown, all, seconds = append(means, mean), append(shown, union(r.shown, r.mutants)), append(all, union(r.relations, r.mutants)), append(seconds, r.seconds)
		relations, fresh, measured = relations+len(r.relations), fresh+survive, measured+hold
		for _, x := range r.shown {
			shownRelations++
			figure.CountIf(&shownFalse, !x.measured)
		}
		lines = append(lines, figure.Row(r.method, r.mutants, len(r.relations), survive, hold, figure.Decimal(mean, 2),
			figure.Decimal(shown[len(shown)-1], 2), figure.Decimal(all[len(all)-1], 2), figure.Decimal(r.seconds, 1)))
	}
	if err := figure.Table(out, "GenMorph: mutants of the methods of Table II that evolved relations detect", lines); err != nil {
		return err
	}
	if list {
		for _, r := range rows {
			fmt.Fprintf(out, "\n%s:\n", r.method)
			for _, x := range r.relations {
				state := fmt.Sprintf("%.2f", x.score(r.mutants))
				switch {
				case !x.fresh:
					state = "false of a fresh input"
				case !x.measured:
					state = "false of an input for measuring"
				case slices.ContainsFunc(r.shown, func(o found) bool { return o.text == x.text }):
					state += ", shown"
				}
				fmt.Fprintf(out, "  %s (%s)\n", x.text, state)
			}
		}
	}
	above := func(list []float64, least float64) int {
		n := 0
		for _, x := range list {
			figure.CountIf(&n, x > least)
		}
		return n
	}
	f.Count("genmorph.relations", relations)
	f.Number("genmorph.true_of_fresh", figure.Proportion(fresh, relations))
	f.Number("genmorph.true_of_measuring", figure.Proportion(measured, fresh))
	f.Count("genmorph.shown", shownRelations)
	f.Count("genmorph.shown_false", shownFalse)
	f.Number("genmorph.single.mean", figure.Mean(means))
	f.Count("genmorph.single.above_20", above(means, 0.2))
	f.Count("genmorph.single.above_50", above(means, 0.5))
	f.Number("genmorph.shown.mean", figure.Mean(shown))
	f.Number("genmorph.all.mean", figure.Mean(all))
	f.Number("genmorph.method_seconds.median", figure.Median(seconds))
	f.Number("genmorph.method_seconds.most", slices.Max(seconds))
	return nil
}

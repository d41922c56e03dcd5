package genmorph

import (
	"fmt"
	"io"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// killed returns the mutants that a relation detects.
func killed(x found) map[int]bool { return x.kills }

// violated returns the mutants that violate a relation.
func violated(x found) map[int]bool { return x.violated }

// union is the share of mutants that any of the relations detects.
func union(list []found, mutants int, detects func(found) map[int]bool) float64 {
	all := map[int]bool{}
	for _, x := range list {
		for id := range detects(x) {
			all[id] = true
		}
	}
	return figure.Proportion(len(all), mutants)
}

// single is the mean of the shares that single relations detect.
func single(list []found, mutants int, detects func(found) map[int]bool) float64 {
	var scores []float64
	for _, x := range list {
		scores = append(scores, union([]found{x}, mutants, detects))
	}
	if len(scores) == 0 {
		return 0
	}
	return figure.Mean(scores)
}

// tell prints the table and the figures.
func tell(out io.Writer, f *figure.Set, rows []row, list bool) error {
	lines := [][]string{{"Method", "mutants", "relations", "true of fresh inputs", "and of those for measuring", "mean of single ones", "violated", "union of shown", "violated", "union of all", "suite", "with relations", "seconds"}}
	var means, strict, shown, shownStrict, all, seconds []float64
	relations, fresh, measured, shownRelations, shownFalse, raised := 0, 0, 0, 0, 0, 0
	for _, r := range rows {
		survive, hold := 0, 0
		for _, x := range r.relations {
			figure.CountIf(&survive, x.fresh)
			figure.CountIf(&hold, x.measured)
		}
		means, strict = append(means, single(r.relations, r.mutants, killed)), append(strict, single(r.relations, r.mutants, violated))
		shown, shownStrict = append(shown, union(r.shown, r.mutants, killed)), append(shownStrict, union(r.shown, r.mutants, violated))
		all, seconds = append(all, union(r.relations, r.mutants, killed)), append(seconds, r.seconds)
		last := len(means) - 1
		relations, fresh, measured = relations+len(r.relations), fresh+survive, measured+hold
		for _, x := range r.shown {
			shownRelations++
			figure.CountIf(&shownFalse, !x.measured)
		}
		lines = append(lines, figure.Row(r.method, r.mutants, len(r.relations), survive, hold, figure.Decimal(means[last], 2), figure.Decimal(strict[last], 2),
			figure.Decimal(shown[last], 2), figure.Decimal(shownStrict[last], 2), figure.Decimal(all[last], 2), r.recorded, r.withRelations, figure.Decimal(r.seconds, 1)))
		figure.CountIf(&raised, r.withRelations > r.recorded)
	}
	if err := figure.Table(out, "GenMorph: mutants of the methods of Table II that evolved relations detect", lines); err != nil {
		return err
	}
	if list {
		for _, r := range rows {
			fmt.Fprintf(out, "\n%s:\n", r.method)
			for _, x := range r.relations {
				state := fmt.Sprintf("%.2f", union([]found{x}, r.mutants, killed))
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
	f.Number("genmorph.single.violated.mean", figure.Mean(strict))
	f.Number("genmorph.shown.mean", figure.Mean(shown))
	f.Number("genmorph.shown.violated.mean", figure.Mean(shownStrict))
	f.Number("genmorph.all.mean", figure.Mean(all))
	f.Count("genmorph.suites_raised", raised)
	f.Number("genmorph.method_seconds.median", figure.Median(seconds))
	f.Number("genmorph.method_seconds.most", slices.Max(seconds))
	return nil
}

package kmr

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/isodelta/isodelta/diff/adequacy"
	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// leveled is what suites of each level of adequacy gave under one criterion.
type leveled struct {
	subject   string
	criterion adequacy.Criterion
	effective [levels][]float64 // fault detection effectiveness of each suite
	groups    [levels][]float64 // metamorphic groups of each suite
	reliable  [levels]float64   // share of mutants with a fault detection rate of at least reliableRate
}

const reliableRate = 0.9

// levels measures one subject: the paper's RQ2 and RQ3.
func (w *evaluation) levels(ctx context.Context, name string) ([]leveled, error) {
	s, err := w.studied(ctx, name)
	if err != nil {
		return nil, err
	}
	var out []leveled
	for _, c := range adequacy.Criteria() {
		row := leveled{subject: name, criterion: c}
		for level := range levels {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			w.fill(s, &row, level)
		}
		out = append(out, row)
	}
	return out, nil
}

// fill makes the suites of one level. There are fewer, or none, where a group
// adds more than the level is wide.
func (w *evaluation) fill(s *study, row *leveled, level int) {
	rates := make([]int, s.mutants) // suites that detect each mutant
	for i := range w.opt.suites {
		x := s.greedy(row.criterion, row.criterion.DefaultK(), level, w.random(partLevels, s, fmt.Sprint(row.criterion, level), i))
		if x == nil {
			continue
		}
		found := x.detects(s)
		row.effective[level] = append(row.effective[level], figure.Proportion(found.count(), s.mutants))
		row.groups[level] = append(row.groups[level], float64(x.groups()))
		for m := range rates {
			if found.has(m) {
				rates[m]++
			}
		}
	}
	n := 0
	for _, q := range rates {
		if float64(q) >= reliableRate*float64(len(row.effective[level])) {
			n++
		}
	}
	row.reliable[level] = math.NaN()
	if len(row.effective[level]) > 0 {
		row.reliable[level] = figure.Proportion(n, s.mutants)
	}
}

// correlations are the rank correlations of level and effectiveness: of all
// suites, and of the levels' means.
func (row leveled) correlations() (suites, means float64) {
	var x, y, mx, my []float64
	for level, values := range row.effective {
		if len(values) == 0 {
			continue
		}
		for _, v := range values {
			x, y = append(x, float64(level)), append(y, v)
		}
		mx, my = append(mx, float64(level)), append(my, figure.Mean(values))
	}
	return spearman(x, y), spearman(mx, my)
}

// wanted is the rank correlation to reach.
const wanted = 0.8

func reportLevels(out io.Writer, f *figure.Set, subjects [][]leveled) error {
	rows := slices.Concat(subjects...)
	if err := levelTable(out, rows, "Fault detection effectiveness by level of adequacy, and mean fault detection rate of all mutants, which is the same number: mean over suites; - where no suite has that level",
		func(row leveled, level int) float64 { return figure.Mean(row.effective[level]) }, figure.Percent); err != nil {
		return err
	}
	if err := levelTable(out, rows, "Mutants with a fault detection rate of at least 90%, by level of adequacy",
		func(row leveled, level int) float64 { return row.reliable[level] }, figure.Percent); err != nil {
		return err
	}
	if err := levelTable(out, rows, "Metamorphic groups by level of adequacy: mean over suites",
		func(row leveled, level int) float64 { return figure.Mean(row.groups[level]) }, func(x float64) string { return figure.Decimal(x, 1) }); err != nil {
		return err
	}
	return reportRanks(out, f, rows)
}

// levelTable prints a value for each subject, criterion and level, and their
// means over the subjects.
func levelTable(out io.Writer, rows []leveled, title string, value func(leveled, int) float64, text func(float64) string) error {
	header := []string{"Program", "criterion"}
	for level := range levels {
		header = append(header, fmt.Sprintf("≤%.1f", float64(level+1)/levels))
	}
	lines := [][]string{header}
	for _, row := range rows {
		line := []string{row.subject, string(row.criterion)}
		for level := range levels {
			line = append(line, text(value(row, level)))
		}
		lines = append(lines, line)
	}
	for _, c := range adequacy.Criteria() {
		line := []string{"mean", string(c)}
		for level := range levels {
			var values []float64
			for _, row := range rows {
				if row.criterion == c {
					values = append(values, value(row, level))
				}
			}
			line = append(line, text(figure.Mean(values)))
		}
		lines = append(lines, line)
	}
	return figure.Table(out, title, lines)
}

// reportRanks prints the rank correlations. The target is for each criterion.
func reportRanks(out io.Writer, f *figure.Set, rows []leveled) error {
	lines := [][]string{{"Criterion", "of means", "least", "reached", "of suites", "least", "reached"}}
	perSubject := [][]string{{"Program", "criterion", "levels", "suites", "of means", "of suites"}}
	var allSuites, allMeans []float64
	for _, c := range adequacy.Criteria() {
		var suites, means []float64
		for _, row := range rows {
			if row.criterion != c {
				continue
			}
			s, m := row.correlations()
			suites, means = append(suites, s), append(means, m)
			filled, n := 0, 0
			for _, values := range row.effective {
				n += len(values)
				filled += min(1, len(values))
			}
			perSubject = append(perSubject, figure.Row(row.subject, c, filled, n, figure.Decimal(m, 3), figure.Decimal(s, 3)))
		}
		lines = append(lines, rankLine(string(c), means, suites))
		f.Number("kmr.rank."+string(c)+".means", figure.Mean(means))
		f.Number("kmr.rank."+string(c)+".suites", figure.Mean(suites))
		f.Number("kmr.rank."+string(c)+".suites_least", figure.Least(suites))
		allSuites, allMeans = append(allSuites, figure.Mean(suites)), append(allMeans, figure.Mean(means))
	}
	lines = append(lines, rankLine("mean", allMeans, allSuites))
	f.Number("kmr.rank.means", figure.Mean(allMeans))
	f.Number("kmr.rank.suites", figure.Mean(allSuites))
	f.Count("kmr.rank.reached_by_means", reaching(allMeans))
	f.Count("kmr.rank.reached_by_suites", reaching(allSuites))
	if err := figure.Table(out, "Rank correlation (Spearman) of level of adequacy and fault detection effectiveness, by program", perSubject); err != nil {
		return err
	}
	return figure.Table(out, fmt.Sprintf("The same, mean over programs and least program; wanted is at least %.1f. Of means is of the levels' means, of suites is of single suites, which differ within a level", wanted), lines)
}

// rankLine is the mean and the least of rank correlations of means and of suites,
// and whether the mean is what is wanted.
func rankLine(name string, means, suites []float64) []string {
	line := []string{name}
	for _, x := range [][]float64{means, suites} {
		reached := "no"
		if figure.Mean(x) >= wanted {
			reached = "yes"
		}
		line = append(line, figure.Decimal(figure.Mean(x), 3), figure.Decimal(figure.Least(x), 3), reached)
	}
	return line
}

func reaching(x []float64) int {
	n := 0
	for _, v := range x {
		figure.CountIf(&n, v >= wanted)
	}
	return n
}

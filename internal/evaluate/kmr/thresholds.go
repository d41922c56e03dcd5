package kmr

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/diff/adequacy"
	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// highestK is the highest k that is tried; after it comes "all".
const highestK = 4

// threshold is what suites gave that satisfy one criterion, and for each k from
// 1 to highestK, and then for all relations that apply: a value for each suite.
type threshold struct {
	subject   string
	criterion adequacy.Criterion
	inputs    []float64
	groups    [][]float64
	effective [][]float64 // fault detection effectiveness
	short     []int       // suites that are not adequate for want of relations
}

// thresholds measures one subject: the paper's RQ1.
func (w *evaluation) thresholds(ctx context.Context, name string) ([]threshold, error) {
	s, err := w.studied(ctx, name)
	if err != nil {
		return nil, err
	}
	var out []threshold
	for _, c := range adequacy.Criteria() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := threshold{subject: name, criterion: c, groups: make([][]float64, highestK+1),
			effective: make([][]float64, highestK+1), short: make([]int, highestK)}
		for i := range w.opt.suites {
			row.add(s, w.random(partK, s, string(c), i))
		}
		out = append(out, row)
	}
	return out, nil
}

// add makes one set of source inputs and a suite for each k. They have the same
// source inputs, and those of a higher k have the relations of a lower.
func (row *threshold) add(s *study, r *rand.Rand) {
	inputs := s.satisfying(row.criterion, r)
	row.inputs = append(row.inputs, float64(len(inputs)))
	x := newSuite(s)
	for i := range row.groups {
		k := i + 1
		if i == highestK {
			k = math.MaxInt // all
		}
		for _, t := range inputs {
			x.take(s, t, k, r)
		}
		if i < highestK && !adequacy.Adequate(s.required[row.criterion], x.used, k) {
			row.short[i]++
		}
		row.groups[i] = append(row.groups[i], float64(x.groups()))
		row.effective[i] = append(row.effective[i], figure.Proportion(x.detects(s).count(), s.mutants))
	}
}

// deviation is the standard deviation of values.
func deviation(x []float64) float64 {
	m, sum := figure.Mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(x)))
}

func reportThresholds(out io.Writer, f *figure.Set, subjects [][]threshold) error {
	header := []string{"Program", "criterion", "inputs"}
	for k := 1; k <= highestK; k++ {
		header = append(header, fmt.Sprintf("k=%d", k), "±")
	}
	header = append(header, "all", "±", "groups k=1", "k=3", "all", "short")
	lines := [][]string{header}
	rows := slices.Concat(subjects...)
	for _, row := range rows {
		lines = append(lines, row.cells())
	}
	for _, c := range adequacy.Criteria() {
		line := make([]string, len(header))
		line[0], line[1] = "mean", string(c)
		for i := range highestK + 1 {
			var means []float64
			for _, row := range rows {
				if row.criterion == c {
					means = append(means, figure.Mean(row.effective[i]))
				}
			}
			name := "all"
			if i < highestK {
				name = strconv.Itoa(i + 1)
			}
			line[3+2*i] = figure.Percent(figure.Mean(means))
			f.Number(fmt.Sprintf("kmr.fde.%s.k_%s", c, name), figure.Mean(means))
		}
		lines = append(lines, line)
	}
	return figure.Table(out, "Fault detection effectiveness of suites that are adequate for k: mean and standard deviation; short: suites with fewer than 4 relations for some requirement", lines)
}

func (row threshold) cells() []string {
	out := figure.Row(row.subject, row.criterion, figure.Decimal(figure.Mean(row.inputs), 1))
	for _, e := range row.effective {
		out = append(out, figure.Percent(figure.Mean(e)), figure.Decimal(100*deviation(e), 1))
	}
	for _, k := range []int{1, 3, highestK + 1} {
		out = append(out, figure.Decimal(figure.Mean(row.groups[k-1]), 0))
	}
	return append(out, strconv.Itoa(row.short[highestK-1]))
}

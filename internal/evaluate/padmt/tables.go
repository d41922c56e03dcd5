package padmt

import (
	"fmt"
	"io"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// all are the values that a technique has for each seed.
func (s *study) all(how technique, value func(result) float64) []float64 {
	var out []float64
	for _, r := range s.results[how] {
		out = append(out, value(r))
	}
	return out
}

func apfdOf(r result) float64 { return r.apfd }

func millisecondsOf(r result) float64 { return 1000 * r.took.Seconds() }

func (s *study) mean(how technique, value func(result) float64) float64 {
	return figure.Mean(s.all(how, value))
}

func (s *study) size() int { return s.results[directed][0].size }

// reportPrograms prints what the paper's Table 4 has.
func reportPrograms(out io.Writer, f *figure.Set, studies []*study) error {
	lines := [][]string{{"Program", "relations", "mutants", "equivalent", "hang", "counted", "branches", "pool", "paths", "suite", "seconds"}}
	var relations, counted, equivalent int
	for _, s := range studies {
		lines = append(lines, figure.Row(s.name, s.relations, s.made, s.equivalent, s.hung, s.mutants, s.branches, len(s.paths), s.different, s.size(), figure.Decimal(s.seconds, 1)))
		relations, counted, equivalent = relations+s.relations, counted+s.mutants, equivalent+s.equivalent
	}
	f.Count("padmt.programs", len(studies))
	f.Count("padmt.relations", relations)
	f.Count("padmt.mutants.counted", counted)
	f.Count("padmt.mutants.equivalent", equivalent)
	return figure.Table(out, "Programs; suite is the source inputs of each suite: one for each path of the pool, within bounds", lines)
}

const (
	leastOfPool = 0.93   // of what the whole pool detects
	paperScore  = 0.6816 // mean of the paper's Table 5
)

// reportScores prints the paper's Table 5.
func reportScores(out io.Writer, f *figure.Set, studies []*study) error {
	lines := [][]string{{"Program", "pool", "PaDMT", "least", "of the pool's", "target 93%"}}
	var missed []string
	var means, pools []float64
	for _, s := range studies {
		ceiling := figure.Proportion(s.ceiling, s.mutants)
		scores := s.all(directed, func(r result) float64 { return r.score })
		share := figure.Mean(scores) / ceiling
		verdict := "reached"
		if share < leastOfPool {
			verdict = "MISSED"
			missed = append(missed, s.name)
		}
		lines = append(lines, figure.Row(s.name, figure.Percent(ceiling), figure.Percent(figure.Mean(scores)), figure.Percent(figure.Least(scores)), figure.Percent(share), verdict))
		means, pools = append(means, figure.Mean(scores)), append(pools, ceiling)
		f.Number("padmt.score."+s.name, figure.Mean(scores))
		f.Number("padmt.score_of_pool."+s.name, share)
	}
	lines = append(lines, figure.Row("mean", figure.Percent(figure.Mean(pools)), figure.Percent(figure.Mean(means)), "", "", ""),
		figure.Row("mean of the paper", "", fmt.Sprintf("%.2f%%", 100*paperScore), "", "", ""))
	f.Number("padmt.score.mean", figure.Mean(means))
	f.Count("padmt.score.missed", len(missed))
	return figure.Table(out, "Table 5: mutants detected by violated relations, of those that count: by all groups of the pool, and by suites, mean and least", lines)
}

// standing says how PaDMT compares with another technique: above or below where it is probably no
// chance, a tie otherwise.
type standing string

// The standings.
const (
	above standing = "above"
	tie   standing = "tie"
	below standing = "MISSED"
)

func (s *study) against(rival technique) (p, effect float64, how standing) {
	ours, theirs := s.all(directed, apfdOf), s.all(rival, apfdOf)
	p, effect = figure.MannWhitney(ours, theirs), figure.A12(ours, theirs)
	switch {
	case p >= 0.05:
		return p, effect, tie
	case effect > 0.5:
		return p, effect, above
	}
	return p, effect, below
}

// reportAPFD prints the paper's Tables 7 and 8.
func reportAPFD(out io.Writer, f *figure.Set, studies []*study) error {
	lines, compared := [][]string{{"Program"}}, [][]string{{"Program"}}
	for _, how := range techniques() {
		lines[0] = append(lines[0], string(how))
	}
	count := map[standing]int{}
	for _, how := range rivals() {
		compared[0] = append(compared[0], string(how), "p", "A12")
	}
	for _, s := range studies {
		line, row := []string{s.name}, []string{s.name}
		for _, how := range techniques() {
			line = append(line, fmt.Sprintf("%.2f%%", 100*s.mean(how, apfdOf)))
			f.Number("padmt.apfd."+s.name+"."+string(how), s.mean(how, apfdOf))
		}
		for _, rival := range rivals() {
			p, effect, how := s.against(rival)
			row = append(row, string(how), fmt.Sprintf("%.1e", p), figure.Decimal(effect, 2))
			count[how]++
		}
		lines, compared = append(lines, line), append(compared, row)
	}
	for _, how := range []standing{above, tie, below} {
		f.Count("padmt.apfd."+strings.ToLower(string(how)), count[how])
	}
	if err := figure.Table(out, "Table 7: APFD, mean; a mutant that is not detected counts as one input more than there are", lines); err != nil {
		return err
	}
	return figure.Table(out, "Table 8: PaDMT's APFD against the others': Mann-Whitney's p and Vargha and Delaney's effect size; a tie if p is not below 0.05", compared)
}

// reportCurves prints the paper's Figure 4.
func reportCurves(out io.Writer, f *figure.Set, studies []*study) error {
	lines := [][]string{{"Program", "technique"}}
	for k := range tenths {
		lines[0] = append(lines[0], fmt.Sprintf("%d%%", 100*(k+1)/tenths))
	}
	leads := 0
	for _, s := range studies {
		for _, how := range techniques() {
			row := []string{s.name, string(how)}
			for k := range tenths {
				row = append(row, figure.Percent(s.mean(how, func(r result) float64 { return r.curve[k] })))
			}
			lines = append(lines, row)
		}
		for k := range tenths {
			figure.CountIf(&leads, s.leads(k))
		}
	}
	f.Count("padmt.curve.leads", leads)
	f.Count("padmt.curve.of", tenths*len(studies))
	return figure.Table(out, "Figure 4: mutants detected by the first inputs of a suite, mean", lines)
}

// leads reports whether no other technique has detected more after some tenths.
func (s *study) leads(k int) bool {
	at := func(r result) float64 { return r.curve[k] }
	for _, how := range rivals() {
		if s.mean(how, at) > s.mean(directed, at) {
			return false
		}
	}
	return true
}

// reportCost prints the paper's Table 9.
func reportCost(out io.Writer, f *figure.Set, studies []*study) error {
	lines := [][]string{{"Program", "inputs"}}
	for _, how := range techniques() {
		lines[0] = append(lines[0], string(how)+" ms")
	}
	lines[0] = append(lines[0], "ordering ms", "PO")
	for _, s := range studies {
		row := figure.Row(s.name, s.size())
		for _, how := range techniques() {
			row = append(row, figure.Decimal(s.mean(how, millisecondsOf), 3))
		}
		with, without := s.mean(directed, millisecondsOf), s.mean(unordered, millisecondsOf)
		lines = append(lines, append(row, figure.Decimal(with-without, 3), figure.Percent((with-without)/with)))
		f.Number("padmt.cost.ordering_ms."+s.name, with-without)
	}
	return figure.Table(out, "Table 9: time to get a suite; PO is the share of ordering, (PaDMT - unordered) / PaDMT", lines)
}

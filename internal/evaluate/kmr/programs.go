package kmr

import (
	"io"
	"strconv"

	"github.com/isodelta/isodelta/diff/adequacy"
	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

func total(n []int) int {
	sum := 0
	for _, x := range n {
		sum += x
	}
	return sum
}

func (s *study) differentForms() int {
	seen := map[string]bool{}
	for _, f := range s.forms {
		seen[f] = true
	}
	return len(seen)
}

// meanRelations is how many relations apply to a source input.
func (s *study) meanRelations() float64 {
	sum := 0
	for _, r := range s.relations {
		sum += len(r)
	}
	return figure.Proportion(sum, len(s.relations))
}

// reportSubjects prints what the paper's Tables V and VI have.
func reportSubjects(out io.Writer, f *figure.Set, studies []*study) error {
	lines := [][]string{{"Program", "#Gen", "#Equ", "hang", "#App", "#I-cat", "#I-cho", "#O-cat", "#O-cho", "#MR", "forms", "MRs/input", "pool", "detectable", "seconds"}}
	sets := [][]string{{"Program"}}
	for _, c := range adequacy.Criteria() {
		sets[0] = append(sets[0], string(c), "infeasible")
	}
	var made, equivalent, hung, counting, relations int
	var ceilings []float64
	for _, s := range studies {
		ceiling := figure.Proportion(s.ceiling, s.mutants)
		lines = append(lines, figure.Row(s.name, s.made, s.equivalent, s.hung, s.mutants, len(s.inCats), total(s.inCats),
			len(s.outCats), total(s.outCats), len(s.forms), s.differentForms(), figure.Decimal(s.meanRelations(), 1),
			len(s.pool), figure.Percent(ceiling), figure.Decimal(s.seconds, 1)))
		row := []string{s.name}
		for _, c := range adequacy.Criteria() {
			row = append(row, strconv.Itoa(len(s.required[c])), strconv.Itoa(s.infeasible[c]))
		}
		sets = append(sets, row)
		made, equivalent, hung, counting, relations = made+s.made, equivalent+s.equivalent, hung+s.hung, counting+s.mutants, relations+len(s.forms)
		ceilings = append(ceilings, ceiling)
	}
	f.Count("kmr.programs", len(studies))
	f.Count("kmr.relations", relations)
	f.Count("kmr.mutants.made", made)
	f.Count("kmr.mutants.equivalent", equivalent)
	f.Count("kmr.mutants.hang", hung)
	f.Count("kmr.mutants.counted", counting)
	f.Number("kmr.detectable.mean", figure.Mean(ceilings))
	if err := figure.Table(out, "Programs, mutants, relations; detectable is the share of mutants that some group of the whole pool detects", lines); err != nil {
		return err
	}
	return figure.Table(out, "Requirements of each criterion; those that no source input satisfies are left out, as infeasible", sets)
}

package ison

import (
	"io"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// detection is what was found out about one mutant that the tests do not kill.
type detection struct {
	Same      bool // in SSA form it is the original: there is nothing to find
	Observed  bool // an unmodified test sees another value
	Universal bool // a test sees a difference, that it did not see before, under a set of the universal list
	Unique    bool // likewise of the unique list, which holds the universal one
	Both      bool // likewise, or where a condition is negated that the test takes both ways
	Reported  bool // by the unique list, and the engine holds the forced state for plausible
	Wide      bool // likewise with the conditions that the test takes both ways
	By        string
	Ran       int  // variants run on head
	Pruned    int  // variants that provably do not differ
	Unmatched int  // conditions without a counterpart
	Cut       bool // the time for one mutant ended
}

// detect books a confirmed difference. Each list holds the one before.
func (d *detection) detect(l list) {
	d.Universal = d.Universal || l == universalList
	d.Unique = d.Unique || l <= uniqueList
	d.Both = true
}

func (d *detection) report(l list) {
	d.Reported = d.Reported || l <= uniqueList
	d.Wide = true
}

// by reports whether a list up to this one has detected the mutant.
func (d *detection) by(l list) bool { return d.Unique || d.Both && l == bothList }

// faultRow is a subject's row of Table 3.
type faultRow struct {
	subject    string
	made       int // mutants
	all        int // of those, in the schemata
	structural int
	plain      int
	unkilled   int
	same       int
	observed   int
	universal  int
	unique     int
	both       int
	reported   int
	wide       int
	either     [4]int // by observation or universal list; or unique list; or reported; or reported in the widest list
	ran        int
	pruned     int
	unmatched  int
	cut        int
	tests      int
	setAside   int
	variants   int // of base
	baseCut    int // of those that there are, for want of time not run
	seconds    float64
}

// add books one mutant that the tests do not kill.
func (r *faultRow) add(d detection) {
	r.unkilled++
	figure.CountIf(&r.same, d.Same)
	figure.CountIf(&r.observed, d.Observed)
	figure.CountIf(&r.universal, d.Universal)
	figure.CountIf(&r.unique, d.Unique)
	figure.CountIf(&r.reported, d.Reported)
	figure.CountIf(&r.both, d.Both)
	figure.CountIf(&r.wide, d.Wide)
	figure.CountIf(&r.either[0], d.Observed || d.Universal)
	figure.CountIf(&r.either[1], d.Observed || d.Unique)
	figure.CountIf(&r.either[2], d.Observed || d.Reported)
	figure.CountIf(&r.either[3], d.Observed || d.Wide)
	figure.CountIf(&r.cut, d.Cut)
	r.ran += d.Ran
	r.pruned += d.Pruned
	r.unmatched += d.Unmatched
}

// numbers are those that add up over subjects.
func (r *faultRow) numbers() []*int {
	return []*int{&r.made, &r.all, &r.structural, &r.plain, &r.unkilled, &r.same, &r.observed, &r.universal, &r.unique,
		&r.reported, &r.both, &r.wide, &r.either[0], &r.either[1], &r.either[2], &r.either[3], &r.ran, &r.pruned, &r.unmatched,
		&r.cut, &r.tests, &r.setAside, &r.variants, &r.baseCut}
}

// share is a number of detected mutants among those that the tests do not kill.
func (r faultRow) share(detected int) float64 { return figure.Proportion(detected, r.unkilled) }

// ways are the columns of Table 3 with the names of their figures.
func ways() (columns, names []string) {
	return []string{"observed", "VL", "QL", "VL or obs.", "QL or obs.", "QL reported", "rep. or obs.", "QL+both", "QL+both rep.", "rep. or obs."},
		[]string{"observation", "vl", "ql", "vl_or_observation", "ql_or_observation", "ql_reported", "ql_reported_or_observation",
			"both", "both_reported", "both_reported_or_observation"}
}

// columns is the number of ways.
const columns = 10

// detected are the numbers of these columns.
func (r faultRow) detected() [columns]int {
	return [...]int{r.observed, r.universal, r.unique, r.either[0], r.either[1], r.reported, r.either[2], r.both, r.wide, r.either[3]}
}

func (r faultRow) cells() []string {
	out := figure.Row(r.subject, r.all, r.unkilled)
	for _, x := range r.detected() {
		out = append(out, figure.Row(x, figure.Percent(r.share(x)))...)
	}
	return append(out, figure.Row(r.same, r.made-r.all, r.tests, r.variants, r.baseCut, r.ran, figure.Percent(figure.Proportion(r.pruned, r.pruned+r.ran)),
		r.unmatched, r.cut, figure.Decimal(r.seconds, 1))...)
}

func reportFaults(out io.Writer, f *figure.Set, rows []faultRow) error {
	titles, names := ways()
	header := []string{"Subject", "M_all", "M_unkill"}
	for _, c := range titles {
		header = append(header, c, "M_prop")
	}
	lines := [][]string{append(header, "same SSA", "left out", "tests", "variants on base", "not run", "on head", "pruned", "unmatched", "cut", "seconds")}
	var shares [columns]figure.Share
	sum := faultRow{subject: "all"}
	for _, r := range rows {
		lines = append(lines, r.cells())
		for i, x := range r.detected() {
			shares[i].Add(x, r.unkilled)
		}
		figure.Sum(sum.numbers(), r.numbers())
		sum.seconds += r.seconds
	}
	middle := make([]string, len(lines[0]))
	middle[0] = "median"
	f.Count("ison.faults.subjects", len(rows))
	f.Count("ison.faults.all", sum.all)
	f.Count("ison.faults.unkilled", sum.unkilled)
	f.Count("ison.faults.same_ssa", sum.same)
	f.Count("ison.faults.structural_left_out", sum.structural)
	f.Count("ison.faults.plain_left_out", sum.plain)
	f.Count("ison.faults.cut", sum.cut)
	f.Count("ison.faults.variants_not_run", sum.baseCut)
	for i, name := range names {
		middle[4+2*i] = figure.Percent(shares[i].Median())
		f.Share("ison."+name, shares[i])
	}
	f.Count("ison.faults.variants", sum.ran)
	f.Number("ison.faults.pruned_share", figure.Proportion(sum.pruned, sum.pruned+sum.ran))
	return figure.Table(out, "Tables 3 and 4: additionally detected faults among those that the tests do not kill, depth 1", append(lines, sum.cells(), middle))
}

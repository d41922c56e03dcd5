package ison

import (
	"io"
	"strconv"

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
	for _, c := range []struct {
		count *int
		holds bool
	}{
		{&r.same, d.Same}, {&r.observed, d.Observed}, {&r.universal, d.Universal}, {&r.unique, d.Unique}, {&r.reported, d.Reported}, {&r.both, d.Both}, {&r.wide, d.Wide},
		{&r.either[0], d.Observed || d.Universal}, {&r.either[1], d.Observed || d.Unique},
		{&r.either[2], d.Observed || d.Reported}, {&r.either[3], d.Observed || d.Wide}, {&r.cut, d.Cut},
	} {
		if c.holds {
			*c.count++
		}
	}
	r.ran += d.Ran
	r.pruned += d.Pruned
	r.unmatched += d.Unmatched
}

// plus is the row of two subjects together.
func (r faultRow) plus(o faultRow) faultRow {
	for _, c := range []struct{ to, from *int }{
		{&r.made, &o.made}, {&r.all, &o.all}, {&r.structural, &o.structural}, {&r.plain, &o.plain},
		{&r.unkilled, &o.unkilled}, {&r.same, &o.same}, {&r.observed, &o.observed},
		{&r.universal, &o.universal}, {&r.unique, &o.unique}, {&r.reported, &o.reported}, {&r.both, &o.both}, {&r.wide, &o.wide},
		{&r.either[0], &o.either[0]}, {&r.either[1], &o.either[1]}, {&r.either[2], &o.either[2]}, {&r.either[3], &o.either[3]},
		{&r.ran, &o.ran}, {&r.pruned, &o.pruned}, {&r.unmatched, &o.unmatched}, {&r.cut, &o.cut},
		{&r.tests, &o.tests}, {&r.setAside, &o.setAside}, {&r.variants, &o.variants}, {&r.baseCut, &o.baseCut},
	} {
		*c.to += *c.from
	}
	r.seconds += o.seconds
	return r
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
	n := strconv.Itoa
	out := []string{r.subject, n(r.all), n(r.unkilled)}
	for _, x := range r.detected() {
		out = append(out, n(x), figure.Percent(r.share(x)))
	}
	return append(out, n(r.same), n(r.made-r.all), n(r.tests), n(r.variants), n(r.baseCut), n(r.ran), figure.Percent(figure.Proportion(r.pruned, r.pruned+r.ran)),
		n(r.unmatched), n(r.cut), strconv.FormatFloat(r.seconds, 'f', 1, 64))
}

func reportFaults(out io.Writer, f *figure.Set, rows []faultRow) error {
	titles, names := ways()
	header := []string{"Subject", "M_all", "M_unkill"}
	for _, c := range titles {
		header = append(header, c, "M_prop")
	}
	lines := [][]string{append(header, "same SSA", "left out", "tests", "variants on base", "not run", "on head", "pruned", "unmatched", "cut", "seconds")}
	var shares [columns][]float64
	sum := faultRow{}
	for _, r := range rows {
		lines = append(lines, r.cells())
		for i, x := range r.detected() {
			shares[i] = append(shares[i], r.share(x))
		}
		sum = sum.plus(r)
	}
	sum.subject = "all"
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
		middle[4+2*i] = figure.Percent(figure.Median(shares[i]))
		f.Number("ison."+name+".median", figure.Median(shares[i]))
		f.Number("ison."+name+".overall", sum.share(sum.detected()[i]))
	}
	f.Count("ison.faults.variants", sum.ran)
	f.Number("ison.faults.pruned_share", figure.Proportion(sum.pruned, sum.pruned+sum.ran))
	return figure.Table(out, "Tables 3 and 4: additionally detected faults among those that the tests do not kill, depth 1", append(lines, sum.cells(), middle))
}

package automr

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// markdown prints a table, the first column to the left and the others to the
// right.
func markdown(out io.Writer, title string, rows [][]string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n", title)
	for i, r := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "| ---%s |\n", strings.Repeat(" | --:", len(r)-1))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// seconds for a reader.
func seconds(x float64) string { return figure.Decimal(x, 2) }

func (e *evaluation) reportInference(out io.Writer, f *figure.Set, rows []inferenceRow) error {
	for _, report := range []func(io.Writer, *figure.Set, []inferenceRow) error{reportTypes, e.reportRedundancy, e.reportTime} {
		if err := report(out, f, rows); err != nil {
			return err
		}
	}
	if !e.opt.list {
		return nil
	}
	for _, r := range rows {
		lines := [][]string{{"Type", "Relation", "Tolerance"}}
		for _, x := range r.result.Relations {
			lines = append(lines, []string{formOf(x).String(), "`" + x.Notation(r.program.name, r.subject.Params) + "`", fmt.Sprint(x.Tolerance)})
		}
		if err := markdown(out, "Relations of "+r.program.name, lines); err != nil {
			return err
		}
	}
	return nil
}

// reportTypes is Table III.
func reportTypes(out io.Writer, f *figure.Set, rows []inferenceRow) error {
	columns := columns()
	head := []string{"Program", "in Go", "domain"}
	for _, c := range columns {
		head = append(head, c.title)
	}
	lines := [][]string{append(head, "all")}
	sums := map[string][]float64{}
	counts := map[string]int{}
	for _, r := range rows {
		line := []string{r.program.name, r.program.from, domainText(r.program)}
		family := r.program.family()
		counts[family]++
		if sums[family] == nil {
			sums[family] = make([]float64, len(columns))
		}
		for i, c := range columns {
			n := 0
			for _, x := range r.result.Relations {
				figure.CountIf(&n, c.has(formOf(x)))
			}
			sums[family][i] += float64(n)
			line = append(line, strconv.Itoa(n))
		}
		lines = append(lines, append(line, strconv.Itoa(len(r.result.Relations))))
	}
	for _, x := range []struct{ family, words string }{{"apache", "the eight, mean"}, {"numpy", "others of the paper, mean"}, {"fees", "fees, mean"}} {
		if counts[x.family] == 0 {
			continue
		}
		line := []string{x.words, "", ""}
		all := 0.0
		for i, c := range columns {
			mean := sums[x.family][i] / float64(counts[x.family])
			all += mean
			line = append(line, fmt.Sprintf("%.1f", mean))
			f.Number(fmt.Sprintf("automr.relations.%s.%s.mean", x.family, c.name), mean)
		}
		lines = append(lines, append(line, fmt.Sprintf("%.1f", all)))
	}
	f.Count("automr.programs", len(rows))
	without := 0
	for _, r := range rows {
		figure.CountIf(&without, len(r.result.Relations) == 0)
	}
	f.Count("automr.programs_without_relations", without)
	return markdown(out, "Table III: relations kept, by type; those of forms that the paper's Table III does not have (one input, a degree of the input relation above 1, inequalities of a higher degree) apart", lines)
}

func domainText(p program) string {
	var all []string
	for _, b := range slices.Compact(p.bounds()) {
		all = append(all, fmt.Sprintf("%g..%g", b.min, b.max))
	}
	return strings.Join(all, ", ")
}

// reportRedundancy is Table IV.
func (e *evaluation) reportRedundancy(out io.Writer, f *figure.Set, rows []inferenceRow) error {
	lines := [][]string{{"Program", "equalities before/after", "removed", "still redundant", "part of the redundant ones removed", "inequalities before/after", "removed"}}
	var before, after, left, inBefore, inAfter int
	line := func(name string, b, a, l, ib, ia int) []string {
		return figure.Row(name, fmt.Sprintf("%d/%d", b, a), figure.Percent(figure.Proportion(b-a, b)), l,
			figure.Percent(figure.Proportion(b-a, b-a+l)), fmt.Sprintf("%d/%d", ib, ia), figure.Percent(figure.Proportion(ib-ia, ib)))
	}
	for _, r := range rows {
		if !r.program.apache {
			continue
		}
		b, a := r.found(equalities()...), r.kept(equalities()...)
		ib, ia := r.found(inequalities()...), r.kept(inequalities()...)
		before, after, left, inBefore, inAfter = before+b, after+a, left+r.left, inBefore+ib, inAfter+ia
		lines = append(lines, line(r.program.name, b, a, r.left, ib, ia))
	}
	if before+inBefore == 0 {
		return nil
	}
	lines = append(lines, line("all", before, after, left, inBefore, inAfter))
	f.Number("automr.redundancy.equalities.removed", figure.Proportion(before-after, before))
	f.Number("automr.redundancy.equalities.of_redundant", figure.Proportion(before-after, before-after+left))
	solver := "none"
	if e.opt.solver != "" {
		solver = filepath.Base(e.opt.solver)
	}
	f.Text("automr.solver", solver)
	f.Number("automr.redundancy.inequalities.removed", figure.Proportion(inBefore-inAfter, inBefore))
	return markdown(out, "Table IV: relations found before and after cleansing. An equality is redundant if, at generic inputs, its polynomial "+
		"of outputs is a combination (coefficients: polynomials up to degree 3 in all) of those of the other kept relations at the same inputs and at those that they lead to", lines)
}

// reportTime is Table VI.
func (e *evaluation) reportTime(out io.Writer, f *figure.Set, rows []inferenceRow) error {
	lines := [][]string{{"Program", "seconds", "relations kept", "ms for each", "runs of the program"}}
	var each, eightEach []float64
	var all, eight float64
	for _, r := range rows {
		ms := r.milliseconds()
		all += r.took.Seconds()
		each = append(each, ms)
		if r.program.apache {
			eight += r.took.Seconds()
			eightEach = append(eightEach, ms)
		}
		lines = append(lines, figure.Row(r.program.name, seconds(r.took.Seconds()), len(r.result.Relations), figure.Decimal(ms, 1), r.calls))
	}
	f.Number("automr.seconds.eight", eight)
	f.Number("automr.seconds.inference", all)
	f.Number("automr.seconds.build", e.built.Seconds())
	f.Number("automr.ms_per_relation.eight.median", figure.Median(eightEach))
	f.Number("automr.ms_per_relation.median", figure.Median(each))
	lines = append(lines, []string{"the eight, sum or median", seconds(eight), "", figure.Decimal(figure.Median(eightEach), 1), ""},
		[]string{"all, sum or median", seconds(all), "", figure.Decimal(figure.Median(each), 1), ""})
	return markdown(out, fmt.Sprintf("Table VI: time of the inference, wall clock; copying and building the programs took %s s more, once for all", seconds(e.built.Seconds())), lines)
}

// milliseconds is the time of the inference for each relation kept, NaN for none.
func (i inferred) milliseconds() float64 {
	if len(i.result.Relations) == 0 {
		return math.NaN()
	}
	return 1000 * i.took.Seconds() / float64(len(i.result.Relations))
}

// reportLaws is Table I.
func reportLaws(out io.Writer, f *figure.Set, rows [][]foundLaw) error {
	lines := [][]string{{"Law", "in the paper", "program", "found", "by one relation"}}
	found, all, foundOne, allOne := 0, 0, 0, 0
	for _, r := range rows {
		for _, l := range r {
			word := "**no**"
			if l.found {
				word = "yes"
			}
			alone := "-"
			if l.alone != "" {
				alone = "`" + l.alone + "`"
			}
			lines = append(lines, []string{l.text, l.where, l.program, word, alone})
			all++
			figure.CountIf(&found, l.found)
			if strings.HasPrefix(l.where, "Table I ") {
				allOne++
				figure.CountIf(&foundOne, l.found)
			}
		}
	}
	f.Count("automr.laws.table_one", allOne)
	f.Count("automr.laws.table_one.found", foundOne)
	f.Count("automr.laws", all)
	f.Count("automr.laws.found", found)
	return markdown(out, "Laws that the paper names, and whether what was kept implies them", lines)
}

// counts of one program's mutants.
type counts struct {
	all, killed                                        int
	withoutBands, paperForms                           int // killed by some forms alone
	missing, crashed, timedOut                         int // killed by nothing else
	differing, differingKilled, notable, notableKilled int
}

func (d detection) count(include func(fate) bool) counts {
	var c counts
	for _, x := range d.fates {
		if !include(x) {
			continue
		}
		c.all++
		figure.CountIf(&c.killed, x.killed())
		figure.CountIf(&c.withoutBands, x.killedBy(func(f form) bool { return !band(f) }))
		figure.CountIf(&c.paperForms, x.killedBy(func(f form) bool { return !f.other }))
		if len(x.by) == 0 && x.killed() {
			switch {
			case len(x.missing) > 0:
				c.missing++
			case len(x.crashed) > 0:
				c.crashed++
			default:
				c.timedOut++
			}
		}
		figure.CountIf(&c.differing, x.any)
		figure.CountIf(&c.differingKilled, x.any && x.killed())
		figure.CountIf(&c.notable, x.notable)
		figure.CountIf(&c.notableKilled, x.notable && x.killed())
	}
	return c
}

func (c *counts) numbers() []*int {
	return []*int{&c.all, &c.killed, &c.withoutBands, &c.paperForms, &c.missing, &c.crashed, &c.timedOut, &c.differing, &c.differingKilled, &c.notable, &c.notableKilled}
}

// reportDetection is Table V.
func (e *evaluation) reportDetection(out io.Writer, f *figure.Set, rows []detection) error {
	everything := func(fate) bool { return true }
	for _, x := range []struct {
		name, title string
		include     func(fate) bool
	}{
		{"reached", "Table V: mutants of a program with what it calls, killed by relations", everything},
		{"own", "Table V, only mutants of the program's own file", func(x fate) bool { return x.own }},
	} {
		if err := reportKilled(out, f, rows, x.name, x.title, x.include); err != nil {
			return err
		}
	}
	failing := 0
	for _, r := range rows {
		failing += r.failing
		if !e.opt.missed {
			continue
		}
		for _, x := range r.fates {
			if x.any && !x.killed() {
				e.Say("  %s: missed, notable %v: %s", r.program.name, x.notable, x.mutant)
			}
		}
	}
	f.Count("automr.detection.groups_failing_on_original", failing)
	f.Number("automr.seconds_per_relation_and_fault", perRelationAndFault(rows))
	return nil
}

// perRelationAndFault is the figure of the paper's Table VI, as we read it: the
// seconds of inference for each relation kept, and those of trying mutants for
// each that is killed.
func perRelationAndFault(rows []detection) float64 {
	var inferred, tried float64
	kept, killed := 0, 0
	for _, r := range rows {
		inferred += r.inferred.Seconds()
		kept += r.kept
		for _, x := range r.fates {
			tried += x.took.Seconds()
			if x.killed() {
				killed++
			}
		}
	}
	return inferred/float64(kept) + tried/float64(killed)
}

// killedShare is one of Table V's shares of mutants.
type killedShare struct {
	name, title string
	part, whole int
}

// shares are those of some mutants.
func (c counts) shares() []killedShare {
	return []killedShare{
		{"all", "share", c.killed, c.all},
		{"without_bands", "share without VII–VIII of other forms", c.withoutBands, c.all},
		{"paper_forms", "share by the paper's forms alone", c.paperForms, c.all},
		{"distinguished", "share of distinguished", c.differingKilled, c.differing},
		{"notable", "share of these", c.notableKilled, c.notable},
	}
}

func reportKilled(out io.Writer, f *figure.Set, rows []detection, name, title string, include func(fate) bool) error {
	if len(rows) == 0 {
		return nil
	}
	columns := columns()
	head := []string{"Program", "mutants"}
	for _, c := range columns {
		head = append(head, c.title)
	}
	of := counts{}.shares()
	head = append(head, "killed", of[0].title, of[1].title, of[2].title, "only by: no output", "panic", "no end",
		"not distinguished", of[3].title, "distinguished notably", of[4].title)
	lines := [][]string{head}
	var sum counts
	sums := make([]int, len(columns))
	shares := make([]figure.Share, len(of))
	line := func(name string, c counts, byColumn []int) []string {
		l := figure.Row(name, c.all)
		for _, n := range byColumn {
			l = append(l, strconv.Itoa(n))
		}
		var percent []string
		for _, s := range c.shares() {
			percent = append(percent, figure.Percent(figure.Proportion(s.part, s.whole)))
		}
		return append(l, figure.Row(c.killed, percent[0], percent[1], percent[2], c.missing, c.crashed, c.timedOut,
			c.all-c.differing, percent[3], c.notable, percent[4])...)
	}
	for _, r := range rows {
		c := r.count(include)
		figure.Sum(sum.numbers(), c.numbers())
		byColumn := make([]int, len(columns))
		for _, x := range r.fates {
			for i, col := range columns {
				if include(x) && x.by.any(col.has) {
					byColumn[i]++
					sums[i]++
				}
			}
		}
		for i, s := range c.shares() {
			shares[i].Add(s.part, s.whole)
		}
		f.Number("automr.killed."+name+"."+r.program.name, figure.Proportion(c.killed, c.all))
		lines = append(lines, line(r.program.name, c, byColumn))
	}
	lines = append(lines, line("all", sum, sums))
	mean := make([]string, len(head))
	mean[0] = "mean of the programs"
	for i, s := range of {
		mean[slices.Index(head, s.title)] = figure.Percent(shares[i].Mean())
		f.Number("automr.killed."+name+"."+s.name+".mean", shares[i].Mean())
		f.Number("automr.killed."+name+"."+s.name+".least", shares[i].Least())
	}
	f.Count("automr.killed."+name+".mutants", sum.all)
	f.Count("automr.killed."+name+".killed", sum.killed)
	f.Count("automr.killed."+name+".no_output_only", sum.missing)
	f.Count("automr.killed."+name+".panic_only", sum.crashed)
	f.Count("automr.killed."+name+".no_end_only", sum.timedOut)
	f.Count("automr.killed."+name+".not_distinguished", sum.all-sum.differing)
	return markdown(out, title, append(lines, mean))
}

// reportMethods sets both methods side by side.
func reportMethods(out io.Writer, f *figure.Set, rows [][2]compared) error {
	lines := [][]string{{"Program", "null-space: found/kept", "seconds", "ms for each", "killed", "groups failing on base",
		"paper: found/kept", "seconds", "ms for each", "killed", "groups failing on base"}}
	names := []string{"null_space", "paper"}
	var shares [2]figure.Share
	var each [2][]float64
	var took [2]float64
	for _, r := range rows {
		line := []string{r[0].inferred.program.name}
		for i, x := range r {
			c := x.count(func(fate) bool { return true })
			shares[i].Add(c.killed, c.all)
			each[i] = append(each[i], x.milliseconds())
			took[i] += x.took.Seconds()
			line = append(line, figure.Row(fmt.Sprintf("%d/%d", x.found(automr.AllTypes...), len(x.result.Relations)), seconds(x.took.Seconds()),
				figure.Decimal(x.milliseconds(), 1), figure.Percent(figure.Proportion(c.killed, c.all)), x.failing)...)
		}
		lines = append(lines, line)
	}
	if len(rows) == 0 {
		return nil
	}
	line := []string{"mean, sum or median"}
	for i, name := range names {
		line = append(line, "", seconds(took[i]), figure.Decimal(figure.Median(each[i]), 1), figure.Percent(shares[i].Mean()), "")
		f.Number("automr.methods."+name+".killed.mean", shares[i].Mean())
		f.Number("automr.methods."+name+".seconds", took[i])
		f.Number("automr.methods."+name+".ms_per_relation.median", figure.Median(each[i]))
	}
	return markdown(out, "Null-space method and the paper's, of mutants with what the program calls", append(lines, line))
}

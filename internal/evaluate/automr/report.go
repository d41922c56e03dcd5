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
			lines = append(lines, []string{x.Type.String(), "`" + x.Notation(r.program.name, r.subject.Params) + "`", fmt.Sprint(x.Tolerance)})
		}
		if err := markdown(out, "Relations of "+r.program.name, lines); err != nil {
			return err
		}
	}
	return nil
}

// reportTypes is Table III.
func reportTypes(out io.Writer, f *figure.Set, rows []inferenceRow) error {
	head := []string{"Program", "in Go", "domain"}
	for _, t := range automr.AllTypes {
		head = append(head, t.String())
	}
	lines := [][]string{append(head, "all")}
	sums := map[bool][]float64{true: make([]float64, len(automr.AllTypes)), false: make([]float64, len(automr.AllTypes))}
	counts := map[bool]int{}
	for _, r := range rows {
		line := []string{r.program.name, r.program.from, domainText(r.program)}
		counts[r.program.apache]++
		for i, t := range automr.AllTypes {
			n := r.kept(t)
			sums[r.program.apache][i] += float64(n)
			line = append(line, strconv.Itoa(n))
		}
		lines = append(lines, append(line, strconv.Itoa(len(r.result.Relations))))
	}
	for _, x := range []struct {
		apache      bool
		name, words string
	}{{true, "apache", "the eight, mean"}, {false, "numpy", "others, mean"}} {
		if counts[x.apache] == 0 {
			continue
		}
		line := []string{x.words, "", ""}
		all := 0.0
		for i, t := range automr.AllTypes {
			mean := sums[x.apache][i] / float64(counts[x.apache])
			all += mean
			line = append(line, fmt.Sprintf("%.1f", mean))
			f.Number(fmt.Sprintf("automr.relations.%s.%s.mean", x.name, t), mean)
		}
		lines = append(lines, append(line, fmt.Sprintf("%.1f", all)))
	}
	f.Count("automr.programs", len(rows))
	without := 0
	for _, r := range rows {
		figure.CountIf(&without, len(r.result.Relations) == 0)
	}
	f.Count("automr.programs_without_relations", without)
	return markdown(out, "Table III: relations kept, by type", lines)
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
	all, killed, inForm                                int
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
		figure.CountIf(&c.inForm, x.killedInForm())
		if len(x.by) == 0 && x.killed() {
			switch {
			case x.missing:
				c.missing++
			case x.crashed:
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
	return []*int{&c.all, &c.killed, &c.inForm, &c.missing, &c.crashed, &c.timedOut, &c.differing, &c.differingKilled, &c.notable, &c.notableKilled}
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

func reportKilled(out io.Writer, f *figure.Set, rows []detection, name, title string, include func(fate) bool) error {
	head := []string{"Program", "mutants"}
	for _, t := range automr.AllTypes {
		head = append(head, t.String())
	}
	head = append(head, "killed", "share", "in the paper's forms", "only by: no output", "panic", "no end", "not distinguished", "share of distinguished", "distinguished notably", "share of these")
	lines := [][]string{head}
	var sum counts
	types := make([]int, len(automr.AllTypes))
	var shares [4]figure.Share // of all, of all by the paper's forms, of those distinguished, of those notably
	line := func(name string, c counts, byType []int) []string {
		l := figure.Row(name, c.all)
		for _, n := range byType {
			l = append(l, strconv.Itoa(n))
		}
		return append(l, figure.Row(c.killed, figure.Percent(figure.Proportion(c.killed, c.all)), figure.Percent(figure.Proportion(c.inForm, c.all)), c.missing, c.crashed, c.timedOut,
			c.all-c.differing, figure.Percent(figure.Proportion(c.differingKilled, c.differing)),
			c.notable, figure.Percent(figure.Proportion(c.notableKilled, c.notable)))...)
	}
	for _, r := range rows {
		c := r.count(include)
		figure.Sum(sum.numbers(), c.numbers())
		byType := make([]int, len(automr.AllTypes))
		for _, x := range r.fates {
			for i, t := range automr.AllTypes {
				if include(x) && x.by[t] {
					byType[i]++
					types[i]++
				}
			}
		}
		shares[0].Add(c.killed, c.all)
		shares[1].Add(c.inForm, c.all)
		shares[2].Add(c.differingKilled, c.differing)
		shares[3].Add(c.notableKilled, c.notable)
		f.Number("automr.killed."+name+"."+r.program.name, figure.Proportion(c.killed, c.all))
		lines = append(lines, line(r.program.name, c, byType))
	}
	if len(rows) == 0 {
		return nil
	}
	lines = append(lines, line("all", sum, types))
	mean := make([]string, len(head))
	mean[0] = "mean of the programs"
	for i, of := range []string{"all", "papers_forms", "distinguished", "notable"} {
		at := len(head) - []int{9, 8, 3, 1}[i]
		mean[at] = figure.Percent(shares[i].Mean())
		f.Number("automr.killed."+name+"."+of+".mean", shares[i].Mean())
		f.Number("automr.killed."+name+"."+of+".least", shares[i].Least())
	}
	f.Count("automr.killed."+name+".mutants", sum.all)
	f.Count("automr.killed."+name+".killed", sum.killed)
	f.Count("automr.killed."+name+".no_output_only", sum.missing)
	f.Count("automr.killed."+name+".panic_only", sum.crashed)
	f.Count("automr.killed."+name+".no_end_only", sum.timedOut)
	f.Count("automr.killed."+name+".not_distinguished", sum.all-sum.differing)
	return markdown(out, title, append(lines, mean))
}

func reportAlarms(out io.Writer, f *figure.Set, rows []alarms) error {
	lines := [][]string{{"Program", "relations", "groups on base", "failing", "groups on an independent implementation", "failing"}}
	var sum alarms
	for _, r := range rows {
		lines = append(lines, r.cells(r.program))
		figure.Sum(sum.numbers(), r.numbers())
	}
	f.Count("automr.false.base.groups", sum.base.groups)
	f.Count("automr.false.base", sum.base.failing)
	f.Count("automr.false.independent.groups", sum.independent.groups)
	f.Count("automr.false.independent", sum.independent.failing)
	return markdown(out, "False detections: groups that apply and fail on correct code, with inputs that the inference has not seen", append(lines, sum.cells("all")))
}

func (a *alarms) numbers() []*int {
	return []*int{&a.relations, &a.base.groups, &a.base.failing, &a.independent.groups, &a.independent.failing}
}

func (a alarms) cells(name string) []string {
	return figure.Row(name, a.relations, a.base.groups, a.base.failing, a.independent.groups, a.independent.failing)
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

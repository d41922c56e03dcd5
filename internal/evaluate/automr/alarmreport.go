package automr

import (
	"io"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

func reportAlarms(out io.Writer, f *figure.Set, rows []alarms) error {
	lines := [][]string{{"Program", "relations", "groups on base", "failing", "beyond rounding", "relations with one",
		"groups on an independent implementation", "failing", "beyond rounding", "relations with one"}}
	var sum alarms
	for _, r := range rows {
		lines = append(lines, r.cells(r.program.name))
		figure.Sum(sum.numbers(), r.numbers())
	}
	f.Count("automr.false.relations", sum.relations)
	for _, x := range []struct {
		name string
		tally
	}{{"base", sum.base}, {"independent", sum.independent}} {
		f.Count("automr.false."+x.name+".groups", x.groups)
		f.Count("automr.false."+x.name, x.failing)
		f.Count("automr.false."+x.name+".beyond_rounding", x.beyond)
		f.Count("automr.false."+x.name+".relations", x.sentences)
	}
	return markdown(out, "False detections: groups that apply and fail on correct code, of relations as they are printed, with inputs that the inference has not seen; "+
		"\"beyond rounding\" are those that a few units in the last place of a follow-up input do not explain", append(lines, sum.cells("all")))
}

func (a *alarms) numbers() []*int {
	return append(append([]*int{&a.relations}, a.base.numbers()...), a.independent.numbers()...)
}

func (t *tally) numbers() []*int { return []*int{&t.groups, &t.failing, &t.beyond, &t.sentences} }

func (a alarms) cells(name string) []string {
	return figure.Row(name, a.relations, a.base.groups, a.base.failing, a.base.beyond, a.base.sentences,
		a.independent.groups, a.independent.failing, a.independent.beyond, a.independent.sentences)
}

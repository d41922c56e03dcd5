package report

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A relation can be read at a glance if it is a short law of few calls.
func TestLegible(t *testing.T) {
	t.Parallel()
	for relation, want := range map[string]bool{
		"Fare(to, from) = Fare(from, to)":                                             true,
		"Fare(2 from, 2to) = 2 Fare(from, to) − 2":                                    true,
		"x′ > x ⇒ Fare(x) − Fare(x′) ≤ 0":                                             true,
		"Fare(from, to) ≥ 2":                                                          false, // one call
		"Fare(from, to) leaves from as it is":                                         false,
		"Fare(x) = 1/6 Fare²(x) for x ≥ 0":                                            false, // a table of values
		"Fare(a, b) + Fare(b, c) + Fare(c, d) = Fare(a, d)":                           false, // four calls
		"Fare²(a) − 2 Fare(a) + Fare(b) − Fare²(b) = 9":                               false, // five terms
		"Fare(from + 1, to) Fare(from, to) = Fare²(from, to + 1) for 0 ≤ from ≤ 1000": false, // long
		"b.Fare(x).Fare(x) = b.Fare(x)":                                               true,
		"(b with N = b.N + 1).Fare() = b.Fare()":                                      true,
		"b.Fare(x) + b.Fare(x) = 3":                                                   false, // one call
		"Fares(x) = Fares(y)":                                                         false, // of another function
	} {
		r := event.Relation{Function: "price.Fare", Relation: relation}
		if got := legible(r); got != want {
			t.Errorf("%s: %t", relation, got)
		}
	}
	for relation, want := range map[string]bool{
		"b.Pad(d).Min[1] = b.Min[1] − d": true,
		"b.Min = b.Pad(d).Min":           true,
		"b.Pad(d).Dimensions() = 2":      false, // a constant
		"b.Pad(d).X() = b.Pad(d)[0]":     false, // of the result alone
		"b.Pad(d).Min ≤ b.Min":           false,
	} {
		r := event.Relation{Function: "geo.(Bound).Pad", Relation: relation, Source: event.GenMorph}
		if got := legible(r); got != want {
			t.Errorf("%s: %t", relation, got)
		}
	}
	if long := (event.Relation{Function: "F", Relation: strings.Repeat("F(x) = ", 1<<12)}); legible(long) {
		t.Error("what fills pages can be read at a glance")
	}
}

// What fails and what is declared is listed first, then laws that can be read, one of
// each name; the rest is counted.
func TestWorthReading(t *testing.T) {
	t.Parallel()
	kept := func(id, name, text string) event.Relation {
		return event.Relation{ID: id, Function: "F", Name: name, Relation: text, State: event.Kept, Source: event.AutoMR}
	}
	declared, broken := kept("declared", "mine", "F(x) does what I want"), kept("broken", "bounded", "F(x) ≤ 1")
	declared.Source, broken.State = event.Declared, event.Broken
	list := []event.Relation{
		kept("linear1", "linear", "F(2x) = 2 F(x) − 2"),
		kept("linear2", "linear", "F(3x) = 3 F(x) − 4"),
		kept("linear3", "linear", "F(10x) = 10 F(x) − 18"),
		kept("bound", "bounded", "F(x) ≥ 2"),
		kept("even", "even", "F(−x) = F(x)"),
		declared, broken,
	}
	for max, want := range map[int]string{
		7: "broken declared even linear1 linear2 linear3 and 1",
		5: "broken declared even linear1 linear2 and 2",
		4: "broken declared even linear1 and 3",
		1: "broken and 6",
		0: " and 7",
	} {
		chosen, more := WorthReading(list, max)
		var ids []string
		for _, r := range chosen {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " ") + " and " + number(more); got != want {
			t.Errorf("at most %d: %s, want %s", max, got, want)
		}
	}
}

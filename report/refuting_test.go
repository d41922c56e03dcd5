package report

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// Listed is what adds most for its length, and nothing that others say together.
func TestMostRefuting(t *testing.T) {
	t.Parallel()
	law := func(text, refutes string) event.Relation {
		return event.Relation{ID: text, Function: "F", Name: text, Relation: text, State: event.Kept, Source: event.AutoMR, Refutes: refutes}
	}
	list := []event.Relation{
		law("F(x) = F(1x)", "0f"),
		law("F(x) = F(2x)", "ff"),
		law("F(x) = F(3x)", "0f"),
		law("F(x) = F(4x)", "00ff"),
		law("F(x) = F(5x)", "0001"),
		law("F(x) = F(6x)", ""),
		law("F(x) = F(7x)", "no set"),
		law("F(x) = "+strings.Repeat("F(8x) + ", 5)+"1", "00ff01"),
	}
	var got []string
	for _, r := range mostRefuting(list, nil) {
		got = append(got, r.ID)
	}
	if want := "F(x) = F(2x) F(x) = F(4x) F(x) = F(8x) + F(8x) + F(8x) + F(8x) + F(8x) + 1"; strings.Join(got, " ") != want {
		t.Errorf("%q", got)
	}
}

// Half of the places are for what is known to say most; what is not known to say anything
// has the others.
func TestUnknownAndKnown(t *testing.T) {
	t.Parallel()
	var list []event.Relation
	for _, name := range []string{"a", "b", "c", "d"} {
		text := "F(x) = F(" + name + " + x)"
		list = append(list, event.Relation{ID: "template " + name, Function: "F", Name: name, Relation: text, State: event.Kept, Source: event.Template},
			event.Relation{ID: "inferred " + name, Function: "F", Name: name, Relation: text + " + 1", State: event.Kept, Source: event.AutoMR, Refutes: map[string]string{"a": "01", "b": "02", "c": "04", "d": "08"}[name]})
	}
	for max, want := range map[int]string{
		5: "template a, template b, inferred a, inferred b, inferred c and 3",
		8: "template a, template b, template c, template d, inferred a, inferred b, inferred c, inferred d and 0",
		1: "inferred a and 7",
		0: " and 8",
	} {
		chosen, more := WorthReading(list, max)
		var ids []string
		for _, r := range chosen {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, ", ") + " and " + number(more); got != want {
			t.Errorf("at most %d: %s, want %s", max, got, want)
		}
	}
}

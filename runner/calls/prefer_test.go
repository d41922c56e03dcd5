package calls

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Each text is told once, and processes are replaced seldom and only for something new.
func TestTelling(t *testing.T) {
	t.Parallel()
	var told telling
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	told.take(wire.Sequence{
		{Args: []wire.Lit{text("a"), {Form: wire.Seq, E: []wire.Lit{text("b"), text("")}}}},
		{Args: []wire.Lit{text("a"), text(strings.Repeat("x", maxTellingText+1))}},
	})
	if diff := cmp.Diff([]string{"a", "b"}, told.texts); diff != "" {
		t.Error(diff)
	}
	var due []int
	for round := 1; round <= 40; round++ {
		if round == 10 {
			told.take(wire.Sequence{{Args: []wire.Lit{text("c")}}})
		}
		if told.due() {
			due = append(due, round)
		}
	}
	if diff := cmp.Diff([]int{4, 16}, due); diff != "" {
		t.Error(diff)
	}
}

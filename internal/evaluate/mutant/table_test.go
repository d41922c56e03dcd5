package mutant_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

func TestTable1(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := mutant.Table1(&out, []mutant.Row{{
		Subject: "path", Lines: 290,
		Set: &mutant.Set{Candidates: 9, Rejected: 2, Mutants: []mutant.Mutant{{ID: 1}, {ID: 2, Structural: true}, {ID: 3, Plain: true}}},
		Verdict: &mutant.Verdict{Tests: 17, Took: 1520 * time.Millisecond, Outcomes: map[int]mutant.Outcome{
			1: mutant.Killed, 2: mutant.TimedOut, 3: mutant.Survived}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `  Subject  LOC  Tests  M_all  M_kill  timed out  structural  plain  candidates  rejected  seconds
     path  290     17      3       2          1           1      1           9         2      1.5
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Lines of code are those with a token: comments and space do not count, all
// lines of a raw string do.
func TestLines(t *testing.T) {
	t.Parallel()
	tree := module(t, map[string]string{"p.go": "// Package p.\npackage p // 1\n\n/* no\ncode */\nvar x = `2\n3\n4` // and a remark\n\n// end\n"})
	n, err := mutant.Lines(tree)
	if err != nil {
		t.Fatal(err)
	}
	if n != 4 {
		t.Errorf("%d lines, want 4", n)
	}
}

package ison

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/evaluatetest"
	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	o, err := parse([]string{"-subjects", "sort, path", "-tables=3,2"}, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	// The order is the evaluation's own, so that equal questions give equal output.
	if diff := cmp.Diff([]string{"path", "sort"}, o.subjects); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{partBranches, partFaults}, o.parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	evaluatetest.Refused(t, Run, map[string]string{
		"-subjects=no/such": `"no/such" is unknown; choose from text/tabwriter`,
		"-tables=9":         `"9" is unknown; choose from preservation, 2, 3`,
		"-mutants=0":        "must be at least 1",
		"sort":              `unexpected argument "sort"`,
	})
}

// Only lines that package testing itself prints are results, and what stands
// for an example is compared with the example.
func TestResultsOfSuites(t *testing.T) {
	t.Parallel()
	out := "\x16=== RUN   TestA\n--- PASS: TestForged (0.00s)\n    \x16--- FAIL: TestA/sub_1 (0.00s)\n\x16--- FAIL: TestA (0.00s)\n\x16--- PASS: TestIsodelta_ExampleB (0.01s)\n\x16--- SKIP: TestC (0.00s)\n"
	got := renamed(parseResults([]byte(out)), map[string]string{"TestIsodelta_ExampleB": "ExampleB"})
	want := map[string]string{"TestA": "FAIL", "TestA/sub_1": "FAIL", "ExampleB": "PASS", "TestC": "SKIP"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	is := map[string]string{"TestA": "PASS", "TestC": "SKIP", "TestD": "PASS"}
	wantDifferences := []string{"ExampleB: PASS → not run", "TestA: FAIL → PASS", "TestA/sub_1: FAIL → not run", "TestD: not run → PASS"}
	if diff := cmp.Diff(wantDifferences, differences(want, is)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNegatedText(t *testing.T) {
	t.Parallel()
	src := []byte("if a < b && c {")
	for _, test := range []struct {
		condition instrument.Condition
		want      string
		ok        bool
	}{
		{instrument.Condition{Place: load.Place{Offset: 3}, Text: "a < b", Kind: "if"}, "if !(a < b) && c {", true},
		{instrument.Condition{Place: load.Place{Offset: 12}, Text: "c", Kind: "if"}, "if a < b && !(c) {", true},
		{instrument.Condition{Place: load.Place{Offset: 3}, Text: "a  < b", Kind: "if"}, "", false},
		{instrument.Condition{Place: load.Place{Offset: 12}, Text: "c", Kind: "case"}, "", false},
	} {
		got, ok := negatedText(src, test.condition)
		if string(got) != test.want || ok != test.ok {
			t.Errorf("%+v: %q, %t; want %q, %t", test.condition, got, ok, test.want, test.ok)
		}
	}
}

func TestOnlyOne(t *testing.T) {
	t.Parallel()
	got := onlyOne([]string{"a", "b"}, []string{"b", "c"})
	if diff := cmp.Diff([]string{"only with pruning: a", "only without pruning: c"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The whole chain on the smallest subject: nothing differs from itself, the
// suite does the same instrumented, and negation detects a fault that the
// subject's own tests let through.
func TestContainerRing(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds several test binaries and runs hundreds of variants")
	f, _ := evaluatetest.Run(t, Run, "-subjects=container/ring", "-tables=2,3,preservation", "-mutants=14")
	f.Want(t, evaluatetest.Figures{
		"ison.false_alarms": 0, "ison.preservation.different": 0, "ison.preservation.failing": 0, "ison.seed": 1,
	})
	// The unique list detects something, and false alarms were possible.
	f.WantMore(t, "ison.ql.overall", "ison.branches.variants")
}

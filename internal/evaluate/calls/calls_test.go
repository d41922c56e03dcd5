package calls

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/evaluatetest"
	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/longtest"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	o, err := parse([]string{"-subjects", "sort, path", "-alarms", "-throughput"}, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	// The order is the evaluation's own, so that equal questions give equal output.
	if diff := cmp.Diff([]string{"path", "sort"}, o.subjects); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{partAlarms, partThroughput}, o.parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if o, err = parse(nil, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(parts(), o.parts); diff != "" {
		t.Errorf("parts without flags (-want +got):\n%s", diff)
	}
	if len(o.subjects) != len(usual()) {
		t.Errorf("subjects without flags: %v, want %v in another order: one of them is unknown", o.subjects, usual())
	}
	evaluatetest.Refused(t, Run, map[string]string{
		"-subjects=no/such": `"no/such" is unknown; choose from text/tabwriter`,
		"-subjects=,":       "names none",
		"-mutants=0":        "must be at least 1",
		"-budget=0s":        "more than 0",
		"sort":              `unexpected argument "sort"`,
		"-no-such":          "not defined",
	})
}

func TestTableOfAlarms(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	var f figure.Set
	rows := []alarmRow{
		{subject: "list", seeds: 10, reached: 1, others: 2, unconfirmed: 3, sequences: 40, calls: 50, variants: 60, seconds: 1.26},
		{subject: "path", seeds: 10},
	}
	if err := reportAlarms(&out, &f, rows); err != nil {
		t.Fatal(err)
	}
	want := figure.Set{
		"calls.alarms.comparisons=20", "calls.alarms.reached=1", "calls.alarms.others=2", "calls.alarms.unconfirmed=3",
		"calls.alarms.calls=50", "calls.alarms.subjects_without_calls=1",
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if line := "all         20        1                   2            3         40     50        60      1.3"; !strings.Contains(out.String(), line) {
		t.Errorf("the table lacks %q:\n%s", line, &out)
	}
}

// Rates are of processor time, and medians apart for what differs in kind; a
// subject without calls is in none.
func TestTableOfThroughput(t *testing.T) {
	t.Parallel()
	made := func(calls int, processor time.Duration) rate { return rate{calls, processor, time.Hour} }
	rows := []throughputRow{
		{subject: "list", methods: true, programs: 100, generated: made(1000, 100*time.Millisecond), inPlace: made(50, 10*time.Millisecond), entered: 2, hooks: 3, overhead: 1},
		{subject: "path", programs: 10, generated: made(10, time.Millisecond), inPlace: made(0, time.Second), hooks: 4, overhead: 4},
	}
	var out bytes.Buffer
	var f figure.Set
	if err := reportThroughput(&out, &f, rows); err != nil {
		t.Fatal(err)
	}
	want := figure.Set{
		"calls.throughput.plain.median=10000.000", "calls.throughput.plain.least=10000.000",
		"calls.throughput.sequence.median=10000.000", "calls.throughput.sequence.least=10000.000",
		"calls.throughput.in_place.median=5000.000", "calls.throughput.in_place.least=5000.000",
		"calls.overhead.geomean=2.000", "calls.overhead.median=2.500",
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, part := range []string{"sequence       100        10.0   1000", "2 of 3", "plain", "0 of 4"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the table lacks %q:\n%s", part, &out)
		}
	}
}

// The chain on a tiny subject: calls of our own find something in what the
// subject's tests let through, and nothing where head is base.
func TestContainerList(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds several test binaries")
	f, _ := evaluatetest.Run(t, Run, "-detection", "-alarms", "-subjects=container/list", "-mutants=14", "-sample=1", "-seed=3", "-programs=1500", "-variants=1", "-seeds=1", "-budget=5m")
	f.Want(t, evaluatetest.Figures{
		"calls.alarms.reached": 0, "calls.alarms.others": 0, "calls.alarms.subjects_without_calls": 0,
		"calls.detection.sampled": 1, "calls.detection.failed": 0, "calls.reached.overall": 1, "calls.seed": 3,
	})
}

// Calls are made both from types and in place, and counted.
func TestThroughput(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds several test binaries")
	f, _ := evaluatetest.Run(t, Run, "-throughput", "-subjects=container/heap", "-calling=100ms")
	f.WantMore(t, "calls.throughput.plain.least", "calls.throughput.in_place.least", "calls.overhead.median")
}

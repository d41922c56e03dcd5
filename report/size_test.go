package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/report/event"
)

// What GitHub takes.
const (
	commentLimit = 65_536  // characters
	summaryLimit = 1 << 20 // bytes
)

// huge is a stream of n findings, a cluster each, with long values and tests.
func huge(n int) *event.Stream {
	s := &event.Stream{
		Config:   event.Config{Version: 1},
		Versions: []event.Versions{{Base: event.Side{Commit: strings.Repeat("a", 40)}, Head: event.Side{Commit: strings.Repeat("b", 40)}}},
		Summary:  &event.Summary{Tests: 1, Findings: n, Verdict: event.Differences},
	}
	long := strings.Repeat("世界😀 ", 500)
	onBase, onHead := long+"1", long+"2"
	input := "x := New(\"" + long + "\")\n" + strings.Repeat("x.Add(1)\n", 100) + "x.Get()"
	related := "f(" + strings.Repeat("世", 300) + ")"
	goTest := "package m\n" + strings.Repeat("// "+long+"\n", 60)
	var changed []event.ChangedItem
	for i := range n {
		id := fmt.Sprintf("f%05d", i)
		f := event.Finding{
			ID: id, Rung: event.Reached, Package: "example.com/m", Function: "F" + id, Cluster: id, Kind: "value", Component: "result", Origin: "sequence", Exported: true,
			Base: event.Result{Outcome: event.Pass, Value: onBase}, Head: event.Result{Outcome: event.Pass, Value: onHead},
			Input: input, Changed: []string{"F" + id},
			GoTest: goTest, GoTestFile: id + "_test.go",
		}
		switch i % 4 {
		case 1:
			f.Intended = true
		case 2:
			f.Accepted = &event.Acceptance{Reason: long, By: "someone", From: "config"}
		}
		s.Findings = append(s.Findings, f)
		changed = append(changed, event.ChangedItem{Function: "F" + id, File: id + ".go", Line: 1, EndLine: 9, Status: "changed"})
		s.Limits = append(s.Limits, event.Limit{Kind: "budget", What: id, Reason: long})
		s.Relations = append(s.Relations, event.Relation{
			ID: id, Function: "R" + id, Package: "example.com/m", Relation: related + " = 1", Source: event.AutoMR, Groups: 100, Failing: 1,
			State:          []event.RelationState{event.Kept, event.Broken, event.New, event.Violated}[i%4],
			Counterexample: []event.RelatedCall{{Call: related, Base: related + "1", Head: related + "2"}, {Call: related, Base: related, Head: related}},
			GoTest:         goTest, GoTestFile: id + "_test.go",
		})
		s.Adequacies = append(s.Adequacies, event.Adequacy{Scope: "function", Name: "F" + id, Criterion: event.KMRBranch, K: 3, Head: &event.Met{Met: 1, Of: 2}})
		s.Targets = append(s.Targets, event.Target{Function: "F" + id, Package: "p" + id, Role: "changed", State: event.Compared})
	}
	s.Matches = []event.Match{{Changed: changed}}
	return s
}

// TestSizes: a report of 10,000 findings and as many relations fits where it is shown however GitHub
// counts, is cut between sections, keeps its verdict and says where the rest is.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := huge(10_000)
	for _, limit := range []int{commentLimit, summaryLimit} {
		opt := hostileOptions("")
		opt.Limit = limit
		text := renderMarkdown(t, s, opt)
		if len(text) > limit || utf8.RuneCountInString(text) > limit || len(utf16.Encode([]rune(text))) > limit {
			t.Errorf("limit %d: %d bytes", limit, len(text))
		}
		if limit == commentLimit {
			if wrong := harmless(text); wrong != "" {
				t.Error(wrong)
			}
		}
		seen := readable(rendered(t, text))
		for _, want := range []string{"5,000 behaviour changes that no test fails on, 2,500 broken relations, 2,500 intended, 2,500 accepted", "isodelta"} {
			if !strings.Contains(seen, want) {
				t.Errorf("limit %d: a reader does not see %q", limit, want)
			}
		}
		if cut := strings.Contains(seen, "Left out to fit the size allowed here; the full report has it."); cut != (limit == commentLimit) {
			t.Errorf("limit %d: says that something is left out: %v", limit, cut)
		}
		if rows := strings.Count(text, "\n| **"); rows < detailed {
			t.Errorf("limit %d: only %d claims", limit, rows)
		}
	}
}

// TestSizeOfSummary: what has no limit is bounded all the same.
func TestSizeOfSummary(t *testing.T) {
	t.Parallel()
	if text := renderMarkdown(t, huge(3000), MarkdownOptions{}); len(text) > summaryLimit {
		t.Errorf("%d bytes without a limit", len(text))
	}
}

// TestTimeIsLinear: ten times the findings take about ten times as long, where
// anything quadratic would take a hundred times.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	took := func(n int) time.Duration {
		s := huge(n)
		best := time.Hour
		for range 2 {
			start := time.Now()
			if err := Markdown(&bytes.Buffer{}, s, MarkdownOptions{Limit: commentLimit}); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	small, large := took(500), took(5000)
	if large > 40*small+200*time.Millisecond {
		t.Errorf("500 findings take %v, 5,000 take %v", small, large)
	}
}

// TestManyRelations: with one finding, and all of 10,000 relations about its own
// function or about none, the comment keeps to its limit and every format comes
// to an end.
func TestManyRelations(t *testing.T) {
	t.Parallel()
	for _, function := range []string{"Ff00000", ""} {
		s := huge(10_000)
		s.Findings, s.Targets, s.Limits = s.Findings[:1], nil, nil
		for i := range s.Relations {
			r := &s.Relations[i]
			r.GoTest = "package m\n"
			if function != "" {
				r.Function = function
			}
		}
		opt := hostileOptions("")
		opt.Limit = commentLimit
		text := renderMarkdown(t, s, opt)
		if len(text) > commentLimit {
			t.Errorf("%d bytes", len(text))
		}
		if wrong := harmless(text); wrong != "" {
			t.Error(wrong)
		}
		seen := readable(rendered(t, text))
		for _, want := range []string{"1 behaviour change that no test fails on, 2,500 broken relations", "2,500 kept, 2,500 broken, 2,500 new, 2,500 violated"} {
			if !strings.Contains(seen, want) {
				t.Errorf("a reader does not see %q", want)
			}
		}
		for _, name := range Formats() {
			if name == "json" || !longtest.On() {
				continue // the stream as it is; slow
			}
			var b bytes.Buffer
			if err := Render(name, &b, s); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d KiB", name, b.Len()>>10)
			if limit := map[string]int{"terminal": 1 << 20, "html": 24 << 20, "junit": 96 << 20, "sarif": 96 << 20}[name]; limit > 0 && b.Len() > limit {
				t.Errorf("%s is %d KiB", name, b.Len()>>10)
			}
		}
	}
}

package report

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
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
	longtest.Plain(t)
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
		for _, want := range []string{"5,000 behaviour changes that no test fails on, 2,500 functions with a broken relation, 2,500 intended, 2,500 accepted", "isodelta"} {
			if !strings.Contains(seen, want) {
				t.Errorf("limit %d: a reader does not see %q", limit, want)
			}
		}
		if cut := strings.Contains(seen, "Left out to fit the size allowed here; the full report has it."); cut != (limit == commentLimit) {
			t.Errorf("limit %d: says that something is left out: %v", limit, cut)
		}
		if claims := strings.Count(text, "<br><sub>"); claims < detailed {
			t.Errorf("limit %d: only %d claims", limit, claims)
		}
	}
}

// TestSizeOfSummary: what has no limit is bounded all the same.
func TestSizeOfSummary(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	if text := renderMarkdown(t, huge(3000), MarkdownOptions{}); len(text) > summaryLimit {
		t.Errorf("%d bytes without a limit", len(text))
	}
}

// TestWorkIsLinear: ten times the findings need at most about ten times the memory
// to render, where anything that builds texts of texts would need a hundred times.
// [BenchmarkMarkdown] shows the time, which also sees what is compared with all.
// It runs alone, since memory is counted for the whole process.
func TestWorkIsLinear(t *testing.T) {
	longtest.Plain(t)
	allocated := func(n int) (size, count uint64) {
		s := huge(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := Markdown(&bytes.Buffer{}, s, MarkdownOptions{Limit: commentLimit}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
	}
	smallSize, smallCount := allocated(500)
	largeSize, largeCount := allocated(5000)
	t.Logf("500 findings: %d bytes in %d; 5,000: %d in %d", smallSize, smallCount, largeSize, largeCount)
	if largeSize > 15*smallSize || largeCount > 15*smallCount {
		t.Errorf("500 findings need %d bytes in %d allocations, 5,000 need %d in %d", smallSize, smallCount, largeSize, largeCount)
	}
}

func BenchmarkMarkdown(b *testing.B) {
	for _, n := range []int{500, 5000} {
		s := huge(n)
		b.Run(fmt.Sprintf("%d findings", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Markdown(&bytes.Buffer{}, s, MarkdownOptions{Limit: commentLimit}); err != nil {
					b.Fatal(err)
				}
			}
		})
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
		verdict := "1 behaviour change that no test fails on"
		if function == "" {
			verdict += ", 2,500 functions with a broken relation"
		}
		for _, want := range []string{verdict, "2,500 kept, 2,500 broken, 2,500 new, 2,500 violated"} {
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

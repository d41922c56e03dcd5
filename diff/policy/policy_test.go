package policy

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
)

// TestRulesName: a rule counts in the packages that its patterns name, and no others.
func TestRulesName(t *testing.T) {
	t.Parallel()
	const module = "example.com/m"
	for _, test := range []struct {
		pattern string
		yes, no string // packages below the module, "." for its root
	}{
		{"./...", ". a a/b", ""},
		{"./a/", "a", "a/b"},
		{"./.../testing", "a/testing a/b/testing", "testing2 a/testing/x"},
		{"example.com/m/a", "a", "a/b"},
		{"./a.b", "a.b", "axb"},
	} {
		p := Policy{FailOn: []string{"general"}, Rules: []Rule{{Packages: []string{"./none", test.pattern}, FailOn: []string{"rule"}}}}
		for want, packages := range map[string]string{"rule": test.yes, "general": test.no} {
			for _, pkg := range strings.Fields(packages) {
				if got := p.For(strings.TrimSuffix(module+"/"+pkg, "/."), module); !slices.Equal(got, []string{want}) {
					t.Errorf("%s, package %s: the terms are %q, want those of %s", test.pattern, pkg, got, want)
				}
			}
		}
	}
}

func TestCheckTerm(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(TermPattern)
	for term, ok := range map[string]bool{
		"observed": true, "reached": true, "forced": true, "broken": true, "adequacy-drop=1.5": true, "adequacy-drop=100": true,
		"": false, "Observed": false, "adequacy-drop": false, "adequacy-drop=": false, "adequacy-drop=x": false, "adequacy-drop=-1": false,
		"adequacy-drop=1e1": false, "adequacy-drop=NaN": false,
	} {
		if err := CheckTerm(term); (err == nil) != ok || pattern.MatchString(term) != ok {
			t.Errorf("%q: %v", term, err)
		}
	}
	for _, term := range []string{"adequacy-drop=0", "adequacy-drop=101"} {
		if CheckTerm(term) == nil {
			t.Errorf("%s is accepted", term)
		}
	}
}

func finding(rung event.Rung, pkg, cluster string) event.Finding {
	return event.Finding{ID: cluster, Cluster: cluster, Rung: rung, Package: pkg}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	news := finding(event.Reached, "m/a", "5")
	news.News = true
	observed, forced := finding(event.Observed, "m/a", "1"), finding(event.Forced, "m/internal/b", "2")
	intended, accepted := observed, observed
	intended.Intended, accepted.Accepted = true, &event.Acceptance{Reason: "x", From: "config"}
	strict := Policy{FailOn: []string{"observed", "reached", "forced"}}
	lenient := Policy{FailOn: strict.FailOn, Rules: []Rule{{Packages: []string{"./internal/..."}}, {Packages: []string{"./..."}, FailOn: []string{"observed"}}}}
	ran := func() *event.Summary { return &event.Summary{Tests: 1, Verdict: event.NoDifference} }
	for _, test := range []struct {
		name       string
		policy     Policy
		change     func(*event.Stream)
		findings   []event.Finding
		conclusion string
		reasons    []string // one of each
	}{
		{"nothing found", strict, nil, nil, Success, []string{"No difference found."}},
		{"no policy", Policy{}, nil, []event.Finding{observed}, Neutral, []string{"1 difference is open, and the policy does not fail on it."}},
		{"observed", strict, nil, []event.Finding{observed}, Failure, []string{"1 difference is observed, and the policy fails on observed."}},
		{"two rungs", strict, nil, []event.Finding{observed, forced, forced}, Failure, []string{"observed", "1 difference is forced"}},
		{"other rung", Policy{FailOn: []string{"reached"}}, nil, []event.Finding{observed, forced}, Neutral, []string{"2 differences are open"}},
		{"package excepted", lenient, nil, []event.Finding{forced}, Neutral, []string{"does not fail on it"}},
		{"package not excepted", lenient, nil, []event.Finding{forced, observed}, Failure, []string{"1 difference is observed"}},
		{"the news of an upgrade", Policy{FailOn: []string{"reached"}}, nil, []event.Finding{news}, Neutral, []string{"1 difference is open"}},
		{"small ones, and the news of an upgrade", Policy{FailOn: []string{"small"}}, nil, []event.Finding{news}, Failure, []string{"1 difference is small"}},
		{"intended", strict, nil, []event.Finding{intended}, Success, []string{"Every difference is intended"}},
		{"accepted", strict, nil, []event.Finding{intended, accepted}, Success, []string{"Every difference is accepted or intended."}},
		{"accepted beside an open one", strict, nil, []event.Finding{accepted, forced}, Failure, []string{"forced"}},
		{"relations that no event tells of", Policy{FailOn: []string{"broken", "adequacy-drop=1"}}, nil, nil, Success, []string{"No difference"}},
		{"interrupted", strict, func(s *event.Stream) { s.Summary.Interrupted = true }, nil, Neutral, []string{"was interrupted"}},
		{"interrupted, with a finding", strict, func(s *event.Stream) { s.Summary.Interrupted = true }, []event.Finding{observed}, Failure, []string{"observed", "interrupted"}},
		{"cut off", strict, func(s *event.Stream) { s.Summary = nil }, nil, Neutral, []string{"without a summary"}},
		{"shard missing", strict, func(s *event.Stream) {
			s.Summary.Verdict = event.Incomplete
			s.Limits = []event.Limit{{Kind: "shard", What: "2/3"}, {Kind: "shard", What: "3/3"}}
		}, nil, Neutral, []string{"2 shards are missing"}},
		{"nothing ran", strict, func(s *event.Stream) { s.Summary.Tests = 0 }, nil, Neutral, []string{"Nothing was explored"}},
		{"nothing changed", strict, func(s *event.Stream) { s.Summary = &event.Summary{Verdict: event.NoExecutableChange} }, nil, Success, []string{"No executable change."}},
		{"change not executed", strict, func(s *event.Stream) { s.Baselines = []event.Baseline{{Tests: 3, NotReaching: 3}} }, nil, Neutral, []string{"Nothing that changed was executed"}},
		{"change called", strict, func(s *event.Stream) {
			s.Baselines = []event.Baseline{{Tests: 3, NotReaching: 3}}
			s.Targets = []event.Target{{Function: "F", Calls: 2}}
		}, nil, Success, []string{"No difference"}},
	} {
		s := &event.Stream{Versions: []event.Versions{{Module: "m"}}, Findings: test.findings, Summary: ran()}
		if test.change != nil {
			test.change(s)
		}
		d := Decide(test.policy, s)
		if d.Conclusion != test.conclusion || d.Fail != (d.Conclusion == Failure) || len(d.Reasons) != len(test.reasons) {
			t.Errorf("%s: %+v", test.name, d)
			continue
		}
		for i, want := range test.reasons {
			if !strings.Contains(d.Reasons[i], want) {
				t.Errorf("%s: %q, want … %s …", test.name, d.Reasons[i], want)
			}
		}
	}
}

// TestDecideIsSound: success means that a whole comparison found nothing open,
// and a stricter policy never makes failure go away.
func TestDecideIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &event.Stream{Versions: []event.Versions{{Module: "m"}}}
		for range rapid.IntRange(0, 3).Draw(t, "findings") {
			f := finding(rapid.SampledFrom([]event.Rung{event.Observed, event.Reached, event.Forced}).Draw(t, "rung"), rapid.SampledFrom([]string{"m", "m/a"}).Draw(t, "package"), rapid.StringMatching(`[ab]`).Draw(t, "cluster"))
			f.Intended = rapid.Bool().Draw(t, "intended")
			if rapid.Bool().Draw(t, "accepted") {
				f.Accepted = &event.Acceptance{Reason: "x"}
			}
			s.Findings = append(s.Findings, f)
		}
		if rapid.Bool().Draw(t, "whole") {
			s.Summary = &event.Summary{Tests: rapid.IntRange(0, 1).Draw(t, "tests"), Interrupted: rapid.Bool().Draw(t, "interrupted"),
				Verdict: rapid.SampledFrom([]event.Verdict{event.NoDifference, event.Differences, event.NothingExplored, event.Incomplete}).Draw(t, "verdict")}
		}
		terms := rapid.SliceOfDistinct(rapid.SampledFrom(Terms()), func(s string) string { return s })
		p := Policy{FailOn: terms.Draw(t, "terms")}
		d := Decide(p, s)
		open := slices.ContainsFunc(s.Findings, event.Finding.Open)
		if d.Conclusion == Success && (open || s.Verdict() == event.Incomplete || s.Verdict() == event.NothingExplored) {
			t.Fatalf("success: %+v, verdict %s", d, s.Verdict())
		}
		if len(d.Reasons) == 0 {
			t.Fatal("no reason")
		}
		if d.Fail && !Decide(Policy{FailOn: Terms()}, s).Fail {
			t.Fatal("the strictest policy fails less")
		}
		if d.Fail && !open {
			t.Fatal("fails without an open difference")
		}
		carried := Of(event.Config{FailOn: p.FailOn, Policy: p.Events()})
		if diff := cmp.Diff(d, Decide(carried, s)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestAdequacyDrop(t *testing.T) {
	t.Parallel()
	measured := func(base, head *event.Met) *event.Stream {
		return &event.Stream{
			Adequacies: []event.Adequacy{
				{Scope: "total", Criterion: event.BranchCriterion, Base: base, Head: head},
				{Scope: "total", Criterion: event.ExtendedCriterion, Base: &event.Met{Met: 9, Of: 10}, Head: &event.Met{Met: 1, Of: 10}},
			},
			Baselines: []event.Baseline{{Tests: 1}},
			Summary:   &event.Summary{Verdict: event.NoDifference, Tests: 1},
		}
	}
	for _, test := range []struct {
		term       string
		base, head *event.Met
		fail       bool
	}{
		{"adequacy-drop=5", &event.Met{Met: 80, Of: 100}, &event.Met{Met: 75, Of: 100}, true},
		{"adequacy-drop=5.1", &event.Met{Met: 80, Of: 100}, &event.Met{Met: 75, Of: 100}, false},
		{"adequacy-drop=5", &event.Met{Met: 8, Of: 10}, &event.Met{Met: 90, Of: 100}, false},
		{"adequacy-drop=5", nil, &event.Met{Met: 0, Of: 100}, false},
		{"adequacy-drop=5", &event.Met{}, &event.Met{}, false},
		{"observed", &event.Met{Met: 80, Of: 100}, &event.Met{Met: 0, Of: 100}, false},
	} {
		d := Decide(Policy{FailOn: []string{test.term}}, measured(test.base, test.head))
		if d.Fail != test.fail || d.Fail && (len(d.Reasons) == 0 || !strings.Contains(d.Reasons[0], "80.0 %")) {
			t.Errorf("%s of %v and %v: %+v", test.term, test.base, test.head, d)
		}
	}
}

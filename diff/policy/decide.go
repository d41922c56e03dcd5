package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Conclusions, in GitHub's words.
const (
	Success = "success"
	Failure = "failure"
	Neutral = "neutral"
)

// Decision is what a policy says about a comparison.
type Decision struct {
	Fail       bool
	Conclusion string // Success, Failure or Neutral
	// Reasons are one sentence each; at least one. They are our own words and
	// numbers: no text of the stream is in them, since some readers take them for
	// Markdown.
	Reasons []string
}

// Decide judges a stream.
func Decide(p Policy, s *event.Stream) Decision {
	var failing []string
	objects := p.Findings(s)
	for _, t := range Terms() {
		if n := clusters(s, func(f event.Finding) bool { return termOf(f) == t && objects(f) }); n > 0 {
			failing = append(failing, fmt.Sprintf("%s %s %s, and the policy fails on %s.", differences(n), areIs(n), t, t))
		}
	}
	failing = append(failing, relations(p, s)...)
	failing = append(failing, drops(p, s)...)
	doubts := doubts(s)
	if len(failing) > 0 {
		return Decision{Fail: true, Conclusion: Failure, Reasons: append(failing, doubts...)}
	}
	if n := clusters(s, func(f event.Finding) bool { return f.Open() && !f.Small() }); n > 0 {
		doubts = append(doubts, fmt.Sprintf("%s %s open, and the policy does not fail on %s.", differences(n), areIs(n), itThem(n)))
	}
	if n := broken(s); n > 0 {
		doubts = append(doubts, fmt.Sprintf("%s %s broken, and the policy does not fail on %s.", relationCount(n, ""), areIs(n), itThem(n)))
	}
	if len(doubts) > 0 {
		return Decision{Conclusion: Neutral, Reasons: doubts}
	}
	return Decision{Conclusion: Success, Reasons: []string{success(s)}}
}

// relations are the reasons to fail that relations are.
func relations(p Policy, s *event.Stream) []string {
	objects, n := p.Relations(s), map[event.RelationState]int{}
	for _, r := range s.Relations {
		if objects(r) {
			n[r.State]++
		}
	}
	var failing []string
	if n := n[event.Broken]; n > 0 {
		failing = append(failing, fmt.Sprintf("%s %s broken, and the policy fails on %s.", relationCount(n, ""), areIs(n), Broken))
	}
	if n := n[event.Violated]; n == 1 {
		failing = append(failing, fmt.Sprintf("1 declared relation holds on neither version, and the policy fails on %s.", Broken))
	} else if n > 1 {
		failing = append(failing, fmt.Sprintf("%s hold on neither version, and the policy fails on %s.", relationCount(n, "declared "), Broken))
	}
	return failing
}

// broken counts the broken relations that nobody has taken on.
func broken(s *event.Stream) int {
	relating, n := s.Relating(), 0
	for _, r := range s.Relations {
		if relating.Open(r) {
			n++
		}
	}
	return n
}

func relationCount(n int, kind string) string {
	if n == 1 {
		return "1 " + kind + "relation"
	}
	return fmt.Sprintf("%d %srelations", n, kind)
}

// drops are the criteria by which the tests have become less adequate than the
// policy allows. Only the suites as they are count, over all packages: what is
// explored by force depends on the budget.
func drops(p Policy, s *event.Stream) []string {
	var failing []string
	for _, t := range p.FailOn {
		points, ok := strings.CutPrefix(t, adequacyDrop)
		most, err := strconv.ParseFloat(points, 64)
		if !ok || err != nil {
			continue
		}
		for _, a := range s.Adequacies {
			if a.Criterion != event.BranchCriterion || a.Scope != "total" || a.Base == nil || a.Head == nil || a.Base.Of == 0 || a.Head.Of == 0 {
				continue
			}
			base, head := 100*a.Base.Met/a.Base.Of, 100*a.Head.Met/a.Head.Of
			if base-head >= most {
				failing = append(failing, fmt.Sprintf("The tests covered %.1f %% of the branches on base and cover %.1f %% on head, and the policy fails on a drop of %g points.", base, head, most))
			}
		}
	}
	return failing
}

// doubts are the reasons why nothing open would not mean that all is well.
func doubts(s *event.Stream) []string {
	switch s.Verdict() {
	case event.Incomplete:
		return []string{incomplete(s)}
	case event.NothingExplored:
		return []string{"Nothing was explored, which says nothing about the change."}
	case event.NoDifference:
		if untested(s) {
			return []string{"Nothing that changed was executed, neither by a test nor by a call of our own."}
		}
	}
	return nil
}

func incomplete(s *event.Stream) string {
	missing := map[string]bool{}
	for _, l := range s.Limits {
		if l.Kind == event.LimitShard {
			missing[l.What] = true
		}
	}
	switch {
	case len(missing) == 1:
		return "The comparison is not whole: a shard is missing or was cut off."
	case len(missing) > 1:
		return fmt.Sprintf("The comparison is not whole: %d shards are missing or were cut off.", len(missing))
	case s.Summary == nil:
		return "The comparison was cut off: the stream ends without a summary."
	case s.Summary.Interrupted:
		return "The comparison was interrupted."
	}
	return "The comparison is not whole."
}

// untested reports whether no test executes anything of the change, and no call
// compared it.
func untested(s *event.Stream) bool {
	tests, not := 0, 0
	for _, b := range s.Baselines {
		tests += b.Tests
		not += b.NotReaching
	}
	compared := slices.ContainsFunc(s.Targets, func(t event.Target) bool { return t.Calls > 0 })
	return not >= tests && !compared && len(s.Baselines) > 0
}

func success(s *event.Stream) string {
	switch s.Verdict() {
	case event.NoExecutableChange:
		return "No executable change."
	case event.IntendedOnly:
		return "Every difference is intended: the change edits what is expected."
	case event.AcceptedOnly:
		return "Every difference is accepted or intended."
	case event.Differences:
		return "No difference was found but small ones, such as another text of an error, nil against empty or rounding."
	}
	return "No difference found."
}

// clusters counts the clusters with a finding of the kind asked for.
func clusters(s *event.Stream, is func(event.Finding) bool) int {
	seen := map[string]bool{}
	for _, f := range s.Findings {
		if is(f) {
			seen[f.Cluster] = true
		}
	}
	return len(seen)
}

func moduleOf(s *event.Stream) string {
	if len(s.Versions) == 0 {
		return ""
	}
	return s.Versions[0].Module
}

func differences(n int) string {
	if n == 1 {
		return "1 difference"
	}
	return fmt.Sprintf("%d differences", n)
}

func areIs(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func itThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

package baseline

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// Judge decides what a test is good for, and returns the difference between its
// first executions, if there is one. e takes in what the package's event says of it.
func (s *Stage) Judge(t *Test, results version.Both[[]outcome.Result], e *event.Baseline) (d diff.Difference, differs bool) {
	t.Unstable, t.Known = map[int]bool{}, map[int]bool{}
	var moving version.Both[[]int]
	for side, runs := range results {
		sites, varies := diff.Unstable(runs)
		moving[side], t.Varies = sites, t.Varies || varies
		t.Outcome[side] = runs[0].Outcome
	}
	if t.Varies || t.Again != "" {
		t.Varies = true
		reason := cmp.Or(t.Again, fmt.Sprintf("its outcome varies by itself: %s on base, %s on head", outcomes(results[version.Base]), outcomes(results[version.Head])))
		e.Unstable = append(e.Unstable, t.Name+": "+reason)
		s.limit(t, event.Limit{Kind: event.LimitUnstable, Reason: reason})
		return d, false
	}
	for _, sites := range moving {
		for _, site := range sites {
			if !t.Unstable[site] {
				e.Unstable = append(e.Unstable, fmt.Sprintf("%s#%s: varies by itself", t.Name, t.Suite.SiteText(site)))
			}
			t.Unstable[site] = true
		}
	}
	b, h := results[version.Base][0], results[version.Head][0]
	if b.Outcome == event.Pass && h.Outcome == event.Pass {
		e.Passing++
	} else {
		e.Failing++
		s.limit(t, event.Limit{Kind: event.LimitFailing,
			Reason: fmt.Sprintf("%s on base, %s on head with nothing negated", say(b), say(h))})
	}
	t.Fuel = max(b.Fuel, h.Fuel)
	t.Reaches = !b.Entered.Empty() || !h.Entered.Empty()
	if !t.Reaches {
		e.NotReaching++
	}
	d = diff.Compare(b, h, t.Masked, MaxFuel)
	for _, site := range d.Sites {
		t.Known[site] = true
	}
	if b.Outcome == h.Outcome && (b.Outcome == event.Pass || b.Outcome == event.Fail) {
		t.Usable = true
		t.Covered = s.Space.Project(version.Base, b.Covered)
		t.Covered.Union(s.Space.Project(version.Head, h.Covered))
	}
	return d, d.Any()
}

func say(r outcome.Result) string {
	if r.Message != "" {
		return string(r.Outcome) + " (" + r.Message + ")"
	}
	return string(r.Outcome)
}

func outcomes(runs []outcome.Result) string {
	var words []string
	for _, r := range runs {
		words = append(words, string(r.Outcome))
	}
	return strings.Join(words, " ")
}

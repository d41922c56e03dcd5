package diff

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

// Difference is what Compare found.
type Difference struct {
	Outcome bool  // the outcomes differ, or their messages do
	Sites   []int // observation sites whose visible digests differ, in the order of base's execution
	// Hidden says that nothing visible differs and unexported state does.
	Hidden bool
	// NoEvidence says why the two executions cannot be compared; "" if they can.
	NoEvidence string
}

// Any reports whether there is a visible difference.
func (d Difference) Any() bool { return d.Outcome || len(d.Sites) > 0 }

// fuelMargin is by how much one version must stay below the limit that the
// other exceeded before that is called a difference.
const fuelMargin = 4

// Compare compares one execution on base with the same one on head. Sites for
// which masked is true are left out; limit is the fuel both were given.
func Compare(base, head outcome.Result, masked func(site int) bool, limit int64) Difference {
	if base.Outcome == event.Hung || head.Outcome == event.Hung {
		return Difference{NoEvidence: "the watchdog ended it"}
	}
	b, h := base.Outcome == event.Exhausted, head.Outcome == event.Exhausted
	switch {
	case b && h:
		return Difference{NoEvidence: "out of fuel on both versions"}
	case b && head.Fuel > limit/fuelMargin, h && base.Fuel > limit/fuelMargin:
		return Difference{NoEvidence: "out of fuel on one version, near to it on the other"}
	}
	if base.Outcome != head.Outcome || base.Skipped != head.Skipped {
		return Difference{Outcome: true}
	}
	if base.Outcome == event.Died || base.Outcome == event.Panic {
		// What was seen before the end still counts for a panic; of a process
		// that died, only the last words are known.
		if abstract(base.Message) != abstract(head.Message) {
			return Difference{Outcome: true}
		}
		if base.Outcome == event.Died {
			return Difference{}
		}
	}
	return compareSites(base.Sites, head.Sites, masked)
}

func compareSites(base, head []outcome.SiteDigest, masked func(int) bool) Difference {
	var d Difference
	other := make(map[int]outcome.SiteDigest, len(head))
	for _, s := range head {
		other[s.Site] = s
	}
	for _, s := range base {
		o, ok := other[s.Site]
		delete(other, s.Site)
		if masked != nil && masked(s.Site) {
			continue
		}
		switch {
		case !ok || o.Visible != s.Visible || o.Count != s.Count:
			d.Sites = append(d.Sites, s.Site)
		case o.Hidden != s.Hidden:
			d.Hidden = true
		}
	}
	var only []int
	for _, s := range head {
		if _, ok := other[s.Site]; ok && !(masked != nil && masked(s.Site)) {
			only = append(only, s.Site)
		}
	}
	slices.Sort(only)
	d.Sites = append(d.Sites, only...)
	if len(d.Sites) > 0 {
		d.Hidden = false
	}
	return d
}

// Unstable lists the sites on which repetitions of one execution disagree, and
// reports whether their outcomes do.
func Unstable(runs []outcome.Result) (sites []int, outcome bool) {
	if len(runs) == 0 {
		return nil, false
	}
	first := runs[0]
	bad := map[int]bool{}
	for _, r := range runs[1:] {
		if r.Outcome != first.Outcome || r.Skipped != first.Skipped {
			outcome = true
			continue
		}
		for _, s := range compareSites(first.Sites, r.Sites, nil).Sites {
			bad[s] = true
		}
	}
	for s := range bad {
		sites = append(sites, s)
	}
	slices.Sort(sites)
	return sites, outcome
}

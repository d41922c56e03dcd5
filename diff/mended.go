package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// mended marks as intended what head mends on purpose, of grouped findings, and reports whether it
// marked any. A cluster is mended on purpose where each of the edits to blame is one that a test needs
// which the change edits or adds, and base panics or does not end, or gives an error whose text that test shows
// on base, too. What else the same call shows, and what is in the cluster likewise, goes with it. A value is one that the
// tests want where all parts of it that differ become another in the way in which such a test fails on base.
func mended(findings []event.Finding) bool {
	purposes := map[string]bool{}
	for _, f := range findings {
		if f.Open() && onPurpose(f, findings) {
			purposes[f.Cluster] = true
		}
	}
	marked := false
	leaders := event.Leaders(findings)
	for i, l := range leaders {
		f := findings[l]
		if f.Open() && f.Rung == event.Reached && (purposes[f.Cluster] && f.Improves() || wantedValue(f, findings)) {
			findings[i].Intended, marked = true, true
		}
	}
	return intendBeside(findings) || marked
}

// intendBeside marks the values of calls that give an error on base alone, where that it is gone is intended: with an error
// a value is nothing. It reports whether it marked any.
func intendBeside(findings []event.Finding) bool {
	type call struct{ pkg, function, input string }
	of := func(f event.Finding) call { return call{f.Package, f.Function, f.Input} }
	mended := map[call]bool{}
	for _, f := range findings {
		if f.Intended && f.Rung == event.Reached && f.Kind == event.KindErrorToValue && f.Input != "" && f.Base.Outcome == event.Pass {
			mended[of(f)] = true
		}
	}
	marked := false
	for i, f := range findings {
		if f.Open() && f.Rung == event.Reached && f.Kind == event.KindValue && mended[of(f)] {
			findings[i].Intended, marked = true, true
		}
	}
	return marked
}

// onPurpose reports whether the change says by its tests that it mends what a finding shows.
func onPurpose(f event.Finding, all []event.Finding) bool {
	if !f.Improves() || len(f.Blamed) == 0 {
		return false
	}
	return !slices.ContainsFunc(f.Blamed, func(e event.Edit) bool {
		return e.ExpectedBy == "" || !crashed(f.Base.Outcome) && !shows(all, e.ExpectedBy, f.Base.Value)
	})
}

// wantedValue reports whether tests that the change edits or adds, and that need the edits to blame, want the value that a
// finding has on head: each part that differs is a text on both versions, and such a test fails on base with both.
func wantedValue(f event.Finding, all []event.Finding) bool {
	if f.Kind != event.KindValue || f.Base.Outcome != event.Pass || f.Head.Outcome != event.Pass || len(f.Blamed) == 0 || len(f.Differs) == 0 {
		return false
	}
	return !slices.ContainsFunc(f.Blamed, func(e event.Edit) bool {
		return e.ExpectedBy == "" || slices.ContainsFunc(f.Differs, func(part event.PartDiffers) bool {
			return !shows(all, e.ExpectedBy, part.Base, part.Head)
		})
	})
}

// leastText is how long a text is at least that a test is known by, in bytes.
const leastText = 8

// shows reports whether a test fails on base with texts, or those of errors, which are given as values have them.
func shows(findings []event.Finding, test string, values ...string) bool {
	var texts []string
	for _, v := range values {
		text, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(v, "error("), ")"))
		if err != nil || len(text) < leastText {
			return false
		}
		texts = append(texts, text)
	}
	return slices.ContainsFunc(findings, func(f event.Finding) bool {
		return f.Test == test && f.Intended && f.Base.Outcome != event.Pass &&
			!slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(f.Base.Message+f.Base.Value, text) })
	})
}

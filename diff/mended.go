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
// on base, too. What else the same call shows, and what is in the cluster likewise, goes with it.
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
		if purposes[f.Cluster] && f.Open() && f.Rung == event.Reached && f.Improves() {
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

// leastText is how long the text of an error is at least that a test is known by, in bytes.
const leastText = 8

// shows reports whether a test fails on base with the text of an error, which is given as values have it.
func shows(findings []event.Finding, test, value string) bool {
	text, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(value, "error("), ")"))
	if err != nil || len(text) < leastText {
		return false
	}
	return slices.ContainsFunc(findings, func(f event.Finding) bool {
		return f.Test == test && f.Intended && f.Base.Outcome != event.Pass && strings.Contains(f.Base.Message+f.Base.Value, text)
	})
}

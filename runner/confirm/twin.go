package confirm

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// Unsettle takes back that what a test of base's suite shows is intended where head's own
// form of the test fails on head as well: whatever the change edits of it, head does not
// meet it either.
func Unsettle(findings []event.Finding) []event.Finding {
	type test struct{ pkg, name string }
	fails := map[test]bool{}
	for _, f := range findings {
		if f.Rung == event.Observed && f.Suite == "head" && !f.Intended && f.Head.Outcome != event.Pass {
			fails[test{f.Package, f.Test}] = true
		}
	}
	out := slices.Clone(findings)
	for i, f := range out {
		if f.Rung == event.Observed && f.Suite == "base" && fails[test{f.Package, f.Test}] {
			out[i].Intended = false
		}
	}
	return out
}

package report

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// meant names a test whose expectation the change edits and which runs all that a finding's
// call runs of the change: perhaps the finding is what that test expects, perhaps not. It
// is "" without one, and of what fails a test or is seen only with a branch forced.
func meant(f event.Finding, intended []cluster) string {
	if len(f.Changed) == 0 || f.Rung == event.Forced || failsTest(f) {
		return ""
	}
	for _, c := range intended {
		t := c.representative
		if t.Test != "" && !slices.ContainsFunc(f.Changed, func(name string) bool { return !slices.Contains(t.Changed, name) }) {
			return t.Test
		}
	}
	return ""
}

// meantInShort says so behind a proof; nil likewise.
func meantInShort(c cluster) phrase {
	if c.meant == "" {
		return nil
	}
	return say(", perhaps what the edited ", named(shorten(c.meant, siteLength)), " expects")
}

// perhapsMeant says so in a line; nil where there is no such test.
func perhapsMeant(c cluster) phrase {
	if c.meant == "" {
		return nil
	}
	return say("perhaps: the change edits what ", named(shorten(c.meant, siteLength)), " expects of the same functions")
}

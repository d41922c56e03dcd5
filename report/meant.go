package report

import (
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/report/event"
)

// wish is what the change edits of its expectations: a test, or a line that says what head gives.
type wish struct {
	by   string // "" for none
	line bool
}

// meant returns the wish whose difference runs all that a finding's call runs of the change: perhaps
// the finding is meant with it, perhaps not. There is none of what fails a test or is seen only with
// a branch forced.
func meant(f event.Finding, intended []cluster) wish {
	if len(f.Changed) == 0 || f.Rung == event.Forced || f.FailsTest() || f.Breaks() {
		return wish{}
	}
	for _, c := range intended {
		t := c.representative
		if len(f.Blamed) > 0 && t.Test != "" && t.Package == f.Package {
			continue // it ran without the edits to blame, see expectedBy
		}
		w := wish{by: t.Test}
		if t.Test == "" && t.Expected != nil {
			w = wish{by: place(t.Expected), line: true}
		}
		if w.by != "" && !slices.ContainsFunc(f.Changed, func(name string) bool { return !slices.Contains(t.Changed, name) }) {
			return w
		}
	}
	return wish{}
}

// meantInShort says so behind a proof; nil likewise.
func meantInShort(c cluster) phrase {
	if x := c.representative.Expected; x != nil {
		return say(", as ", named(shorten(place(x), siteLength)), " says")
	}
	if by := expectedBy(c.representative); by != "" {
		if c.representative.Intended {
			return say(", which the edited ", named(shorten(by, siteLength)), " needs")
		}
		return say(", perhaps what the edited ", named(shorten(by, siteLength)), " needs")
	}
	switch w := c.meant; {
	case w.by == "":
		return nil
	case w.line:
		return say(", perhaps as ", named(shorten(w.by, siteLength)), " says")
	default:
		return say(", perhaps what the edited ", named(shorten(w.by, siteLength)), " expects")
	}
}

// expectedBy is a test of the change that fails without any of the edits to blame; "" where one of them
// is not known to be needed, and for a panic, which is more than the test needs.
func expectedBy(f event.Finding) string {
	by := ""
	if f.Breaks() && !f.Intended {
		return by
	}
	for _, e := range f.Blamed {
		if by = e.ExpectedBy; by == "" {
			break
		}
	}
	return by
}

// place is a line as people write it.
func place(x *event.Expectation) string { return x.File + ":" + strconv.Itoa(x.Line) }

// intendedBy says by what a difference is known to be intended.
func intendedBy(f event.Finding) phrase {
	if f.Expected != nil {
		return say("the change itself says what head gives, ", named(shorten(place(f.Expected), siteLength)))
	}
	if by := expectedBy(f); by != "" {
		return say("the change edits ", named(shorten(by, siteLength)), ", which fails without the edit that mends this")
	}
	return words("the change edits what the test expects")
}

// perhapsMeant says so in a line, or where the change expects just this; nil where there
// is no such test or line.
func perhapsMeant(c cluster) phrase {
	if c.representative.Expected != nil {
		return intendedBy(c.representative)
	}
	if by := expectedBy(c.representative); by != "" {
		return say("perhaps: ", named(shorten(by, siteLength)), ", which the change edits, fails without the edit to blame")
	}
	switch w := c.meant; {
	case w.by == "":
		return nil
	case w.line:
		return say("perhaps: the change itself says what head gives of the same functions, ", named(shorten(w.by, siteLength)))
	default:
		return say("perhaps: the change edits what ", named(shorten(w.by, siteLength)), " expects of the same functions")
	}
}

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// targetsShown is the largest number of targets that are listed.
const targetsShown = 12

// called lists the functions that were to be called on both versions: those
// that were, and why the others were not.
func called(targets []event.Target) list {
	sorted := slices.SortedFunc(slices.Values(targets), event.CompareTargets)
	several := severalPackages(targets)
	l := list{title: words("Functions called on both versions: " + comparedOf(sorted))}
	for i, t := range sorted {
		if i == targetsShown {
			l.more = len(sorted) - targetsShown
			break
		}
		l.items = append(l.items, say(targetName(t, several), ": ", fate(t)))
	}
	return l
}

// uncalled lists only those that were not compared. It is empty where all were.
func uncalled(targets []event.Target) list {
	sorted := slices.SortedFunc(slices.Values(targets), event.CompareTargets)
	rest := slices.DeleteFunc(sorted, func(t event.Target) bool { return t.State == event.Compared })
	several := severalPackages(targets)
	l := list{title: words("functions that were not called on both versions (" + number(len(rest)) + ")")}
	for i, t := range rest {
		if i == listed {
			l.more = len(rest) - listed
			break
		}
		l.items = append(l.items, say(targetName(t, several), ": ", fate(t)))
	}
	return l
}

func comparedOf(targets []event.Target) string {
	n := 0
	for _, t := range targets {
		if t.State == event.Compared {
			n++
		}
	}
	return fmt.Sprintf("%s of %s compared", number(n), number(len(targets)))
}

func severalPackages(targets []event.Target) bool {
	return slices.ContainsFunc(targets, func(t event.Target) bool { return t.Package != targets[0].Package })
}

// targetName tells the package only where there are several.
func targetName(t event.Target, several bool) phrase {
	p := named(shorten(functionName(t.Function), siteLength))
	if several {
		p = say(p, " in ", named(shorten(t.Package, siteLength)))
	}
	return p
}

// fate says what came of a target.
func fate(t event.Target) phrase {
	because := func(otherwise string) phrase {
		if t.Reason == "" {
			return words(otherwise)
		}
		return phrase{{shorten(t.Reason, reasonLength), prose}}
	}
	switch t.State {
	case event.Ineligible:
		return say("not called, ", because("no reason was recorded"))
	case event.NotReached:
		return say("not called, ", because("no value for it was found"))
	case event.TargetUnstable:
		return say("left out, ", because("it varies by itself"))
	}
	text := count(t.Calls, "call") + " compared"
	if t.InPlace > 0 {
		text += ", " + number(t.InPlace) + " while a test ran"
	}
	if t.Differ > 0 {
		text += ", " + number(t.Differ) + " with another result"
	}
	p := words(text)
	switch {
	case len(t.Banned) > 0:
		return say(p, "; ", because("values left out"), ": ", banned(t.Banned))
	case t.Reason != "":
		return say(p, "; ", because(""))
	}
	return p
}

// banned lists values with the reason why they were left out.
func banned(values []string) phrase {
	const shown = 3
	var items []phrase
	for i, v := range values {
		if i == shown {
			items = append(items, words(number(len(values)-shown)+" more"))
			break
		}
		value, reason := v, ""
		if i := strings.LastIndex(v, ": "); i > 0 {
			value, reason = v[:i], v[i+2:]
		}
		item := quoted(shorten(value, valueLength))
		if reason != "" {
			item = say(item, " (", span{shorten(reason, siteLength), prose}, ")")
		}
		items = append(items, item)
	}
	return commas(items)
}

// calls says how much was compared by calls of our own; "" for nothing.
func calls(sum *event.Summary) string {
	if sum.Targets+sum.Calls == 0 {
		return ""
	}
	text := fmt.Sprintf("%s of %s compared, %s", number(sum.TargetsCompared), count(sum.Targets, "target function"), count(sum.Calls, "call"))
	if sum.Sequences > 0 {
		text += ", " + count(sum.Sequences, "sequence") + " of calls"
	}
	// Where there is much left, the number says little: sets of branches that go
	// together in new ways are behaviours, too.
	switch more := sum.NewBehaviours; {
	case sum.Behaviours == 0:
	case more < 0.05:
		text += fmt.Sprintf("; as many again would most likely show nothing new (%s seen)", count(sum.Behaviours, "behaviour"))
	case more < 0.7:
		text += fmt.Sprintf("; as many again would show something new in about %d of 100 runs (%s seen)", int(100*(1-math.Exp(-more))+0.5), count(sum.Behaviours, "behaviour"))
	}
	return text
}

// callsReach reports whether a function that changed was called and compared.
func callsReach(s *event.Stream) bool {
	return slices.ContainsFunc(s.Targets, func(t event.Target) bool {
		return t.State == event.Compared && t.Calls > 0 && cmp.Or(t.Role, event.RoleChanged) == event.RoleChanged
	})
}

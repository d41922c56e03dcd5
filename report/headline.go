package report

import (
	"fmt"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// headline is the first line, which must stand alone.
func headline(s *event.Stream, open, intended []cluster) (phrase, tone) {
	sum := s.Summary
	switch s.Verdict() {
	case event.Differences:
		return words(tally(open, intended)), alert
	case event.IntendedOnly:
		return words(count(len(intended), "intended behaviour change") + ", no other difference found"), calm
	case event.NoExecutableChange:
		return words("no executable change: base and head compile to the same code"), calm
	case event.NothingExplored:
		return words("nothing explored: this says nothing about the change"), doubt
	case event.NoDifference:
		t := calm
		if untested(s) {
			t = doubt
		}
		return words("no difference found in " + work(sum)), t
	}
	if len(open)+len(intended) > 0 {
		return words("incomplete, so far " + tally(open, intended)), alert
	}
	return words("incomplete: no difference found so far, which is no verdict"), doubt
}

// tally counts clusters: what no test fails on first, since that is what nobody
// would see without us.
func tally(open, intended []cluster) string {
	silent, failing := 0, 0
	rungs := map[event.Rung]int{}
	for _, c := range open {
		if failsTest(c.voice) {
			failing++
			continue
		}
		silent++
		rungs[c.voice.Rung]++
	}
	text := ""
	add := func(s string) {
		if text != "" {
			text += " · "
		}
		text += s
	}
	if silent > 0 {
		s := count(silent, "behaviour change") + " that no test fails on: "
		sep := ""
		for _, r := range []event.Rung{event.Observed, event.Reached, event.Forced} {
			if rungs[r] > 0 {
				s += sep + number(rungs[r]) + " " + string(r)
				sep = ", "
			}
		}
		add(s)
	}
	if failing > 0 {
		noun := " that fails a test"
		if failing > 1 {
			noun = " that fail a test"
		}
		if silent == 0 {
			add(count(failing, "behaviour change") + noun)
		} else {
			add(number(failing) + noun)
		}
	}
	if len(intended) > 0 {
		if text == "" {
			add(count(len(intended), "intended behaviour change"))
		} else {
			add(number(len(intended)) + " intended")
		}
	}
	return text
}

// work says how much a verdict of no difference stands on.
func work(sum *event.Summary) string {
	parts := []string{count(sum.Tests, "test")}
	taken := sum.Covered + sum.Explored
	branches := ""
	if sum.Branches > 0 {
		branches = fmt.Sprintf("; %s of %s executed", number(taken), count(sum.Branches, "branch"))
	}
	if sum.Calls > 0 {
		parts = append(parts, count(sum.Calls, "call")+" of our own")
	}
	if sum.Variants > 0 {
		parts = append(parts, count(sum.Variants, "run")+" with forced branches")
		return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1] + branches
	}
	return strings.Join(parts, " and ") + ", none of them with a forced branch" + branches
}

// untested: nothing that changed was executed, neither by a test nor by a call
// of our own.
func untested(s *event.Stream) bool { return untouched(s) && !callsReach(s) }

// untouched: no test of any suite executes anything that changed.
func untouched(s *event.Stream) bool {
	tests, not := 0, 0
	for _, b := range s.Baselines {
		tests += b.Tests
		not += b.NotReaching
	}
	return tests > 0 && not >= tests
}

// notes are the caveats that belong right under the verdict.
func notes(s *event.Stream) []phrase {
	var list []phrase
	if s.Summary == nil {
		list = append(list, words("The stream ends without a summary: the run was cut off, and only what it found until then is here."))
	} else if s.Summary.Interrupted {
		list = append(list, words("The run was interrupted; only what it found until then is here."))
	} else if s.Verdict() == event.Incomplete && (s.Summary.Verdict == event.Differences || s.Summary.Verdict == event.IntendedOnly) && len(s.Findings) == 0 {
		list = append(list, words("The summary counts findings that are not in the stream."))
	}
	for _, l := range s.Limits {
		if l.Kind == "shard" {
			list = append(list, say("Shard ", named(shorten(l.What, valueLength)), ": ", span{shorten(l.Reason, 200), prose}))
		}
	}
	if len(list) > listed {
		list = append(list[:listed:listed], words(count(len(list)-listed, "more note")+" below"))
	}
	if untouched(s) && s.Verdict() != event.NoExecutableChange {
		text := "No test executes anything that changed."
		if callsReach(s) {
			text = "No test executes anything that changed; calls of our own do."
		}
		list = append(list, words(text))
	}
	return list
}

// compared names the two sides, once for each module.
func compared(s *event.Stream) []phrase {
	var lines []phrase
	for _, v := range s.Versions {
		line := say(side(v.Base, v.MergeBase), " → ", side(v.Head, false), " · ", named(shorten(v.Module, siteLength)))
		if v.ModuleDir != "" && v.ModuleDir != "." {
			line = say(line, " in ", named(shorten(v.ModuleDir, siteLength)))
		}
		lines = append(lines, line)
	}
	return lines
}

func side(s event.Side, mergeBase bool) phrase {
	hash := named(shortHash(s.Commit))
	name := named(shorten(s.Asked, 40))
	switch {
	case s.Worktree && s.Commit != "":
		return say("working tree on ", hash)
	case s.Worktree:
		return words("working tree")
	case s.Commit == "":
		return name
	case s.Asked == "" || s.Asked == s.Commit:
		return hash
	case mergeBase:
		return say(hash, " (merge base with ", name, ")")
	}
	return say(name, " ", hash)
}

// shortHash keeps twelve digits, which is what git shows for large repositories.
func shortHash(s string) string { return visible(s[:min(len(s), 12)]) }

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// maxFolded bounds the conditions that are named of differences that inputs speak against.
const maxFolded = 3

// foldedBy tells apart what inputs speak against and what no input leads to.
func foldedBy(list []event.Folded) (taken, never []event.Folded) {
	for _, x := range list {
		if x.Infeasible {
			never = append(never, x)
		} else {
			taken = append(taken, x)
		}
	}
	return taken, never
}

// impossible says which differences in forced states are not reported since no input leads
// to them.
func impossible(list []event.Folded) phrase {
	p := say(count(len(list), "difference"), " in forced states that no input leads to, as equations for all paths show: ")
	for i, x := range list[:min(len(list), maxFolded)] {
		if i > 0 {
			p = say(p, "; ")
		}
		p = say(p, quoted(shorten(x.Condition, valueLength)), " in ", named(x.Function), " is never ", strconv.FormatBool(x.Taken))
	}
	if n := len(list) - maxFolded; n > 0 {
		p = say(p, fmt.Sprintf("; and %d more", n))
	}
	return p
}

// witnessed says which differences in forced states are not reported, and why.
func witnessed(list []event.Folded) phrase {
	var conditions []phrase
	seen := map[event.Folded]bool{}
	for _, x := range list {
		at := event.Folded{Condition: x.Condition, Function: x.Function, Taken: x.Taken}
		if seen[at] {
			continue
		}
		seen[at] = true
		var by []string
		if x.Calls > 0 {
			by = append(by, count(x.Calls, "call"))
		}
		if x.Tests > 0 {
			by = append(by, count(x.Tests, "test"))
		}
		conditions = append(conditions, say(quoted(shorten(x.Condition, valueLength)), " in ", named(x.Function), " is ", strconv.FormatBool(x.Taken), " in ", strings.Join(by, " and ")))
	}
	p := say(count(len(list), "difference"), " in forced states that inputs take, and none of them shows it: ")
	for i, c := range conditions[:min(len(conditions), maxFolded)] {
		if i > 0 {
			p = say(p, "; ")
		}
		p = say(p, c)
	}
	if n := len(conditions) - maxFolded; n > 0 {
		p = say(p, fmt.Sprintf("; and %d more", n))
	}
	return p
}

// explored says what was done, in the order in which it was done.
func explored(s *event.Stream) []row {
	var rows []row
	add := func(label string, parts ...any) { rows = append(rows, row{label, say(parts...)}) }
	if changed, n := changedFunctions(s); len(s.Matches) > 0 {
		if n == 0 {
			add("changed", "nothing that is executed")
		} else {
			add("changed", count(n, "function"), ": ", commas(changed))
		}
	}
	sum := s.Summary
	if sum == nil {
		return rows
	}
	if sum.Functions > 0 {
		add("functions", fmt.Sprintf("%s of %s paired between base and head", number(sum.MatchedFunctions), number(sum.Functions)))
	}
	if sum.Conditions > 0 {
		text := fmt.Sprintf("%s of %s paired", number(sum.MatchedConditions), number(sum.Conditions))
		if n := resynchronised(s); n > 0 {
			text += fmt.Sprintf(", %s of them only past an insertion", number(n))
		}
		add("conditions", text)
	}
	if sum.Tests > 0 {
		text := number(sum.Tests) + " compared as they are" + suites(s)
		if sum.TestsAlone > 0 {
			text += ", " + number(sum.TestsAlone) + " run on the one version that they fit"
		}
		if sum.Varied > 0 {
			text += ", and " + count(sum.Varied, "run") + " with one of their literals or statements changed"
		}
		add("tests", text)
	}
	if text := calls(sum); text != "" {
		add("calls", text)
	}
	if p := sought(sum.Goals); p != nil {
		add("inputs", p)
	}
	if sum.Branches > 0 {
		never := max(0, sum.Branches-sum.Covered-sum.Explored)
		add("branches", fmt.Sprintf("%s: %s covered by the tests, %s more explored by force, %s never taken",
			number(sum.Branches), number(sum.Covered), number(sum.Explored), number(never)))
	}
	if sum.Variants+sum.Pruned+sum.Skipped > 0 {
		text := count(sum.Variants, "run") + " of a test with a forced branch"
		if sum.Pruned > 0 {
			text += fmt.Sprintf(", %s more proved equal without running", number(sum.Pruned))
		}
		add("variants", text)
	}
	if sum.Implausible > 0 {
		add("set aside", count(sum.Implausible, "difference")+" in forced states that were wrong for both versions")
	}
	taken, never := foldedBy(sum.Folded)
	if len(taken) > 0 {
		add("set aside", witnessed(taken))
	}
	if len(never) > 0 {
		add("set aside", impossible(never))
	}
	if sum.UnexportedOnly > 0 {
		add("set aside", count(sum.UnexportedOnly, "difference")+" seen only by calling unexported functions with made-up values")
	}
	if sum.HiddenHints > 0 {
		add("hints", count(sum.HiddenHints, "variant")+" equal in all that is visible, different in unexported fields")
	}
	if sum.Seconds > 0 {
		text := seconds(sum.Seconds)
		if sum.BuildSeconds > 0 {
			text += ", " + seconds(sum.BuildSeconds) + " of them building"
		}
		if n := int(sum.VariantsPerSecond + 0.5); n > 0 {
			text += ", " + count(n, "variant") + " a second"
		}
		if n := int(sum.CallsPerSecond + 0.5); n > 0 {
			text += ", " + count(n, "call") + " a second"
		}
		add("time", text)
	}
	if text := spent(s); text != "" {
		add("spent on", text)
	}
	if c := s.Config; c.Deterministic && len(c.Masked) > 0 {
		add("seeded", names(shortened(c.Masked), listed))
	}
	return rows
}

// worked says in a line what was explored; nil where that is not known.
func worked(s *event.Stream) phrase {
	if s.Summary == nil {
		return nil
	}
	return words(work(s.Summary))
}

// changedFunctions names the first of the changed set, and counts all.
func changedFunctions(s *event.Stream) (list []phrase, n int) {
	for _, m := range s.Matches {
		for _, c := range m.Changed {
			if n++; n > listed {
				continue
			}
			item := named(shorten(functionName(c.Function), siteLength))
			switch {
			case len(c.Data) > 0:
				item = say(item, " (by ", named(shorten(c.Data[0], siteLength)), ")")
			case c.Status == "added", c.Status == "deleted":
				item = say(item, " ("+c.Status+")")
			case c.Status == event.StatusThrough:
				item = say(item, " (by what it calls)")
			}
			list = append(list, item)
		}
	}
	if n > listed {
		list = append(list, words(number(n-listed)+" more"))
	}
	return list, n
}

func resynchronised(s *event.Stream) int {
	n := 0
	for _, m := range s.Matches {
		n += m.Resynchronised
	}
	return n
}

// suites says whose tests they were.
func suites(s *event.Stream) string {
	of := map[string]bool{}
	for _, b := range s.Baselines {
		of[b.Suite] = true
	}
	switch {
	case of["base"] && of["head"]:
		return ", from the suites of both base and head"
	case of["base"]:
		return ", from base's suite alone"
	case of["head"]:
		return ", from head's suite alone"
	}
	return ""
}

// missed says what was not explored or gave no evidence, the largest gaps
// first. Nothing of it is ever left out without its number.
func missed(s *event.Stream) []list {
	var lists []list
	if sum := s.Summary; sum != nil {
		lists = append(lists, gaps(s, sum)...)
	}
	return append(lists, limits(s)...)
}

// gaps are those that only have a number.
func gaps(s *event.Stream, sum *event.Summary) []list {
	var lists []list
	add := func(n int, format string, args ...any) {
		if n > 0 {
			lists = append(lists, list{title: words(fmt.Sprintf(format, args...))})
		}
	}
	budget := ""
	if s.Config.BudgetSeconds > 0 {
		budget = " of " + seconds(s.Config.BudgetSeconds)
	}
	add(sum.Skipped, "%s left when the budget%s ended", count(sum.Skipped, "variant"), budget)
	unpaired := sum.Conditions - sum.MatchedConditions
	add(unpaired, "%s not paired between base and head, so never forced", count(unpaired, "condition"))
	add(sum.Exhausted, "%s ran out of fuel (counted work, not time): no evidence", count(sum.Exhausted, "variant"))
	add(sum.Died, "%s ended the test process", count(sum.Died, "variant"))
	add(sum.Hung, "%s hung: no evidence", count(sum.Hung, "variant"))
	add(sum.Unconfirmed, "%s seen once and not again in fresh processes: not reported", count(sum.Unconfirmed, "difference"))
	failing := 0
	for _, b := range s.Baselines {
		failing += b.Failing
	}
	add(failing, "%s failing on base or head before anything was forced; compared all the same", count(failing, "test"))
	return lists
}

// limits groups what has a name: unstable tests, dropped declarations, and the
// limit events by kind.
func limits(s *event.Stream) []list {
	type entry struct{ what, reason string }
	type place struct {
		kind event.LimitKind
		what string
	}
	groups := map[event.LimitKind][]entry{}
	seen := map[event.LimitKind]map[entry]bool{}
	first := map[place]int{} // index of the first entry about something
	add := func(kind event.LimitKind, what, reason string) {
		e := entry{what, reason}
		if seen[kind] == nil {
			seen[kind] = map[entry]bool{}
		}
		if seen[kind][e] {
			return
		}
		seen[kind][e] = true
		if _, known := first[place{kind, what}]; !known {
			first[place{kind, what}] = len(groups[kind])
		}
		groups[kind] = append(groups[kind], e)
	}
	for _, b := range s.Baselines {
		for _, u := range b.Unstable {
			what, reason, _ := strings.Cut(u, ": ")
			add(event.LimitUnstable, what, reason)
		}
		for _, d := range b.Dropped {
			add(event.LimitDroppedTest, d, "")
		}
	}
	for _, l := range s.Limits {
		if i, known := first[place{l.Kind, l.What}]; known && (l.Kind == event.LimitUnstable || l.Kind == event.LimitDroppedTest) {
			groups[l.Kind][i].reason = cmp.Or(groups[l.Kind][i].reason, l.Reason)
			continue
		}
		add(l.Kind, l.What, l.Reason)
	}
	for _, m := range s.Matches {
		for _, b := range m.PruneBlockers {
			add(groupPruning, "", b)
		}
	}
	for _, k := range s.Skipped {
		add(groupStream, "", k.String())
	}
	kinds := make([]event.LimitKind, 0, len(groups))
	for k := range groups {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b event.LimitKind) int {
		return cmp.Or(cmp.Compare(kindRank(a), kindRank(b)), cmp.Compare(a, b))
	})
	var lists []list
	for _, k := range kinds {
		l := list{title: kindTitle(k, len(groups[k])), wrong: isWrong(k)}
		for i, e := range groups[k] {
			if i == listed {
				l.more = len(groups[k]) - listed
				break
			}
			l.items = append(l.items, item(e.what, e.reason))
		}
		lists = append(lists, l)
	}
	return lists
}

func item(what, reason string) phrase {
	what, reason = shorten(what, 100), shorten(reason, reasonLength)
	switch {
	case what == "":
		return phrase{{reason, prose}}
	case reason == "":
		return named(what)
	}
	return say(named(what), ": ", span{reason, prose})
}

// footer names the machinery.
func footer(s *event.Stream) []phrase {
	var parts []phrase
	add := func(ps ...any) { parts = append(parts, say(ps...)) }
	c := s.Config
	if sum := s.Summary; sum != nil && sum.Seconds > 0 {
		text := seconds(sum.Seconds)
		if c.BudgetSeconds > 0 {
			text += " (budget " + seconds(c.BudgetSeconds) + ")"
		}
		add(text)
		if sum.Shards > 0 {
			add(count(sum.Shards, "shard"))
		}
	}
	if c.Version == 0 {
		return parts
	}
	add(sandboxed(c))
	if !c.Deterministic {
		add("run time not seeded")
	}
	add("seed ", named(strconv.FormatInt(c.Seed, 10)))
	depth := number(c.Depth)
	if c.Depth == 0 {
		depth = "any"
	}
	add("depth " + depth)
	if c.GoVersion != "" {
		add(named(shorten(c.GoVersion, valueLength)))
	}
	add("isodelta ", named(shorten(c.Tool, valueLength)))
	return parts
}

// sandboxed says how far tests were locked in, and what they could do all the
// same.
func sandboxed(c event.Config) phrase {
	level := cmp.Or(c.Sandbox, "none")
	said := say("sandbox: ", named(shorten(level, valueLength)))
	if level == "none" || len(c.SandboxOpen) == 0 {
		return said
	}
	return say(said, ", open: ", named(shorten(strings.Join(c.SandboxOpen, " "), nameLength)))
}

func shortened(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = shorten(s, nameLength)
	}
	return out
}

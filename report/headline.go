package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// headline is the first line, which must stand alone: it is what a notification
// shows.
func headline(s *event.Stream, clusters map[status][]cluster) (phrase, tone) {
	broken := brokenAlone(s)
	if why := incomplete(s); why != nil {
		if len(clusters) > 0 || broken > 0 {
			return say("incomplete (", why, "), so far "+tally(clusters, broken)), alert
		}
		return say("incomplete (", why, "): no difference found so far, which is no verdict"), doubt
	}
	if len(clusters[open]) > 0 {
		return words(tally(clusters, broken)), alert
	}
	if broken > 0 {
		return words(tally(clusters, broken) + ": a property that held on base and does not on head"), alert
	}
	if len(clusters) > 0 {
		return words(tally(clusters, 0) + ", no other difference found"), calm
	}
	if n := acceptedRelations(s); n > 0 {
		return words(count(n, "accepted broken relation") + ", no other difference found"), calm
	}
	switch s.Verdict() {
	case event.NoExecutableChange:
		if n := excluded(s); n > 0 {
			return words("nothing compared: build constraints leave out " + count(n, "changed file") + ", and the rest compiles to the same code"), doubt
		}
		if n, told := constants(s); n > 0 {
			return say("no executable change here; ", count(n, "exported constant"), " with another value: ", told), doubt
		}
		return words("no executable change: base and head compile to the same code"), calm
	case event.NoDifference:
		t := calm
		if untested(s) {
			t = doubt
		}
		text := words("no difference found in " + work(s.Summary) + keeps(s) + unexecuted(s))
		if never := neverExecuted(s); never != nil {
			return say(never, "; ", text), doubt
		}
		return text, t
	}
	return words("nothing explored: this says nothing about the change"), doubt
}

// excluded counts the changed files that build constraints leave out.
func excluded(s *event.Stream) int {
	n := 0
	for _, l := range s.Limits {
		if l.Kind == event.LimitConstraint {
			n++
		}
	}
	return n
}

// shownConstants is how many constants a headline names.
const shownConstants = 2

// constants counts the exported constants that have another value, and tells of as many as a headline has room for.
func constants(s *event.Stream) (n int, told phrase) {
	var list []phrase
	for _, l := range s.Limits {
		if l.Kind != event.LimitConstant {
			continue
		}
		if n++; n <= shownConstants {
			list = append(list, say(named(shorten(l.What, siteLength)), " (", span{l.Reason, prose}, ")"))
		}
	}
	if n > shownConstants {
		list = append(list, words(number(n-shownConstants)+" more"))
	}
	return n, commas(list)
}

// incomplete says why a stream is no whole comparison; nil where it is one.
func incomplete(s *event.Stream) phrase {
	var missing []phrase
	for _, l := range s.Limits {
		if l.Kind == event.LimitShard {
			missing = append(missing, named(shorten(l.What, 30)))
		}
	}
	switch {
	case len(missing) == 1:
		return say("shard ", missing[0], " is not whole")
	case len(missing) > 1:
		return words(count(len(missing), "shard") + " are not whole")
	case s.Summary == nil:
		return words("the run was cut off")
	case s.Summary.Interrupted:
		return words("the run was interrupted")
	case s.Verdict() == event.Incomplete:
		return words("findings or parts of the run are missing")
	}
	return nil
}

// keeps says how many properties are known to be the same; "" for none.
func keeps(s *event.Stream) string {
	if n := countState(s, event.Kept); n > 0 {
		return "; " + count(n, "relation") + " kept"
	}
	return ""
}

// tally counts clusters: what no test fails on first, since that is what nobody
// would see without us. What failed on base and does not on head is often a fix. The
// functions with broken relations that no finding is about come after the open clusters.
func tally(clusters map[status][]cluster, broken int) string {
	silent, fixed, forced, failing := 0, 0, 0, 0
	untested := true // no test takes the branches that had to be forced
	for _, c := range clusters[open] {
		switch {
		case c.representative.FailsTest() || len(c.failing) > 0:
			failing++
		case c.representative.Rung == event.Forced:
			forced++
			untested = untested && universal(c.representative)
		case c.representative.Improves():
			fixed++
		default:
			silent++
		}
	}
	var parts []string
	named := false // what is counted, by the first part that counts it
	add := func(n int, singular, plural string) {
		if n == 0 {
			return
		}
		text := number(n)
		if !named {
			text, named = count(n, "behaviour change"), true
		}
		tail := singular
		if n > 1 {
			tail = plural
		}
		parts = append(parts, text+" "+tail)
	}
	add(silent, "that no test fails on", "that no test fails on")
	add(fixed, "where base was the one that failed", "where base was the one that failed")
	if untested {
		add(forced, "hidden behind an untested branch", "hidden behind untested branches")
	} else {
		add(forced, "seen only with a branch forced", "seen only with branches forced")
	}
	add(failing, "that fails a test", "that fail a test")
	if broken > 0 {
		parts = append(parts, count(broken, "function")+" with a broken relation")
	}
	if n := len(clusters[small]); n > 0 && !named {
		parts, named = append(parts, count(n, "small difference")), true
	} else {
		add(n, "small", "small")
	}
	if n := len(clusters[intended]); n > 0 && !named {
		parts, named = append(parts, count(n, "intended behaviour change")), true
	} else {
		add(n, "intended", "intended")
	}
	if n := len(clusters[accepted]); n > 0 && !named {
		parts = append(parts, count(n, "accepted behaviour change"))
	} else {
		add(n, "accepted", "accepted")
	}
	return strings.Join(parts, ", ")
}

// universal reports whether no test takes the branches that a finding forces.
func universal(f event.Finding) bool {
	return !slices.ContainsFunc(f.Negations, func(n event.Negation) bool { return !n.Universal })
}

// inverted reports whether the test takes both branches of a condition that a finding
// negates.
func inverted(f event.Finding) bool {
	return slices.ContainsFunc(f.Negations, func(n event.Negation) bool { return n.Inverted })
}

// work says how much a verdict of no difference stands on.
func work(sum *event.Summary) string {
	parts := []string{count(sum.Tests, "test")}
	var others []string
	if n := sum.TestsAlone; n > 0 {
		others = append(others, number(n)+" on one version alone")
	}
	if n := sum.TestsLeftOut; n > 0 {
		others = append(others, number(n)+" left out")
	}
	if len(others) > 0 {
		parts[0] += " (" + strings.Join(others, ", ") + ")"
	}
	taken := sum.Covered + sum.Explored
	branches := ""
	if sum.Branches > 0 {
		branches = fmt.Sprintf("; %s of %s executed", number(taken), count(sum.Branches, "branch"))
	}
	if sum.Calls > 0 {
		calls := count(sum.Calls, "generated call")
		if sum.Sequences > 0 && sum.Reaching > 0 && 2*sum.Reaching < sum.Sequences {
			calls += " (" + number(sum.Reaching) + " of " + count(sum.Sequences, "sequence") + " ran changed code)"
		}
		parts = append(parts, calls)
	}
	if sum.Variants > 0 {
		parts = append(parts, count(sum.Variants, "forced run"))
		return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1] + branches
	}
	return strings.Join(parts, " and ") + ", none of them forced" + branches
}

// neverExecuted says that nothing executed any function that changed; nil where something
// did.
func neverExecuted(s *event.Stream) phrase {
	names, of := s.Summary.Unexecuted, changedWithin(s)
	switch {
	case len(names) == 1 && of == 1:
		return say("the changed function ", named(shorten(functionName(names[0]), siteLength)), " was never executed")
	case len(names) > 0 && len(names) == of:
		return words("none of the " + number(of) + " changed functions was executed")
	case of == 0 && len(dependencies(s)) > 0:
		return words("no call here is known to reach what changed in dependencies")
	case untested(s):
		return words("nothing executed what changed")
	}
	return nil
}

// unexecuted says how many of the functions that changed nothing executed; "" where
// there is none, or nothing else: a note says that.
func unexecuted(s *event.Stream) string {
	n, of := len(s.Summary.Unexecuted), changedWithin(s)
	if n == 0 || n == of || untested(s) {
		return ""
	}
	return "; " + number(n) + " of " + count(of, "changed function") + " never executed"
}

// changedWithin counts the changed functions in what was asked for, and in what that uses.
func changedWithin(s *event.Stream) int {
	n := -len(s.Summary.Outside)
	for _, m := range s.Matches {
		n += len(m.Changed)
	}
	return n
}

// untested reports whether nothing that changed was executed, neither by a test
// nor by a generated call.
func untested(s *event.Stream) bool { return untouched(s) && !callsReach(s) }

// testsAloneDiffer reports whether a module that only tests are built with differs.
func testsAloneDiffer(m event.Match) bool {
	return slices.ContainsFunc(m.Dependencies, func(d event.Dependency) bool { return d.OnlyTests })
}

// oneSided reports whether each changed function is on one version alone.
func oneSided(s *event.Stream) bool {
	n := 0
	for _, m := range s.Matches {
		for _, c := range m.Changed {
			if n++; c.Status != "added" && c.Status != "deleted" {
				return false
			}
		}
	}
	return n > 0
}

// untouched reports whether no test of any suite executes anything that changed. Tests that fit one version alone execute it: they do
// not fit the other one because of what changed. What tests execute of a module that only they are built with is not known.
func untouched(s *event.Stream) bool {
	if s.Summary != nil && s.Summary.TestsAlone > 0 || slices.ContainsFunc(s.Matches, testsAloneDiffer) {
		return false
	}
	tests, not := 0, 0
	for _, b := range s.Baselines {
		tests += b.Tests
		not += b.NotReaching
	}
	return tests > 0 && not >= tests
}

// unexecutedShown bounds the changed functions that are named although nothing executed them: on a telephone each is a line
// above the first item.
const unexecutedShown = 4

// notes are the caveats that belong right under the verdict.
func notes(s *event.Stream) []phrase {
	var list []phrase
	if s.Summary == nil || s.Summary.Interrupted {
		list = append(list, words("Only what was found before the run ended is here; what it had left to do was not explored."))
	} else if s.Verdict() == event.Incomplete && (s.Summary.Verdict == event.Differences || s.Summary.Verdict == event.IntendedOnly) && len(s.Findings) == 0 {
		list = append(list, words("The summary counts findings that are not in the stream."))
	}
	for _, l := range s.Limits {
		if l.Kind == event.LimitShard {
			list = append(list, say("Shard ", named(shorten(l.What, valueLength)), ": ", span{shorten(l.Reason, 200), prose}))
		}
	}
	if n := countState(s, event.Violated); n == 1 {
		list = append(list, words("1 declared relation holds neither on base nor on head."))
	} else if n > 1 {
		list = append(list, words(number(n)+" declared relations hold neither on base nor on head."))
	}
	if len(list) > listed {
		list = append(list[:listed:listed], words(count(len(list)-listed, "more note")+" below"))
	}
	if p := notBegun(s); p != nil {
		list = append(list, p)
	}
	if p := callsEnded(s); p != nil {
		list = append(list, p)
	}
	if s.Summary != nil && len(s.Summary.Unexecuted) > 0 && !untested(s) {
		list = append(list, say("Nothing executed ", firstOf(s.Summary.Unexecuted), "."))
	}
	if s.Summary != nil && len(s.Summary.Outside) > 0 {
		list = append(list, say("Outside of what --packages asks for, and not looked at: ", firstOf(s.Summary.Outside), "."))
	}
	if s.Summary != nil && oneSided(s) {
		list = append(list, words("What changed is on one version alone: there is nothing to compare it with."))
	}
	if _, changed := changedFunctions(s); untouched(s) && s.Verdict() != event.NoExecutableChange && (changed > 0 || len(dependencies(s)) == 0) {
		text := "No test executes anything that changed"
		if s.Summary != nil && s.Summary.TestsLeftOut > 0 {
			text = "No test that ran executes anything that changed"
		}
		if callsReach(s) {
			text += "; generated calls do"
		}
		list = append(list, words(text+"."))
	}
	return list
}

// firstOf names the first of some functions, and counts the others.
func firstOf(functions []string) phrase {
	var names []phrase
	for i, name := range functions {
		if left := len(functions) - i; i >= unexecutedShown && left > 1 {
			names = append(names, words(number(left)+" more"))
			break
		}
		names = append(names, named(shorten(functionName(name), siteLength)))
	}
	return commas(names)
}

// notBegun says which kinds of work the budget left no time to begin; nil for none.
func notBegun(s *event.Stream) phrase {
	if s.Summary == nil || s.Config.BudgetSeconds == 0 {
		return nil
	}
	var what []phrase
	if s.Summary.Variants == 0 && s.Summary.Skipped > 0 {
		what = append(what, words("any branch was forced"))
	}
	relations := func(l event.Limit) bool {
		return l.Kind == event.LimitBudget && strings.Contains(l.Reason, "relations")
	}
	if len(s.Relations) == 0 && slices.ContainsFunc(s.Limits, relations) {
		what = append(what, words("any relation was checked"))
	}
	if len(what) == 0 {
		return nil
	}
	return say("The budget of "+seconds(s.Config.BudgetSeconds)+" ended before ", commas(what), "; with a longer --budget they are.")
}

// callsEnded names the packages whose calls ended early, or could not be made, for a reason of
// ours; nil for none.
func callsEnded(s *event.Stream) phrase {
	var packages []phrase
	reason := ""
	for _, l := range s.Limits {
		if l.Kind == event.LimitCalls && (strings.HasPrefix(l.Reason, event.CallsEnded) || strings.HasPrefix(l.Reason, event.CallsNotBuilt)) {
			packages = append(packages, named(shorten(l.What, siteLength)))
			reason = l.Reason
		}
	}
	if len(packages) == 0 {
		return nil
	}
	if n := len(packages) - listed; n > 0 {
		packages = append(packages[:listed:listed], words(number(n)+" more"))
	}
	if len(packages) == 1 {
		return say("In ", packages[0], " ", span{shorten(reason, 200), prose}, "; what further calls show is unknown.")
	}
	return say("Calls of our own ended early, or could not be made, in ", commas(packages), "; what further calls show is unknown.")
}

// comparison is one module's two versions.
type comparison struct {
	base, head version
	module     phrase
	changed    int // functions, added and deleted ones included
}

// version is one side in words.
type version struct {
	commit string // the full hash where there is one
	name   phrase // as it was asked for, where that says more than the hash
}

// phrase puts both parts of a version on one line.
func (v version) phrase() phrase {
	switch {
	case v.commit == "":
		return v.name
	case len(v.name) == 0:
		return named(shortHash(v.commit))
	}
	return say(named(shortHash(v.commit)), " (", v.name, ")")
}

// comparisons are in the order of the stream.
func comparisons(s *event.Stream) []comparison {
	changed := map[string]int{}
	for _, m := range s.Matches {
		changed[m.Module] += len(m.Changed)
	}
	var list []comparison
	for _, v := range s.Versions {
		c := comparison{base: versionOf(v.Base, v.MergeBase), head: versionOf(v.Head, false), module: named(shorten(v.Module, siteLength)), changed: changed[v.Module]}
		if len(s.Versions) == 1 {
			c.changed += changed[""] // a stream of one module need not name it
		}
		if v.ModuleDir != "" && v.ModuleDir != "." {
			c.module = say(c.module, " in ", named(shorten(v.ModuleDir, siteLength)))
		}
		list = append(list, c)
	}
	return list
}

func versionOf(s event.Side, mergeBase bool) version {
	v := version{commit: s.Commit}
	name := named(shorten(fullHash().ReplaceAllStringFunc(s.Asked, shortHash), 40))
	switch {
	case s.Worktree:
		v.name = words("working tree")
	case s.Asked == s.Commit || s.Asked == "":
	case mergeBase:
		v.name = say("merge base with ", name)
	default:
		v.name = name
	}
	return v
}

// line is a comparison on one line of a terminal.
func (c comparison) line() phrase {
	return say(c.base.phrase(), " → ", c.head.phrase(), " · ", c.module)
}

// fullHash matches the hash of a commit within an expression, such as HASH~1.
var fullHash = lazyregexp.New(`\b[0-9a-f]{40}\b`)

// shortHash keeps ten digits, which are enough for large repositories.
func shortHash(s string) string {
	r := []rune(s)
	return visible(string(r[:min(len(r), 10)]))
}

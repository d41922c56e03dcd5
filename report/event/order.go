package event

import (
	"cmp"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// CompareFindings orders findings as a reader should meet them: by what head does to
// those who call it (see Finding.harm), those last that go on after an error, then by rung (observed, reached; what is
// observed of a method that is not exported comes last), tests that
// pass on base and do not on head first, then fewer negations, then what is easier to
// believe of a call of our own, head's own tests before base's, shorter values, and by
// ID at last, so that the order never depends on the order of the stream. Forced
// findings come after all others, for no input is known that shows them. Accepted
// findings come after the open ones, and intended ones at the end. It returns -1, 0 or 1.
func CompareFindings(a, b Finding) int {
	return cmp.Or(
		compareGravity(a, b),
		cmp.Compare(a.seen(), b.seen()),
		cmp.Compare(outcomeRank(a), outcomeRank(b)),
		cmp.Compare(len(a.Negations), len(b.Negations)),
		compareCalls(a, b),
		-strings.Compare(a.Suite, b.Suite), // "head" sorts after "base"
		cmp.Compare(len(a.Base.Value)+len(a.Head.Value), len(b.Base.Value)+len(b.Head.Value)),
		strings.Compare(a.Package, b.Package),
		strings.Compare(a.Test, b.Test),
		strings.Compare(a.ID, b.ID),
	)
}

// compareGravity is the part of CompareFindings that no relation has a say in.
func compareGravity(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(openRank(a), openRank(b)),
		cmp.Compare(hypothetical(a), hypothetical(b)),
		cmp.Compare(a.harm(), b.harm()),
		compareBool(a.AfterError, b.AfterError),
	)
}

// seen ranks how sure a difference is. What a test sees of a method that is not exported comes behind what calls show for
// inputs of ours.
func (f Finding) seen() int {
	if f.Rung == Observed && f.Varied == nil && ofMethodInside().MatchString(f.Base.Site) {
		return rank(rungs, Reached) + 1
	}
	return rank(rungs, f.Strength())
}

// ofMethodInside matches a call of a method that is not exported.
var ofMethodInside = lazyregexp.New(`\.[a-z]\w*\([^()]*\)$`)

// hypothetical ranks whether an input is known that shows the difference.
func hypothetical(f Finding) int { return max(rank(rungs, f.Rung), rank(rungs, Reached)) }

// harm ranks what a difference does to those who call the code, the worst first: head ends the
// process, where nobody can recover, or does not come to an end, head panics, head gives an error for a value, another value,
// base was the one that failed, which is often a fix, another text of an error, and nil
// against something empty. Where head only stumbles over what was never filled, the input
// tells more than the change does, and another value is worse than the panic. An error that tells of a panic on head alone is as bad. What is written to the standard error is mostly
// a log, and harms nobody who calls.
func (f Finding) harm() int {
	switch {
	case f.Kind == KindValue && f.Component == ComponentStderr:
		return rank(kinds, KindErrorToValue)
	case f.tellsOfCrash():
		return rank(kinds, KindValue)
	case f.Kind != KindPanic:
		return rank(kinds, f.Kind)
	case ends(f.Base.Outcome) && !ends(f.Head.Outcome):
		return rank(kinds, KindErrorToValue)
	case f.unfilled():
		return rank(kinds, KindErrorToValue)
	case f.Head.Outcome == Died || f.Head.Outcome == Exhausted:
		return rank(kinds, KindPanic) - 1
	}
	return rank(kinds, f.Kind)
}

// unfilled reports whether a call panics for a nil in it, and was given a struct with
// nothing in it, or nil. A nil map is one with nothing in it, and not a value that is missing.
func (f Finding) unfilled() bool {
	without := emptyArgument
	if f.Base.Outcome == Panic && strings.Contains(f.Base.Message, nilMap) || f.Head.Outcome == Panic && strings.Contains(f.Head.Message, nilMap) {
		without = emptyStruct
	}
	return f.Dereferences() && without().MatchString(f.Input[:min(len(f.Input), maxAwkward)])
}

// Breaks reports whether head ends what base does not: a panic, or worse, which no test of the change asks for by
// what it expects of other inputs.
func (f Finding) Breaks() bool {
	return f.Kind == KindPanic && ends(f.Head.Outcome) && !ends(f.Base.Outcome)
}

// Panics reports how one of the versions ends: by a crash, a panic of the run time; or by a refusal,
// one of the code itself. What meets a value of another kind than it takes, through package reflect or
// in an assertion, is neither, unless it meets nothing.
func (f Finding) Panics() (crash, refusal bool) {
	for _, r := range []Result{f.Base, f.Head} {
		if r.Outcome != Panic {
			continue
		}
		if mismatch().MatchString(r.Message) && !strings.Contains(r.Message, "zero Value") && !strings.Contains(r.Message, " is nil, not ") {
			continue
		}
		if strings.Contains(r.Message, "runtime error: ") || strings.Contains(r.Message, nilMap) || strings.Contains(r.Message, nilReceiver) {
			crash = true
		} else {
			refusal = true
		}
	}
	return crash, refusal
}

// mismatch matches a panic over a value of another kind than is taken.
var mismatch = lazyregexp.New(`^(reflect[:.] ?|interface conversion: )`)

// Overflows reports whether the stack of a version overflows.
func (f Finding) Overflows() bool {
	return strings.Contains(f.Base.Message, "stack overflow") || strings.Contains(f.Head.Message, "stack overflow")
}

// AssertsUnnamed reports whether a version panics in a type assertion on a value of an unnamed struct type, or of a type that
// contains one.
func (f Finding) AssertsUnnamed() bool {
	for _, r := range []Result{f.Base, f.Head} {
		if r.Outcome == Panic && strings.HasPrefix(r.Message, "interface conversion: ") && strings.Contains(r.Message, "struct {") {
			return true
		}
	}
	return false
}

// Dereferences reports whether one of the versions panics over a nil pointer or a nil map.
func (f Finding) Dereferences() bool { return dereferences(f.Base) || dereferences(f.Head) }

func dereferences(r Result) bool {
	return r.Outcome == Panic && (strings.Contains(r.Message, "nil pointer dereference") || strings.Contains(r.Message, nilMap) || strings.Contains(r.Message, nilReceiver))
}

const (
	nilMap      = "assignment to entry in nil map"
	nilReceiver = " called using nil *" // of a method that wants a value
)

// Receivers are no arguments: that the zero value of a type works is something that callers rely on.
var (
	// emptyStruct matches an argument that is the zero value of an exported struct type.
	emptyStruct = lazyregexp.New(`[(,] ?&?([a-z]\w*\.)?[A-Z]\w*\{\}[,)]`)
	// emptyArgument matches such an argument and nil, and a variable that is nil.
	emptyArgument = lazyregexp.New(`[(,] ?(nil|\(\*[\w.]+\)\(nil\)|&?([a-z]\w*\.)?[A-Z]\w*\{\})[,)]|= (nil|\(\*[\w.]+\)\(nil\))\n`)
)

// ends reports whether an execution was cut short by the code itself.
func ends(o Outcome) bool { return o == Panic || o == Exhausted || o == Died }

// compareCalls prefers exported functions, inputs that were made simpler, what no edited test needs, calls that a Go test shows, what a call gives to
// what it tells a function of ours, those that need no
// test to build their state, for only of them a test to paste can be written, inputs that
// somebody would write, changed functions, and short inputs.
func compareCalls(a, b Finding) int {
	if a.Rung != Reached || b.Rung != Reached {
		return 0
	}
	return cmp.Or(
		-compareBool(a.Exported, b.Exported),
		compareBool(a.Example, b.Example),
		compareBool(a.wanted(), b.wanted()),
		-compareBool(a.GoTest != "", b.GoTest != ""),
		compareBool(a.ToldBack(), b.ToldBack()),
		compareBool(a.Origin == OriginInPlace, b.Origin == OriginInPlace),
		cmp.Compare(a.Awkward(), b.Awkward()),
		-compareBool(slices.Contains(a.Changed, a.Function), slices.Contains(b.Changed, b.Function)),
		cmp.Compare(len(a.Input), len(b.Input)),
	)
}

// wanted reports whether each edit to blame is one that a test of the change needs.
func (f Finding) wanted() bool {
	return len(f.Blamed) > 0 && !slices.ContainsFunc(f.Blamed, func(e Edit) bool { return e.ExpectedBy == "" })
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// CompareTargets orders targets by how directly they show the change: changed
// functions first, then what calls them, then what takes their results;
// exported before unexported, then by package and name. It returns -1, 0 or 1.
func CompareTargets(a, b Target) int {
	return cmp.Or(
		cmp.Compare(rank(roles, a.Role), rank(roles, b.Role)),
		-compareBool(a.Exported, b.Exported),
		strings.Compare(a.Package, b.Package),
		strings.Compare(a.Function, b.Function),
	)
}

func openRank(f Finding) int {
	switch {
	case f.Intended:
		return 2
	case f.Accepted != nil:
		return 1
	}
	return 0
}

// rank orders words as a list of words between blanks does; unknown words come last.
// Places are not consecutive. It is called for each comparison of a sort.
func rank[T ~string](words, word T) int {
	for at := 0; at < len(words)-1; {
		end := at + 1 + strings.IndexByte(string(words[at+1:]), ' ')
		if words[at+1:end] == word {
			return at
		}
		at = end
	}
	return len(words)
}

func outcomeRank(f Finding) int {
	switch {
	case f.Base.Outcome == Pass && f.Head.Outcome != Pass:
		return 0
	case f.Base.Outcome == Pass:
		return 1
	case f.Head.Outcome == Pass:
		return 2
	}
	return 3
}

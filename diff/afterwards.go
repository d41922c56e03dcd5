package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/isodelta/isodelta/report/event"
)

// afterwards tells apart what a call gives and leaves behind from what is seen when
// something else was done after it, as where memory is shared: for those of one change.
// That writing to one value changes another is one thing, that appending to it does is
// another: a copy helps against the first, a capacity against the second. What a call leaves
// behind in something that it was given is no such thing, and what it prints is apart, too.
func afterwards(f event.Finding) string {
	if f.Rung == event.Reached && f.Part() == "" && f.Component != event.ComponentPanic {
		if f.Component == event.ComponentStdout || f.Component == event.ComponentStderr {
			return printed
		}
		if leftBehind(f) {
			return ""
		}
		if f.ToldBack() {
			return told
		}
		if strings.Contains(f.Input, "append(") {
			return "after append"
		}
		return "afterwards"
	}
	return ""
}

// What afterwards has for what a call prints, and for what it gives to a function of ours that notes it.
const (
	printed = "printed"
	told    = "told"
)

// through reports whether a finding is explained by another: its changed functions are
// those of the other and more, and its input, which holds no call that could be left out,
// calls the function that the other one is about.
func through(f, by event.Finding) bool {
	return len(by.Changed) > 0 && covers(f.Changed, by.Changed) && bareName(f.Function) != bareName(by.Function) && mentions(f.Input, by.Function)
}

// bareName is a function's name without its package and receiver.
func bareName(function string) string { return function[strings.LastIndexByte(function, '.')+1:] }

// mentions reports whether code calls a function or method, going by its name.
func mentions(code, function string) bool {
	name := bareName(function)
	if name == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(code[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		before, _ := utf8.DecodeLastRuneInString(code[:i])
		if partOfName(before) || at == len(code) {
			continue
		}
		if code[at] == '(' || code[at] == '[' {
			return true
		}
	}
}

func partOfName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// joins reports whether a reached or forced finding belongs to the cluster that another one begins,
// which comes before it. What is small is no place for what is not.
func joins(f, first *seen) bool {
	if first.small && !f.small || diesOtherwise(f.Base, first.Base) || diesOtherwise(f.Head, first.Head) {
		return false
	}
	if crashesAnew(f.Finding, first.Finding) {
		return true
	}
	if otherEdits(f, first) {
		return false
	}
	if f.Rung == event.Forced {
		return forcedBeside(f.Finding, first.Finding)
	}
	if wraps(f.Finding, first.Finding) || wraps(first.Finding, f.Finding) || wrapTheSame(f.Finding, first.Finding) || sameArguments(f.Finding, f.arguments, first.Finding, first.arguments) {
		return true
	}
	if sameFailure(f, first) || newFailure(f, first) || tellsMore(f.Finding, first.Finding) || tellsMore(first.Finding, f.Finding) || crashesBefore(f, first) || endsAlike(f, first) {
		return true
	}
	if f.Kind != first.Kind || f.Intended != first.Intended || f.Open() != first.Open() || f.Base.Outcome != first.Base.Outcome || f.Head.Outcome != first.Head.Outcome {
		return false
	}
	if through(f.Finding, first.Finding) || sameState(f, first) || sameTypes(f, first) || sharedMemory(f, first) || samePanic(f, first) || sameValues(f, first) || sameFragment(f, first) || sameEdits(f, first) || f.twin != "" && f.twin == first.twin {
		return true
	}
	if printsText(f, first) || printsText(first, f) || printsAnew(f, first) {
		return true
	}
	if f.after != first.after || toldApart(f.Finding, first.Finding) {
		return false
	}
	of := f.Package == first.Package && f.Function == first.Function
	return of || !f.unknown && !first.unknown && covers(first.roots, f.roots) || showTheSame(f.Finding, first.Finding) || goesThrough(f.Finding, first.Finding)
}

// diesOtherwise reports whether the run time ends two processes for reasons of its own that are not the
// same: a deadlock is no consequence of what fills the stack elsewhere.
func diesOtherwise(r, other event.Result) bool {
	return r.Outcome == event.Died && other.Outcome == event.Died && r.Message != other.Message
}

// printsText reports whether one call prints, or gives to a function of ours, what another one gives as a
// text, or bytes, or in a buffer, going by the changed functions, which are the same: a line of a log.
func printsText(f, gives *seen) bool {
	text := strings.HasPrefix(gives.Base.Value, `"`) || strings.HasPrefix(gives.Base.Value, `[]byte("`) || strings.Contains(gives.Base.Value, `*bytes.Buffer("`)
	return (f.after == printed || f.after == told) && gives.after == "" && text && !f.unknown && slices.Equal(f.roots, gives.roots)
}

// printsAnew reports whether head prints where base prints nothing in both findings, and a changed function
// ran in both: a line for debugging that was forgotten.
func printsAnew(f, g *seen) bool {
	return f.after == printed && g.after == printed && f.Component == g.Component && f.Base.Value == `""` && g.Base.Value == `""` && share(f.roots, g.roots)
}

// toldApart reports whether two generated calls are of the same function and show the same part of
// it, each with changed functions of its own: what generates calls keeps both only
// where the smaller one does not explain the other.
func toldApart(f, g event.Finding) bool {
	generated := func(o event.Origin) bool { return o == event.OriginSequence || o == event.OriginPlain }
	return generated(f.Origin) && generated(g.Origin) && f.Package == g.Package && f.Function == g.Function &&
		f.Component == g.Component && !slices.Equal(f.Changed, g.Changed)
}

// showTheSame reports whether two functions of a kind show the very same difference, and
// one executed all that changed below the other: Sub and Add over one helper.
func showTheSame(f, g event.Finding) bool {
	below := func(f event.Finding) []string {
		return slices.DeleteFunc(slices.Clone(f.Changed), func(name string) bool { return name == f.Function })
	}
	a, b := below(f), below(g)
	return f.Base.Value == g.Base.Value && f.Head.Value == g.Head.Value && f.Base.Message == g.Base.Message && f.Head.Message == g.Head.Message &&
		nested(a, b)
}

// forcedBeside reports whether a forced finding says no more than one of a test or a call as it
// is: it is of the same kind, and executed the same changed functions or
// some of them; or the condition is in a changed function that the input runs, and head fails
// in both.
func forcedBeside(forced, first event.Finding) bool {
	if forced.Rung != event.Forced || first.Rung == event.Forced || forced.Intended != first.Intended || forced.Open() != first.Open() || forced.Small() != first.Small() {
		return false
	}
	if slices.Contains(first.Changed, forced.Function) && worsens(forced) && worsens(first) {
		return true
	}
	return forced.Kind == first.Kind && forced.Improves() == first.Improves() && nested(first.Changed, forced.Changed)
}

// worsens reports whether head fails where base does not.
func worsens(f event.Finding) bool {
	return f.Kind == event.KindValueToError || f.Base.Outcome == event.Pass && f.Head.Outcome != event.Pass
}

// wraps reports whether a finding is of a call that another one's function explains, which
// it calls: a panic of MustParse(x) tells nothing beside the error of Parse(x).
func wraps(outer, inner event.Finding) bool {
	return outer.Through != "" && outer.Through == inner.Function && follows(outer, inner.Kind) && alike(outer, inner)
}

// explainsCall reports whether the call of one finding is what a reader should see of both.
func explainsCall(inner, outer event.Finding) bool {
	return wraps(outer, inner) || outer.Kind == event.KindPanic && inner.Kind != event.KindPanic &&
		(sameArguments(outer, argumentsOf(outer), inner, argumentsOf(inner)) || sameWords(outer, failureOf(outer), inner, failureOf(inner)))
}

// wrapTheSame reports whether one function explains the findings of two others.
func wrapTheSame(f, g event.Finding) bool {
	return f.Through != "" && f.Through == g.Through && (follows(f, g.Kind) || follows(g, f.Kind)) && alike(f, g)
}

// alike reports whether findings ran the same changed functions, for the better or not, and
// people have said the same about them.
func alike(f, g event.Finding) bool {
	return judgedAlike(f, g) && covers(f.Changed, g.Changed) && covers(g.Changed, f.Changed)
}

// judgedAlike reports whether people have said the same about findings, for the better or not,
// whatever ran.
func judgedAlike(f, g event.Finding) bool {
	return f.Package == g.Package && f.Intended == g.Intended && f.Open() == g.Open() && f.Improves() == g.Improves()
}

// follows reports whether a wrapper's difference is what a kind of difference of the wrapped
// function comes to: the same, or a panic for an error.
func follows(outer event.Finding, inner event.Kind) bool {
	switch {
	case outer.Through == "":
		return false
	case outer.Kind == inner:
		return true
	case outer.Kind != event.KindPanic:
		return false
	case outer.Improves():
		return inner == event.KindErrorToValue
	}
	return inner == event.KindValueToError
}

// innermost is the place of what the first of a cluster's findings goes through, as far as one can
// follow it there. The first is a call where one is, for a call has an input. A state
// that hardly anybody would build, to call the inner function with, tells less than the call of
// the outer one that somebody would write. Of calls that show the same of one function one with a test to paste stands for
// the others, if it reads as well: some are found after tests were written.
func innermost(findings []event.Finding, places []int) int {
	places = places[:min(len(places), maxWrapped)]
	first := places[max(0, slices.IndexFunc(places, func(i int) bool { return findings[i].Rung != event.Observed }))]
	at := first
	for range places {
		k := slices.IndexFunc(places, func(i int) bool {
			return i != at && explainsCall(findings[i], findings[at]) && findings[i].Awkward() <= findings[first].Awkward()
		})
		if k < 0 {
			break
		}
		at = places[k]
	}
	if k := slices.IndexFunc(places, func(i int) bool { return pastedFor(findings[i], findings[at]) }); k >= 0 {
		return places[k]
	}
	return at
}

// pastedFor reports whether a finding has a test to paste, and the other one, which has none, shows the same of the same function.
func pastedFor(f, o event.Finding) bool {
	return f.GoTest != "" && o.GoTest == "" && f.Rung == o.Rung && f.Function == o.Function && f.Component == o.Component && f.Kind == o.Kind &&
		f.Apart == o.Apart && f.Awkward() <= o.Awkward()
}

// maxWrapped bounds the findings of a cluster that are compared with each other.
const maxWrapped = 100

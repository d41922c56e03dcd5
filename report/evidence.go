package report

import (
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// proof says how a finding is known, on which rung of the ladder it stands.
func proof(f event.Finding) phrase {
	test := quoted(shorten(f.Test, siteLength))
	if f.Base.Site == "" && f.Head.Site == "" {
		test = words("this test") // the claim names it
	}
	switch f.Rung {
	case event.Observed:
		if f.Varied != nil {
			return say("reached by ", test, ", changed at ", named(position(f.Varied.File, f.Varied.Line)))
		}
		return say("observed in ", test, ", which "+witness(f))
	case event.Reached:
		return say("reached ", origin(f), misused(f.Misuse))
	case event.Forced:
		return negated(f, test)
	}
	return words("found in a way that this isodelta does not know")
}

// proven says how the representative of a cluster is known, and which tests fail for the same.
func proven(c cluster) phrase {
	p := proof(c.representative)
	switch len(c.failing) {
	case 0:
		return p
	case 1:
		return say(p, ", and ", names(c.failing, 1), " fails for it")
	}
	return say(p, ", and ", names(c.failing, 3), " fail for it")
}

// misused says what nobody in the module gives; nil for an ordinary call.
func misused(m event.Misuse) phrase {
	switch m {
	case event.NilArgument:
		return words(", which is given nil where no call of the module gives nil")
	case event.EmptyStruct:
		return words(", which is given an empty struct, and the module leaves none of its type empty")
	case event.FullWriter:
		return words(", which is given a writer that takes some bytes and no more")
	case event.CallsOthers:
		return words(", all of it of other modules")
	case event.UnsetField:
		return words(", which is given a struct without a field that the module always sets")
	case event.GivenItself:
		return words(", in which a value is given to itself")
	case event.UnnamedStruct:
		return words(", which is given a value of a type without a name")
	case event.NoJSON:
		return words(", which is given a text that is no JSON")
	case event.OtherTable:
		return words(", which is given another table than any call of the module gives")
	case event.Renumbered:
		return words(", which is given a number that means another constant on head")
	}
	return nil
}

// negated says which branches were forced, and whether inputs take them.
func negated(f event.Finding, test phrase) phrase {
	branches := "the branch"
	if len(f.Negations) > 1 {
		branches = "these branches"
	}
	switch {
	case inverted(f) && len(f.Negations) > 1:
		return say("forced: ", test, " takes both branches of the first condition, and not the others")
	case inverted(f):
		return say("forced: ", test, " takes both branches, and here the other one each time")
	case universal(f):
		return say("forced: no test takes "+branches, inputsFor(f.Fate, len(f.Negations)))
	}
	return say("forced: ", test, " does not take "+branches, inputsFor(f.Fate, len(f.Negations)))
}

// witness says what the test makes of a difference that it sees by itself.
func witness(f event.Finding) string {
	pass := func(r event.Result) bool { return r.Outcome == event.Pass }
	switch {
	case f.Intended:
		return "the change edits"
	case pass(f.Base) && pass(f.Head):
		return "does not check it"
	case pass(f.Base):
		return "fails for it"
	case pass(f.Head):
		return "passes on head only"
	}
	return "fails on both"
}

// more says how many others of its kind a cluster's representative stands for; nil for none.
func more(c cluster) phrase {
	if c.size < 2 {
		return nil
	}
	return words(", " + number(c.size-1) + " more like it")
}

// nameLength bounds names and conditions that stand alone, in characters.
const nameLength = 120

// testOf names the test, whose it is, and where it looks.
func testOf(f event.Finding) phrase {
	p := named(shorten(f.Test, nameLength))
	if f.Package != "" {
		p = say(p, " in ", named(shorten(f.Package, nameLength)))
	}
	if f.Suite == "base" || f.Suite == "head" {
		p = say(p, ", "+f.Suite+"'s suite")
	}
	r := f.Head
	if r.File == "" {
		r = f.Base
	}
	if r.File != "" {
		p = say(p, ", looks at ", named(position(r.File, r.Line)))
	}
	return p
}

// forced says which branch was forced, and where it stands.
func forced(n event.Negation) phrase {
	p := say(quoted(shorten(n.Text, nameLength)), " to be "+truth(n)+" in ", named(shorten(functionName(n.Function), nameLength)), ", ", named(position(n.File, n.Line)))
	if n.BaseLine > 0 && (n.BaseFile != "" && n.BaseFile != n.File || n.BaseLine != n.Line) {
		file := n.BaseFile
		if file == "" {
			file = n.File
		}
		p = say(p, " (", named(position(file, n.BaseLine)), " on base)")
	}
	return p
}

// position is event.Position, with a file name that is too long shortened.
func position(file string, line int) string { return event.Position(shorten(file, nameLength), line) }

// also says how many findings the cluster's representative stands for.
func also(c cluster) phrase {
	p := words(number(c.size-1) + " more like it")
	switch {
	case c.representative.Rung == event.Reached && len(c.calls) > 0:
		p = say(p, ", in calls of ", names(functionNames(c.calls), 5))
	case c.representative.Rung != event.Reached && len(c.tests) > 0:
		p = say(p, ", in ", names(c.tests, 5))
	}
	for i, f := range c.apart {
		with := "; one that differs otherwise: "
		switch {
		case f.Example:
			with = "; another input: "
		case i > 0:
			with = "; another one: "
		}
		p = say(p, with, claim(f), " · ", named(f.ID))
	}
	return p
}

// beside says in what else the call of a finding differs: "its result is 2 on base, 0 on
// head".
func beside(findings []event.Finding) phrase {
	var list []phrase
	for _, f := range findings {
		list = append(list, besideOne(f))
	}
	return separated(list, "; ")
}

func besideOne(f event.Finding) phrase {
	its := say("its ", span{shorten(f.Component, siteLength), prose})
	if f.Base.Value == f.Head.Value && len(f.Differs) > 0 {
		return partSays(partsToShow(f.Base.Value, f.Head.Value, f.Differs)[0])
	}
	if f.Base.Value == f.Head.Value {
		return say(its, " differs in a way that its text does not show")
	}
	x, y := sentenceValues(f.Base.Value, f.Head.Value)
	if component(f) == aboutError {
		its = words("it gives ")
	} else {
		its = say(its, " is ")
	}
	return say(its, sideValue(f, f.Base, x), " on base, ", sideValue(f, f.Head, y), " on head", elementsChanged(f.Base.Value, f.Head.Value))
}

// plainID is an ID that a shell reads as it is.
var plainID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/-]*$`)

// reasonLength bounds a reason, in characters.
const reasonLength = 200

// replayCommand is a line to paste. An ID that a shell would read otherwise is
// quoted; the engine makes none, a forged stream may.
func replayCommand(id string) string {
	id = visible(id)
	if !plainID().MatchString(id) {
		id = "'" + strings.ReplaceAll(id, "'", `'\''`) + "'"
	}
	return "isodelta replay " + id
}

// dots joins the parts of a line.
func dots(parts []phrase) phrase { return separated(parts, " · ") }

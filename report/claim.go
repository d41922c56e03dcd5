package report

import (
	"go/ast"
	"go/parser"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Lengths of texts within a sentence, in characters.
const (
	siteLength  = 60
	valueLength = 48
)

// claim says in one sentence what differs.
func claim(f event.Finding) phrase {
	if f.Rung == event.Reached {
		return callClaim(f)
	}
	p := difference(f)
	if f.Rung == event.Forced || len(f.Negations) > 0 {
		return append(p, forcing(f)...)
	}
	return append(p, witness(f)...)
}

// difference is the sentence's first half: what is so on base and so on head.
func difference(f event.Finding) phrase {
	base, head := f.Base, f.Head
	site := base.Site
	if site == "" {
		site = head.Site
	}
	switch {
	case breaks(base) && breaks(head):
		return say(subject(f, site), " ", breaking(base), " on base", because(base, head), ", ", breaking(head), " on head", because(head, base))
	case breaks(head):
		return say(subject(f, site), " ", breaking(head), " on head", because(head, base), otherwise(base, site, "base"))
	case breaks(base):
		return say(subject(f, site), " ", breaking(base), " on base", because(base, head), otherwise(head, site, "head"))
	case site != "" && base.Value != head.Value:
		return values(f, site)
	case base.Outcome != head.Outcome:
		return say(quoted(shorten(f.Test, siteLength)), " ", outcome(base.Outcome), " on base", because(base, head), ", ", outcome(head.Outcome), " on head", because(head, base))
	case base.Message != head.Message:
		x, y := sentenceExcerpts(base.Message, head.Message, valueLength)
		return say(quoted(shorten(f.Test, siteLength)), " ", outcome(base.Outcome), " on both, with ", quoted(x), " on base, ", quoted(y), " on head")
	}
	return say(subject(f, site), " differs between base and head in a way that its text does not show")
}

// values compares what a site of the test code saw.
func values(f event.Finding, site string) phrase {
	base, head := f.Base.Value, f.Head.Value
	x, y := sentenceExcerpts(errorText(base), errorText(head), valueLength)
	verb, also := " is ", " is also "
	if isCall(site) {
		verb, also = " returns ", " also returns "
	}
	about := subject(f, site)
	switch value, n, m := howOften(base, head); {
	case value != "":
		return say(about, verb, quoted(shorten(flat(value), valueLength)), " "+n+" on base, "+m+" on head")
	case base == notSeen:
		return say(about, also, quoted(y), " on head, never on base")
	case head == notSeen:
		return say(about, also, quoted(x), " on base, never on head")
	}
	side := func(value, text string, isError bool) phrase {
		switch {
		case value == "" || value == notReached:
			return words(" is not reached")
		case isError:
			return say(verb, "the error ", quoted(text))
		}
		return say(verb, quoted(text))
	}
	baseError := f.Kind == "error-to-value" || f.Kind == "error-text"
	headError := f.Kind == "value-to-error" || f.Kind == "error-text"
	b, h := side(base, x, baseError), side(head, y, headError)
	if both := base != "" && base != notReached && head != "" && head != notReached; both {
		// "returns 1 on base, 2 on head": the verb once.
		h = h[1:]
	}
	return say(about, b, " on base,", space(h), " on head")
}

// space puts a space before a phrase that does not begin with one.
func space(p phrase) phrase {
	if len(p) > 0 && strings.HasPrefix(p[0].text, " ") && p[0].style == plain {
		return p
	}
	return say(" ", p)
}

// subject is what the sentence is about: the expression that test code looks
// at, else the test.
func subject(f event.Finding, site string) phrase {
	if site == "" {
		return quoted(shorten(f.Test, siteLength))
	}
	return quoted(shortCall(site))
}

// shortCall leaves out the arguments of a call that is too long for a sentence.
func shortCall(site string) string {
	if len([]rune(site)) <= siteLength {
		return site
	}
	if call, ok := parseCall(site); ok && int(call.Lparen) <= siteLength {
		return site[:call.Lparen] + "…)"
	}
	return shorten(site, siteLength)
}

func isCall(site string) bool {
	_, ok := parseCall(site)
	return ok
}

// parseCall bounds what it parses: go/parser recurses, and the site is hostile.
func parseCall(site string) (*ast.CallExpr, bool) {
	if len(site) > 4096 {
		return nil, false
	}
	e, err := parser.ParseExpr(site)
	if err != nil {
		return nil, false
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || int(call.Lparen) > len(site) {
		return nil, false
	}
	if id, isIdent := call.Fun.(*ast.Ident); isIdent && isBuiltin(id.Name) {
		return nil, false // "len(s) is 3"
	}
	return call, true
}

func isBuiltin(name string) bool {
	switch name {
	case "len", "cap", "min", "max", "real", "imag", "string", "int", "int64", "uint", "byte", "rune", "float64", "bool", "any", "error", "complex", "append":
		return true
	}
	return false
}

// breaks: the execution did not come to a result of its own.
func breaks(r event.Result) bool {
	switch r.Outcome {
	case event.Panic, event.Died, event.Exhausted, event.Hung:
		return true
	}
	return false
}

func breaking(r event.Result) string {
	switch r.Outcome {
	case event.Panic:
		return "panics"
	case event.Died:
		return "ends the process"
	case event.Exhausted:
		return "does not end (it ran out of fuel)"
	}
	return "hangs"
}

func outcome(o event.Outcome) string {
	switch o {
	case event.Pass:
		return "passes"
	case event.Fail:
		return "fails"
	case event.Unstable:
		return "is unstable"
	case event.NotBuilt:
		return "does not build"
	}
	return breaking(event.Result{Outcome: o})
}

// because gives the message of r, cut around where it differs from the other's.
func because(r, other event.Result) phrase {
	if r.Message == "" {
		return nil
	}
	text, _ := sentenceExcerpts(r.Message, other.Message, siteLength)
	return say(" (", quoted(text), ")")
}

// otherwise says what the version does that does not break.
func otherwise(r event.Result, site, side string) phrase {
	some := r.Value != "" && r.Value != notReached && r.Value != notSeen
	switch {
	case site != "" && some && isCall(site):
		return say(", returns ", quoted(shorten(flat(r.Value), valueLength)), " on "+side)
	case site != "" && some:
		return say(", is ", quoted(shorten(flat(r.Value), valueLength)), " on "+side)
	case site != "":
		return words(", does not on " + side)
	}
	return words(", " + outcome(r.Outcome) + " on " + side)
}

// forcing names the branch that was forced, in the second half of a sentence.
func forcing(f event.Finding) phrase {
	const named = 2
	var conditions []phrase
	universal := true
	for i, n := range f.Negations {
		universal = universal && n.Universal
		if i < named {
			conditions = append(conditions, say(quoted(shorten(n.Text, siteLength)), taking(n)))
		}
	}
	if more := len(f.Negations) - named; more > 0 {
		conditions = append(conditions, words(count(more, "more condition")+" negated"))
	}
	if len(conditions) == 0 {
		return words(", with a branch forced")
	}
	p := say(" when ", commas(conditions))
	switch first := f.Negations[0]; {
	case len(f.Negations) > 1 && universal:
		return append(p, span{" (no test does that)", plain})
	case len(f.Negations) > 1:
		return append(p, span{" (this test does not do that)", plain})
	case universal && first.Taken:
		return append(p, span{" (no test takes it)", plain})
	case universal:
		return append(p, span{" (no test skips it)", plain})
	case first.Taken:
		return append(p, span{" (this test does not take it)", plain})
	}
	return append(p, span{" (this test takes it)", plain})
}

func taking(n event.Negation) string {
	if n.Taken {
		return " is taken"
	}
	return " is not taken"
}

// witness says what the test makes of a difference that it sees by itself.
func witness(f event.Finding) phrase {
	test := quoted(shorten(f.Test, siteLength))
	pass := func(r event.Result) bool { return r.Outcome == event.Pass }
	switch {
	case f.Intended:
		return say("; the change edits what ", test, " expects")
	case pass(f.Base) && pass(f.Head):
		return say("; ", test, " sees it and does not check it")
	case f.Base.Site == "" && f.Head.Site == "" && f.Base.Value == "":
		return nil // the test itself is the subject
	case pass(f.Base):
		return say("; ", test, " fails for it")
	case pass(f.Head):
		return say("; ", test, " passes on head only")
	}
	return say("; ", test, " sees it and fails on both")
}

// sentenceExcerpts is excerpts of what may have several lines. Texts that differ
// in white space alone keep it.
func sentenceExcerpts(a, b string, limit int) (string, string) {
	if x, y := flat(a), flat(b); x != y || a == b {
		a, b = x, y
	}
	return excerpts(a, b, limit)
}

// flat puts a text of several lines on one: each break with the white space
// around it becomes one space.
func flat(s string) string {
	if !strings.Contains(s, "\n") {
		return s
	}
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return s // nothing but line feeds
	}
	return strings.Join(lines, " ")
}

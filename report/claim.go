package report

import (
	"go/ast"
	"go/parser"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
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
	p := append(difference(f), varying(f.Varied)...)
	if f.Rung == event.Forced || len(f.Negations) > 0 {
		return append(p, forcing(f)...)
	}
	return p
}

// varying says what a test has otherwise than in its source; nil for a test as it is.
func varying(v *event.Varied) phrase {
	switch {
	case v == nil:
		return nil
	case v.LeftOut():
		return say(", without ", quoted(shorten(v.Was, valueLength)))
	case v.Twice():
		return say(", with ", quoted(shorten(v.Was, valueLength)), " twice")
	case v.Row():
		return say(", after ", quoted(shorten(v.Is, 2*valueLength)))
	}
	x, y := sentenceValues(v.Was, v.Is)
	return say(", with ", quoted(y), " in place of ", quoted(x))
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
		return append(values(f, site), tableRow(f)...)
	case base.Outcome != head.Outcome:
		return say(quoted(shorten(f.Test, siteLength)), " ", outcome(base.Outcome), " on base", because(base, head), ", ", outcome(head.Outcome), " on head", because(head, base))
	case base.Message != head.Message:
		x, y := sentenceExcerpts(base.Message, head.Message, valueLength)
		return say(quoted(shorten(f.Test, siteLength)), " ", outcome(base.Outcome), " on both, with ", quoted(x), " on base, ", quoted(y), " on head")
	}
	return say(subject(f, site), " differs between base and head in a way that its text does not show")
}

// tableRow says which row of a table an observed call is about; nil where nothing is known.
func tableRow(f event.Finding) phrase {
	var out phrase
	for i, p := range f.Given[:min(len(f.Given), maxRow)] {
		join := ", for "
		if i > 0 {
			join = " and "
		}
		out = append(out, say(join, quoted(shorten(p.Path, nameLength)), " = ", quoted(shorten(flat(p.Value), valueLength)))...)
	}
	return out
}

// maxRow bounds the arguments in a sentence.
const maxRow = 2

// values compares what a site of the test code saw.
func values(f event.Finding, site string) phrase {
	base, head := f.Base.Value, f.Head.Value
	x, y := sentenceValues(base, head)
	verb, also := " is ", " is also "
	if isCall(site) {
		verb, also = " returns ", " also returns "
	}
	about := subject(f, site)
	switch value, n, m := howOften(base, head); {
	case value != "":
		return say(about, verb, quoted(shorten(flat(value), valueLength)), " "+n+" on base, "+m+" on head")
	case base == event.ValueNotSeen:
		return say(about, also, quoted(y), " on head, never on base")
	case head == event.ValueNotSeen:
		return say(about, also, quoted(x), " on base, never on head")
	}
	side := func(value, text string, isError bool) phrase {
		switch {
		case value == "" || value == event.ValueNotReached:
			return words(" is not reached")
		case isError:
			return say(verb, "the error ", quoted(text))
		}
		return say(verb, quoted(text))
	}
	plain := func(value string) bool { return isError(value) || !strings.Contains(value, `error("`) } // no list of results
	baseError := (f.Kind == event.KindErrorToValue || f.Kind == event.KindErrorText) && plain(base)
	headError := (f.Kind == event.KindValueToError || f.Kind == event.KindErrorText) && plain(head)
	b, h := side(base, x, baseError), side(head, y, headError)
	if both := base != "" && base != event.ValueNotReached && head != "" && head != event.ValueNotReached; both {
		// "returns 1 on base, 2 on head": the verb once.
		h = h[1:]
	}
	return say(about, b, " on base,", space(h), " on head", elementsChanged(base, head))
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

// breaks reports whether the execution did not come to a result of its own.
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
		if strings.HasPrefix(r.Message, "os.Exit(") { // intercepted in calls of our own
			return "ends the process"
		}
		if strings.HasPrefix(r.Message, "t.FailNow()") { // a function of a test file did it
			return "fails its test"
		}
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

// because returns the message of r, cut around where it differs from the other's.
func because(r, other event.Result) phrase {
	if r.Message == "" {
		return nil
	}
	text, _ := sentenceExcerpts(complaint(r.Message), complaint(other.Message), inputLength)
	return say(" (", quoted(text), ")")
}

// painting matches what turns the colours of a terminal on and off.
var painting = lazyregexp.New(`\x1b\[[0-9;]*m`)

// complaint is what a message of testify's says, without where it says it from
// and the name of the test; another message stays as it is, but without colours.
func complaint(message string) string {
	message = painting().ReplaceAllString(message, "")
	_, rest, ok := strings.Cut(message, "Error Trace:")
	if !ok {
		return message
	}
	_, text, ok := strings.Cut(rest, "Error:")
	if !ok {
		return message
	}
	text, _, _ = strings.Cut(text, "Test:")
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return message
	}
	return text
}

// otherwise says what the version does that does not break.
func otherwise(r event.Result, site, side string) phrase {
	some := r.Value != "" && r.Value != event.ValueNotReached && r.Value != event.ValueNotSeen
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
	for i, n := range f.Negations {
		if i < named {
			conditions = append(conditions, say(quoted(shorten(n.Text, siteLength)), " is "+truth(n)))
		}
	}
	if more := len(f.Negations) - named; more > 0 {
		conditions = append(conditions, words(count(more, "more condition")+" turned round"))
	}
	if len(conditions) == 0 {
		return words(", with a branch forced")
	}
	return say(" if ", commas(conditions))
}

func truth(n event.Negation) string {
	switch {
	case n.Inverted:
		return "the opposite each time"
	case n.Taken:
		return "true"
	}
	return "false"
}

// sentenceExcerpts is excerpts of what may have several lines. Texts that differ
// in white space alone keep it. If only the number of blanks differs, each blank gets a sign, because the terminal wraps lines and
// a web page shows several blanks as one.
func sentenceExcerpts(a, b string, limit int) (string, string) {
	if x, y := flat(a), flat(b); x != y || a == b {
		a, b = x, y
	}
	if a != b && blanks().ReplaceAllString(a, " ") == blanks().ReplaceAllString(b, " ") {
		a, b = strings.ReplaceAll(a, " ", blank), strings.ReplaceAll(b, " ", blank)
	}
	return excerpts(a, b, limit)
}

// blanks matches blanks in a row.
var blanks = lazyregexp.New(` +`)

// blank stands for a blank that would not be seen.
const blank = "␣"

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

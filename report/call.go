package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// inputLength bounds the code of a call within a sentence, in characters. Its
// arguments are what the reader needs, so it is longer than that of a site.
const inputLength = 90

// callClaim says in one sentence what a call of our own gives on each version,
// and after which other calls.
func callClaim(f event.Finding) phrase {
	base, head := f.Base, f.Head
	call, after := callOf(f)
	switch {
	case breaks(base) && base.Outcome == head.Outcome:
		x, y := sentenceExcerpts(base.Message, head.Message, valueLength)
		return say(call, " ", breaking(base), " on both, with ", quoted(x), " on base, ", quoted(y), " on head", after)
	case breaks(base) && breaks(head):
		return say(call, " ", breaking(base), " on base", reason(base), ", ", breaking(head), " on head", reason(head), after)
	case breaks(head):
		return say(call, " ", breaking(head), " on head", reason(head), after, "; on base it ", ending(base, head))
	case breaks(base):
		return say(call, " ", breaking(base), " on base", reason(base), after, "; on head it ", ending(head, base))
	case base.Value == head.Value && len(f.Differs) > 0:
		return say(call, ": ", partSays(partsToShow(base.Value, head.Value, f.Differs)[0]), after)
	case base.Value == head.Value:
		return say(call, " differs between base and head in a way that its text does not show", after)
	}
	if p := calledBack(f, after); p != nil {
		return p
	}
	if p := asked(f); p != nil {
		return p
	}
	if left := leftBehind(f); left != nil {
		return say(call, " leaves ", quoted(left.path), " as ", quoted(left.base), " on base, ", quoted(left.head), " on head", after)
	}
	x, y := sentenceValues(base.Value, head.Value)
	return say(compare(f, call), sideValue(f, base, x), " on base, ", sideValue(f, head, y), " on head", unnamed(f), after, elementsChanged(base.Value, head.Value))
}

// leftBehind returns the part to tell of a receiver or an argument that is too long for a sentence. It is the first part that differs,
// or the text in a buffer if one version lacks the first part. It returns nil for anything else.
func leftBehind(f event.Finding) *differingPart {
	if f.Part() != event.ComponentReceiver && f.Part() != event.ComponentArgument {
		return nil
	}
	parts := partsToShow(f.Base.Value, f.Head.Value, f.Differs)
	if len(parts) == 0 {
		return nil
	}
	written := slices.IndexFunc(parts, func(p differingPart) bool { return strings.HasSuffix(p.path, ".buf") })
	if written > 0 && (parts[0].base == nothing || parts[0].head == nothing) {
		return &parts[written]
	}
	return &parts[0]
}

// callOf is the call as code, with what its arguments are made of where that is
// short, and the steps that lead to it: "b.Count()", ", after b := New(8); b.Set(7)".
func callOf(f event.Finding) (call, after phrase) {
	steps := statements(f.Input)
	if len(steps) == 0 {
		return say("a call of ", quoted(shorten(functionName(f.Function), siteLength))), nil
	}
	if e := expressionOf(f); e != "" {
		if component(f) == aboutVariable {
			steps = steps[:len(steps)-1] // that it is looked at is said anyway
		}
		return quoted(shorten(e, siteLength)), stepsBefore(steps)
	}
	steps = inlined(steps, concerned(f))
	last := len(steps) - 1
	return quoted(shortArguments(steps[last].value, inputLength)), stepsBefore(steps[:last])
}

// putsBack is how a statement begins that undoes in the end what the next one does.
const putsBack = "defer func(before "

// stepsBefore are the last steps that fit into a sentence.
func stepsBefore(steps []statement) phrase {
	steps = slices.DeleteFunc(slices.Clone(steps), func(s statement) bool { return strings.HasPrefix(s.text, putsBack) })
	if onlyDeclare(steps) {
		return nil
	}
	last := len(steps) - 1
	text := shortArguments(steps[last].text, inputLength)
	for i := last - 1; i >= 0; i-- {
		longer := steps[i].text + "; " + text
		if len([]rune(longer)) > inputLength {
			if !onlyDeclare(steps[:i+1]) {
				text = "…; " + text
			}
			break
		}
		text = longer
	}
	return say(", after ", quoted(text))
}

// onlyDeclare reports whether steps do nothing else, so that nobody misses them.
func onlyDeclare(steps []statement) bool {
	return !slices.ContainsFunc(steps, func(s statement) bool { return !s.declares })
}

// ending says how a call ended that broke off on the other version. What its
// value belongs to is not said: the component is the panic.
func ending(r, other event.Result) phrase {
	switch {
	case isError(r.Value):
		return say("returns the error ", quoted(shorten(flat(errorText(r.Value)), inputLength)))
	case r.Outcome == event.Pass && other.Outcome == event.Exhausted:
		return words("does") // the other one does not end
	case r.Outcome == event.Pass:
		return words("does not")
	}
	return words(outcome(r.Outcome))
}

// errorText takes an error out of the words in which it is rendered,
// error("text"); another value stays as it is.
func errorText(value string) string {
	if !isError(value) {
		return value
	}
	quoted := value[len("error(") : len(value)-1]
	if text, err := strconv.Unquote(quoted); err == nil && strings.TrimSpace(text) != "" {
		return text
	}
	return quoted
}

func isError(value string) bool {
	return strings.HasPrefix(value, "error(") && strings.HasSuffix(value, ")") && value != "error()"
}

// reason says where a version breaks, as far as that is known, and what it says then.
func reason(r event.Result) phrase {
	if !breaks(r) || r.Message == "" {
		return nil
	}
	var where phrase
	if r.File != "" {
		where = say(" at ", named(shorten(position(r.File, r.Line), siteLength)))
	}
	return say(where, ": ", quoted(shorten(flat(r.Message), inputLength)))
}

// argumentPrefix begins the components that are arguments.
const argumentPrefix = event.ComponentArgument + " "

// about is what part of a call a component is.
type about int

const (
	aboutResult about = iota
	aboutFurther
	aboutError
	aboutState    // what the call leaves behind
	aboutVariable // the same, of a variable that the input ends with
	aboutStream   // what it writes to the standard output or the standard error
	aboutOther
)

// streams are the components that are streams, in words.
var streams = map[string]string{event.ComponentStdout: "output", event.ComponentStderr: "error"}

func component(f event.Finding) about {
	_, isValue := valueAfterwards(f.Component)
	switch c := f.Component; {
	case c == "", c == event.ComponentResult, c == event.ComponentResult+" 1":
		return aboutResult
	case strings.HasPrefix(c, event.ComponentResult+" "):
		return aboutFurther
	case c == event.ComponentError:
		return aboutError
	case c == event.ComponentValue && variable(f) != "":
		return aboutVariable
	case streams[c] != "":
		return aboutStream
	case c == event.ComponentReceiver, strings.HasPrefix(c, argumentPrefix), isValue:
		return aboutState
	}
	return aboutOther
}

// variable is the name that an input ends with, as in "clear(list); list"; ""
// where it ends with anything else.
func variable(f event.Finding) string {
	steps := statements(f.Input)
	if len(steps) < 2 || !token.IsIdentifier(steps[len(steps)-1].text) {
		return ""
	}
	return steps[len(steps)-1].text
}

// expressionOf is what is looked at after the call; "" where it is the call.
func expressionOf(f event.Finding) string {
	if e, ok := valueAfterwards(f.Component); ok {
		return e
	}
	if component(f) == aboutVariable {
		return variable(f)
	}
	return ""
}

// concerned is the argument that the component names, which must stay in sight.
func concerned(f event.Finding) string {
	name, _ := strings.CutPrefix(f.Component, argumentPrefix)
	return name
}

// compare is the sentence up to the values.
func compare(f event.Finding, call phrase) phrase {
	argument, isArgument := strings.CutPrefix(f.Component, argumentPrefix)
	switch what := component(f); {
	case what == aboutFurther:
		return say(span{shorten(f.Component, 20), prose}, " of ", call, " is ")
	case expressionOf(f) != "":
		return say(call, " is ")
	case isArgument && strings.Trim(argument, "0123456789") == "":
		return say(call, " leaves its argument ", span{shorten(argument, 6), prose}, " as ")
	case isArgument:
		return say(call, " leaves its argument ", quoted(shorten(argument, siteLength)), " as ")
	case what == aboutState:
		return say(call, " leaves its receiver as ")
	case f.Component == event.ComponentExit:
		return say(call, " ends the process with the exit status ")
	case what == aboutStream:
		return say(call, " writes to the standard "+streams[f.Component]+" ")
	case what == aboutOther:
		return say(call, " gives ")
	}
	return say(call, " returns ")
}

func valueAfterwards(component string) (expression string, ok bool) {
	e, ok := strings.CutPrefix(component, event.ComponentValue+" of ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(e, " afterwards")
}

// unnamed names a component that the sentence has no words for.
func unnamed(f event.Finding) phrase {
	if component(f) != aboutOther || f.Component == event.ComponentExit {
		return nil
	}
	return say(" (", span{shorten(f.Component, siteLength), prose}, ")")
}

func sideValue(f event.Finding, r event.Result, text string) phrase {
	none := r.Value == "" || r.Value == "nil" || r.Value == "<nil>" || r.Value == "no error"
	switch {
	case component(f) == aboutError && none:
		return words("no error")
	case component(f) == aboutError, isError(r.Value):
		return say("the error ", quoted(text))
	case r.Value == "", component(f) == aboutStream && r.Value == `""`:
		return words("nothing")
	}
	return quoted(text)
}

// origin says how an input was made.
func origin(f event.Finding) phrase {
	switch f.Origin {
	case event.OriginInPlace:
		if f.Test == "" {
			return words("while a test ran")
		}
		p := say("while ", named(shorten(f.Test, siteLength)))
		if f.Suite == "base" || f.Suite == "head" {
			p = say(p, " of "+f.Suite+"'s suite")
		}
		return say(p, " ran")
	case event.OriginSequence:
		if f.AfterError {
			return words("by a sequence of calls, one of which gives an error on both versions")
		}
		return words("by a sequence of calls")
	case event.OriginPlain:
		return words("by a call with plain values")
	case event.OriginSymbolic:
		return words("by a call with values from symbolic execution")
	}
	return words("by a generated call")
}

// target names the function called.
func target(f event.Finding) phrase {
	p := named(shorten(functionName(f.Function), nameLength))
	if f.Package != "" {
		p = say(p, " in ", named(shorten(f.Package, nameLength)))
	}
	if f.File != "" {
		p = say(p, ", ", named(position(f.File, f.Line)))
	}
	if !f.Exported {
		p = say(p, ", not exported")
	}
	return p
}

// found says how the input came about, and where a test built the state, which
// recorded input it is made from.
func found(f event.Finding) phrase {
	p := origin(f)
	if f.Entry != "" {
		p = say(p, ", from the recorded input ", named(shorten(f.Entry, 20)))
		if f.Again {
			return say(p, ", called twice")
		}
		p = say(p, ", mutation "+number(f.Mutation))
	}
	return p
}

// negating lists the forced findings that this one stands for as well.
func negating(f event.Finding) phrase {
	const shown = 5
	var items []phrase
	for i, m := range f.Merged {
		if i == shown {
			items = append(items, words(number(len(f.Merged)-shown)+" more"))
			break
		}
		items = append(items, quoted(shorten(m, siteLength)))
	}
	return say("also seen by forcing a branch: ", commas(items))
}

// inputLines are the input's lines, cut to a height; the end of it, which is
// the call, always stays.
func inputLines(f event.Finding, height int) []string {
	if f.Input == "" {
		return nil
	}
	lines := visibleLines(f.Input)
	if over := len(lines) - height; over > 0 {
		lines = append([]string{"// … " + count(over+1, "more line")}, lines[over+1:]...)
	}
	for i := range lines {
		lines[i] = shorten(lines[i], valueWidth)
	}
	return lines
}

// statement is one step of an input, on one line.
type statement struct {
	text     string
	value    string // the right side of an assignment, else as text
	declares bool   // a variable without a value
	defines  string // the variable of "x := value" where that can be put elsewhere
}

// statements takes an input apart; code that does not parse is taken line by
// line. What is parsed is bounded: go/parser recurses, and the input is hostile.
func statements(input string) []statement {
	const head = "package p\nfunc _() {\n"
	var list []statement
	if len(input) <= 4096 {
		if file, err := parser.ParseFile(token.NewFileSet(), "", head+input+"\n}", parser.SkipObjectResolution); err == nil && len(file.Decls) == 1 {
			text := func(n ast.Node) string {
				from, to := int(n.Pos()-file.FileStart)-len(head), int(n.End()-file.FileStart)-len(head)
				from = min(max(from, 0), len(input))
				return oneLine(input[from:min(max(from, to), len(input))])
			}
			for _, s := range file.Decls[0].(*ast.FuncDecl).Body.List {
				step := statement{text: text(s), value: text(s)}
				switch s := s.(type) {
				case *ast.AssignStmt:
					if len(s.Rhs) == 1 {
						step.value, step.defines = text(s.Rhs[0]), definition(s)
					}
				case *ast.DeclStmt:
					step.declares = !strings.Contains(step.text, "=")
				}
				list = append(list, step)
			}
			return list
		}
	}
	for line := range strings.SplitSeq(input, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, statement{text: line, value: line})
		}
	}
	return list
}

// aligned is what gofmt puts between a key and its value.
var aligned = lazyregexp.New(`^([\pL_][\pL\pN_]*:) +`)

// oneLine joins the lines of formatted code as one would write them on one line.
func oneLine(code string) string {
	var joined string
	for line := range strings.SplitSeq(code, "\n") {
		line = aligned().ReplaceAllString(strings.TrimSpace(line), "$1 ")
		switch {
		case line == "" || joined == "":
			joined += line
		case strings.ContainsAny(line[:1], "})]"):
			joined = strings.TrimSuffix(joined, ",") + line
		case strings.ContainsAny(joined[len(joined)-1:], "{(["):
			joined += line
		default:
			joined += " " + line
		}
	}
	return joined
}

// shortArguments cuts the arguments of a call that is too long, each a little,
// so that the reader still sees what kind of call it is.
func shortArguments(text string, limit int) string {
	if len([]rune(text)) <= limit {
		return text
	}
	call, ok := parseCall(text)
	if !ok || len(call.Args) == 0 {
		return shorten(text, limit)
	}
	fun := text[:call.Lparen]
	end := ")"
	if call.Ellipsis.IsValid() {
		end = "...)"
	}
	room := limit - len([]rune(fun)) - len(end)
	arguments := make([]string, len(call.Args))
	for i, a := range call.Args {
		arguments[i] = text[a.Pos()-1 : min(int(a.End())-1, len(text))]
	}
	const minLength = 6
	each := room/len(arguments) - len(", ")
	if each < minLength {
		return shorten(fun+"…)", limit)
	}
	// What short arguments leave goes to the long ones.
	long, used := 0, 0
	for _, a := range arguments {
		if n := len([]rune(a)); n > each {
			long++
		} else {
			used += n + len(", ")
		}
	}
	if long > 0 {
		each = (room-used)/long - len(", ")
	}
	for i, a := range arguments {
		arguments[i] = shortArgument(a, each)
	}
	return fun + strings.Join(arguments, ", ") + end
}

// shortArgument keeps the closing quote or brace in sight.
func shortArgument(a string, limit int) string {
	if len([]rune(a)) <= limit {
		return a
	}
	last := a[len(a)-1:]
	if !strings.Contains("\"`})]", last) {
		return shorten(a, limit)
	}
	return shorten(a, limit-1) + last
}

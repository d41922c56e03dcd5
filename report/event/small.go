package event

import (
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// Small reports whether a difference hardly ever hurts those who call the code:
//   - another text of an error that both versions give, or have, or of a panic, unless it tells that something else is
//     asked of a server; whether a call gives an error, and which, after
//     another call on the same receiver gave one on both versions;
//   - nil against something empty, also in parts of a value that are of other types now; zero values of fields that one version lacks; floating-point numbers that differ in their last digits; blanks in the text of a value; random
//     values that no test tells apart; texts with addresses that differ in whole numbers alone; lines at which code stands in its
//     files or functions, in texts of calls that are given no such file; who calls, where that is a process of ours; errors by which it may have looked for its own source;
//   - functions of ours that are told nothing and called more than once, and more or less often, or that compare two things, and are given others; what comes
//     of such a one that is no order;
//   - values that look the same, of which no part is known that differs, or that were only seen more often, or that are the same and only a
//     method tells of in another way; lengths that a test sees and does not check;
//   - nil on one version alone, beside an error that both give; what a call that gives an error on both leaves in an argument;
//   - values from a part on whose type has a method for its text on one version alone, so that there the method shows, and its fields on the other;
//   - texts that print a whole struct, where one version has an additional empty field;
//   - texts that show the insides of unexported types; another value where base has one of an unexported type; structs that
//     begin to differ in the name of a field that is not exported, or of any where only a test sees it, or in that a field has a
//     pointer on one version;
//   - calls with something that nobody in the module gives; calls that base crashes in and head returns from; calls that both versions refuse,
//     base by a panic of its own and head by an error; calls that nobody can repeat and that head does not fail in; calls with a moment
//     that no calendar has, which head returns from;
//   - calls of a dependency that its upgrade has differ, and that the module leads to by nothing known;
//   - values of a test that executed nothing of the change, or that ends since the network does not answer; tests that fail on base alone, or end their process there and fail on head;
//   - a forced state in which base is the one that fails, or panics as head does, or in which both fail and a value is
//     seen more often; one that a search of many inputs did not come to, or that many calls come to without the difference, or in
//     which the code takes an error for none, or the other way round, and no call does that; one that contradicts what
//     another place of one version asks.
//
// One that fails a test is not small, nor is the news of an upgrade.
func (f Finding) Small() bool {
	if f.FailsTest() || f.News {
		return false
	}
	switch {
	case f.Rung == Observed && f.Base.Outcome != Pass && (f.Head.Outcome == Pass || f.Head.Outcome == Fail && ends(f.Base.Outcome)):
		return true
	case f.Kind == KindErrorText && !f.asksOtherwise() && !f.tellsOfCrash(), f.textOfError(), f.Kind == KindNilEmpty, f.Printed, f.Unrelated, f.Foreign, f.Misuse != "":
		return true
	case f.AfterError && (f.Kind == KindValueToError || f.Kind == KindErrorToValue || isError(f.Base.Value) && isError(f.Head.Value)), f.Rung == Observed && offline(f):
		return true
	case f.BesideError && f.Kind == KindValue && (f.Base.Value == "nil") != (f.Head.Value == "nil"):
		return true // who gets an error looks at nothing else
	case f.BesideError && f.Kind == KindValue && strings.HasPrefix(f.Component, ComponentArgument+" "):
		return true // nor at what a decoder that failed has filled so far
	case f.Random && f.Kind == KindValue && f.GoTest == "" && empties(f.Base.Value) == empties(f.Head.Value):
		return true // no test told the versions apart ten times
	case f.emptyParts(), f.lacksZeros(), f.calledOftener(), f.unordered(), f.dumps(), f.emptyFieldMore(), f.shownByMethod(), f.tellsCaller(), f.seeksItself(), f.insideReplaced(), f.fieldsReplaced(), f.pointedTo(), f.blanksAlone(), f.crashMended(), f.refusedByBoth(), f.unwritten() && f.direction() != worsens, f.beyondCalendar() && f.Head.Outcome == Pass:
		return true
	case f.Rung == Forced && f.Fate != nil && f.Fate.State == GoalNotFound && f.Fate.Tried >= soughtInVain:
		return true // no caller may ever see it
	case f.Rung == Forced && f.Fate != nil && f.Fate.State == GoalTaken && f.Fate.Calls >= takenInVain:
		return true // callers that come there see no difference
	case f.contradicts():
		return true
	case f.Rung == Forced && (f.Improves() || ends(f.Base.Outcome) || f.Base.Outcome != Pass && f.Head.Outcome == Pass):
		return true
	}
	base, head := timesSeen().ReplaceAllString(f.Base.Value, ""), timesSeen().ReplaceAllString(f.Head.Value, "")
	if f.unseen() || f.lengthSeen() || f.Rung == Forced && f.Base.Outcome == Fail && f.Head.Outcome == Fail && base != "" && base == head && len(f.Differs) == 0 {
		return true
	}
	if base == "" || f.Base.Outcome != f.Head.Outcome || f.Base.Message != f.Head.Message {
		return false
	}
	return base == head && len(f.Differs) == 0 || base != head && (rounded(base, head) || placesAlone(base, head) || f.linesAlone(base, head))
}

// empties counts the empty texts and nil in a printed value. A random value is not empty by chance.
func empties(value string) int { return strings.Count(value, `""`) + strings.Count(value, "nil") }

// maxDiffers is how many parts that differ are told at most; there may be others.
const maxDiffers = 8

// emptyParts reports whether all parts of a value that differ are nil on one version and have no elements on the other,
// as where a field that nothing is in has another type now.
func (f Finding) emptyParts() bool {
	if f.Kind != KindValue || len(f.Differs) == 0 || len(f.Differs) >= maxDiffers {
		return false
	}
	if len(f.Differs) == 1 && strings.HasPrefix(f.Differs[0].Path, "len(") {
		// A whole value that is nil has no part that says so.
		p := f.Differs[0]
		return p.Base == "" && p.Head == "0" && strings.HasSuffix(f.Base.Value, "(nil)") || p.Base == "0" && p.Head == "" && strings.HasSuffix(f.Head.Value, "(nil)")
	}
	empty, absent := map[string]bool{}, map[string]bool{}
	for _, p := range f.Differs {
		path, isLength := strings.CutPrefix(p.Path, "len(")
		of, none := absent, "nil"
		if isLength {
			path, of, none = strings.TrimSuffix(path, ")"), empty, "0"
		}
		if p.Base+p.Head != none { // the other one has no such part
			return false
		}
		of[path] = true
	}
	return maps.Equal(empty, absent)
}

// lacksZeros reports whether all that differs is fields that one version lacks, and the other has a zero value in them.
func (f Finding) lacksZeros() bool {
	return f.Kind == KindValue && f.Base.Value == f.Head.Value && len(f.Differs) > 0 && len(f.Differs) < maxDiffers &&
		!slices.ContainsFunc(f.Differs, func(p PartDiffers) bool { return !p.LackingZero() })
}

// contradicts reports whether the only branches forced are those that check an error, or whether there is a value, going
// by the usual names of what tells that: the error, or the value, says the contrary. So does another place that asks the
// same in one version alone. Calls that take them are another thing.
func (f Finding) contradicts() bool {
	if f.Rung != Forced || len(f.Negations) == 0 || f.Fate != nil && f.Fate.State == GoalTaken {
		return false
	}
	return !slices.ContainsFunc(f.Negations, func(n Negation) bool { return !n.Elsewhere && !checks().MatchString(n.Text) })
}

// checks matches a condition that is the check of an error, or of what tells whether there is a value.
var checks = lazyregexp.New(`^!?(?:ok|exists|found)$|^\w*[eE]rr\w* [!=]= (?:nil|[\w.]+)$|^!?(?:errors\.(?:Is|As)|os\.Is\w+)\(\w*[eE]rr\w*\b[^()]*\)$`)

// offline reports whether a test fails on a version since the network does not answer: what it sees up to there is
// as it happens.
func offline(f Finding) bool {
	refused := func(r Result) bool { return r.Outcome == Fail && unanswered(r.Message) }
	return refused(f.Base) || refused(f.Head)
}

// Unreachable reports whether what a version gives tells that the network does not answer, or that a file must not be
// written: with another network, or outside of the sandbox, the text is another one.
func (f Finding) Unreachable() bool {
	return slices.ContainsFunc([]string{f.Base.Message, f.Base.Value, f.Head.Message, f.Head.Value}, func(text string) bool {
		return unanswered(text) || forbidden().MatchString(text[:min(len(text), maxRounded)])
	})
}

// forbidden matches what package os says of a file that must not be written, or read.
var forbidden = lazyregexp.New(`: (read-only file system|permission denied)\b`)

// unanswered reports whether a text tells that the network does not answer.
func unanswered(text string) bool { return refusals().MatchString(text[:min(len(text), maxRounded)]) }

// refusals matches what package net says when a name is not resolved or an address of another machine not reached.
var refusals = lazyregexp.New(`\bdial (tcp|udp)\d?( \S+)?: (lookup |connect: network is unreachable|i/o timeout)`)

// unseen reports whether a test gets a value that differs and of which nothing is known that could be shown.
func (f Finding) unseen() bool {
	return f.Rung != Reached && f.Kind == KindValue && f.Base.Outcome == Pass && f.Head.Outcome == Pass &&
		f.Base.Value == "" && f.Head.Value == "" && f.Base.Message == f.Head.Message && len(f.Differs) == 0
}

// lengthSeen reports whether a test gets another length, which it does not check: of what, it would have been told.
func (f Finding) lengthSeen() bool {
	return f.Rung == Observed && f.Kind == KindValue && f.Base.Outcome == Pass && f.Head.Outcome == Pass && lengths().MatchString(f.Base.Site) &&
		strings.Trim(f.Base.Value+f.Head.Value, "0123456789") == ""
}

// lengths matches an expression that is a length.
var lengths = lazyregexp.New(`(\.Len\(\)|^len\([^()]*\))$`)

// asksOtherwise reports whether an error of both versions tells what a client asked a server for, and that is not the
// same: but for an answer, the request is all that the call does.
func (f Finding) asksOtherwise() bool {
	base, asked := request(f.Base.Value)
	head, also := request(f.Head.Value)
	return asked && also && base != head
}

// tellsOfCrash reports whether head's error, and not base's, tells of a panic that the code caught, or of a value that
// package fmt could not write as it was told to: what base said of the cause is lost. An input that says so itself may be
// quoted.
func (f Finding) tellsOfCrash() bool {
	return f.Kind == KindErrorText && crashes().MatchString(f.Head.Value) && !crashes().MatchString(f.Base.Value) && !crashes().MatchString(f.Input)
}

// crashes matches what the run time, and packages that catch panics, say of one, and what package fmt writes of a fault.
var crashes = lazyregexp.New(`\bpanic(ked)?\b|\bruntime error: |%!\w*\(`)

// request returns the path and the query that an error of package net/http names. It reports whether there is one.
func request(value string) (string, bool) {
	m := requests().FindStringSubmatch(value[:min(len(value), maxRounded)])
	if m == nil {
		return "", false
	}
	u, err := url.Parse(m[1])
	if err != nil {
		return "", false
	}
	return u.RequestURI(), true
}

// requests matches the beginning of an error that package net/http gives for a request.
var requests = lazyregexp.New(`\b(?:Get|Head|Post|Put|Patch|Delete|Options) \\?"([^"\\]*)\\?": `)

// textOfError reports whether a call asks an error for its text, and gets another one.
func (f Finding) textOfError() bool {
	return f.Rung == Reached && f.Kind == KindValue && strings.HasSuffix(f.Function, ").Error") && f.Part() == ComponentResult &&
		strings.HasPrefix(f.Base.Value, `"`) && strings.HasPrefix(f.Head.Value, `"`)
}

// dumps reports whether a text is one in which a version writes a value of an unexported type of the package in
// Go's syntax, as %#v does: such types change their fields and names without notice. So does what %v writes of a
// struct that holds pointers, where no word of it differs.
func (f Finding) dumps() bool {
	if f.Rung == Forced || f.Kind != KindValue || !isText(f.Base.Value) || !isText(f.Head.Value) {
		return false
	}
	if pointers().MatchString(f.Base.Value) && pointers().MatchString(f.Head.Value) && wordsOf(f.Base.Value) == wordsOf(f.Head.Value) {
		return true
	}
	names := strings.Split(f.Package, "/")
	for _, value := range []string{f.Base.Value, f.Head.Value} {
		for _, m := range unexported().FindAllStringSubmatch(value[:min(len(value), maxRounded)], -1) {
			if slices.Contains(names[max(0, len(names)-2):], m[1]) {
				return true
			}
		}
	}
	return false
}

// isText reports whether a rendered value is a string, or one in a type, as what is in a buffer.
func isText(value string) bool {
	return strings.HasPrefix(value, `"`) || strings.HasSuffix(value, `")`) && strings.Contains(value, `("`)
}

// blanksAlone reports whether a value that is no text has a text by a method, and that differs in its blanks only. That
// of protocol buffers has them at random, so that nobody relies on it.
func (f Finding) blanksAlone() bool {
	base, head := f.Base.Value, f.Head.Value
	if strings.Contains(base, "bytes.Buffer(") || strings.Contains(base, "strings.Builder(") {
		return false // that was written
	}
	return f.Rung == Reached && f.Kind == KindValue && base != head && !strings.HasPrefix(base, `"`) && isText(strings.Trim(base, "[]")) &&
		strings.Join(strings.Fields(base), " ") == strings.Join(strings.Fields(head), " ")
}

// pointers matches the beginning of a struct, as %v writes it, up to a pointer behind it.
var pointers = lazyregexp.New(`(?s)\{.*\b0xADDRESS\b`)

// wordsOf are the words of a text that names addresses, without those and nil.
func wordsOf(text string) string {
	return strings.Join(words().FindAllString(strings.NewReplacer("0xADDRESS", "", "<nil>", "").Replace(text[:min(len(text), maxRounded)]), -1), " ")
}

// words matches a word.
var words = lazyregexp.New(`\pL[\pL\d_]*`)

// unexported matches the beginning of a struct of an unexported type as %#v writes it.
var unexported = lazyregexp.New(`\b(\w+)\.\p{Ll}\w*\{`)

// placesAlone reports whether two texts tell addresses, and are the same but for their whole numbers: what
// package fmt prints of values that the run time keeps has places within the binary beside.
func placesAlone(base, head string) bool {
	const masked = "0xADDRESS" // see package probe
	if max(len(base), len(head)) > maxRounded || !strings.Contains(base, masked) || !strings.Contains(head, masked) {
		return false
	}
	return wholes().ReplaceAllString(base, "0") == wholes().ReplaceAllString(head, "0")
}

// linesAlone reports whether two texts differ only in the lines of Go files, or of changed functions, that they name, and
// the call is given no such file: the code tells where it stands itself, as loggers do.
func (f Finding) linesAlone(base, head string) bool {
	if f.Input == "" || max(len(base), len(head)) > maxRounded {
		return false
	}
	for _, m := range lines().FindAllStringSubmatch(base, -1) {
		if strings.Contains(f.Input, m[1]) {
			return false
		}
	}
	anywhere := func(text string) string {
		return functionLines().ReplaceAllStringFunc(lines().ReplaceAllString(text, "$1:0"), func(at string) string {
			name, _, _ := strings.Cut(at, ":")
			if slices.ContainsFunc(f.Changed, func(c string) bool { return strings.HasSuffix(c, "."+name) || c == name }) {
				return name + ":0"
			}
			return at
		})
	}
	return anywhere(base) == anywhere(head)
}

// functionLines matches the name of a function and a line in it.
var functionLines = lazyregexp.New(`\b\w+:[0-9]+\b`)

// tellsCaller reports whether a version tells who called it, which is a process of ours.
func (f Finding) tellsCaller() bool {
	const ours = "reflect.Value.call" // through which calls are made
	return f.Rung == Reached && (strings.Contains(f.Base.Value, ours) || strings.Contains(f.Head.Value, ours))
}

// seeksItself reports whether one version gives an error that names a Go file, and the other none, in a call in place that is
// given no such file: it may have looked for its own source.
func (f Finding) seeksItself() bool {
	failing := f.Base.Value
	if f.Kind == KindValueToError {
		failing = f.Head.Value
	} else if f.Kind != KindErrorToValue {
		return false
	}
	return f.Origin == OriginInPlace && !strings.Contains(f.Input, ".go") && strings.Contains(failing, ".go")
}

// lines matches the name of a Go file without its folder, and a line in it.
var lines = lazyregexp.New(`\b([\w-]+\.go)(?::|\\?",\\?"line\\?"[:=])[0-9]+\b`)

// wholes matches whole numbers.
var wholes = lazyregexp.New(`[0-9]+`)

// crashMended reports whether a call makes base crash and head returns from it. Nobody relies on an index out of
// range or on a nil that is followed, so head takes nothing from those who call the code. A panic with a message
// that the code gives is another thing, for it may be a check that head lacks.
func (f Finding) crashMended() bool {
	message, died := f.Base.Message, f.Base.Outcome == Died
	if died {
		message, died = strings.CutPrefix(message, "panic: ") // on a goroutine of its own
	}
	return f.Rung == Reached && (f.Base.Outcome == Panic || died) && f.Head.Outcome == Pass &&
		(strings.HasPrefix(message, "runtime error: ") || mismatch().MatchString(message))
}

// refusedByBoth reports whether base refuses a call by a panic, other than one of the run time, and
// head by an error: nobody who calls the code relies on that panic.
func (f Finding) refusedByBoth() bool {
	return f.Rung == Reached && f.Base.Outcome == Panic && !strings.Contains(f.Base.Message, "runtime error: ") &&
		f.Head.Outcome == Pass && isError(f.Head.Value)
}

// isError reports whether a rendered value is an error.
func isError(value string) bool { return strings.HasPrefix(value, `error("`) }

// unwritten reports whether a generated call cannot be written down as code.
func (f Finding) unwritten() bool {
	return f.Rung == Reached && f.Input == "" && f.Program != "" && (f.Origin == OriginSequence || f.Origin == OriginPlain)
}

// beyondCalendar reports whether a call is given a moment before the year 0 or after 9999, which
// time.Time does not even write as JSON.
func (f Finding) beyondCalendar() bool {
	for _, m := range moments().FindAllStringSubmatch(f.Input[:min(len(f.Input), maxAwkward)], -1) {
		if n, err := strconv.ParseInt(m[1], 10, 64); err != nil || n < firstMoment || n > lastMoment {
			return true
		}
	}
	return false
}

// The first and the last second of the years 0 to 9999, as time.Unix takes them.
const (
	firstMoment = -62167219200
	lastMoment  = 253402300799
)

// moments matches the seconds that a moment is made of.
var moments = lazyregexp.New(`\btime\.Unix\((-?[0-9]+)`)

const (
	// soughtInVain is after how many inputs, none of which takes a branch, what is seen with that branch
	// forced is no item.
	soughtInVain = 2000
	// takenInVain is how many calls take a forced branch without the difference, so that it is no item.
	takenInVain = 50
	// lastDigits is by how much numbers may differ, in relation to the larger one.
	lastDigits = 1e-9
	// maxRounded bounds the texts that are looked through for numbers, in bytes.
	maxRounded = 1 << 16
)

// floats matches floating-point numbers as Go prints them, and what looks like them.
var floats = lazyregexp.New(`-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?`)

// rounded reports whether two texts are the same but for the last digits of floating-point
// numbers.
func rounded(base, head string) bool {
	if max(len(base), len(head)) > maxRounded || floats().ReplaceAllString(base, "0") != floats().ReplaceAllString(head, "0") {
		return false
	}
	x, y := floats().FindAllString(base, -1), floats().FindAllString(head, -1)
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		a, err := strconv.ParseFloat(x[i], 64)
		b, also := strconv.ParseFloat(y[i], 64)
		whole := !strings.ContainsAny(x[i]+y[i], ".e")
		if err != nil || also != nil || whole || math.Abs(a-b) > lastDigits*max(math.Abs(a), math.Abs(b)) {
			return false
		}
	}
	return true
}

// timesSeen matches what package diff adds to a value that one version saw more often.
var timesSeen = lazyregexp.New(` \(seen (once|[0-9]+ times)\)$`)

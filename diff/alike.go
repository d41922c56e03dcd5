package diff

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// sameArguments reports whether two functions were called with the very same arguments, and one
// change made both fail, or none of them: MustParse(x) exits where Parse(x) errs. The arguments
// are those of argumentsOf.
func sameArguments(f event.Finding, given string, g event.Finding, alsoGiven string) bool {
	return given != "" && given == alsoGiven && alike(f, g) && (f.Kind == g.Kind || failures(f, g))
}

// twin is the same for plain calls of functions that are given the same, as a text or as bytes, and that show the
// same in the same place, as Step and StepString do; "" for other calls.
func twin(f event.Finding) string {
	arguments := argumentsOf(f)
	if arguments == "" || f.Kind != event.KindValue || len(f.Base.Value)+len(f.Head.Value) < leastTwin {
		return ""
	}
	arguments = bytesOfText().ReplaceAllString(arguments, "$1")
	return strings.Join([]string{"twin", f.Package, f.Component, arguments, f.Base.Value, f.Head.Value, f.Base.Message, f.Head.Message}, "\x00")
}

// leastTwin is how long the values that twins show are together at least, in bytes.
const leastTwin = 2

// bytesOfText matches a text that is given as bytes.
var bytesOfText = lazyregexp.New(`\[\]byte\(("(?:[^"\\]|\\.)*"|` + "`[^`]*`" + `)\)`)

// failures reports whether both findings are of an error, a panic or an exit, and these appear in
// both or go away in both.
func failures(f, g event.Finding) bool {
	failing := func(f event.Finding) bool {
		return f.Kind == event.KindPanic || f.Kind == event.KindValueToError || f.Kind == event.KindErrorToValue
	}
	return failing(f) && failing(g) && f.Improves() == g.Improves()
}

// argumentsOf is the code of a plain call's arguments, "" for any other call and where there
// are none.
func argumentsOf(f event.Finding) string {
	arguments, ok := strings.CutPrefix(f.Input, bareName(f.Function)+"(")
	if f.Origin != event.OriginPlain || !ok {
		return ""
	}
	return strings.TrimSuffix(arguments, ")")
}

// goesThrough reports whether a call ran the function that another finding is about, and both show
// the same part of a value. The function called has not changed itself.
func goesThrough(f, inner event.Finding) bool {
	fields := fieldsOf(f)
	return slices.Contains(f.Changed, inner.Function) && !slices.Contains(f.Changed, f.Function) &&
		covers(f.Changed, inner.Changed) && len(fields) > 0 && covers(fieldsOf(inner), fields)
}

// sameState reports whether the same part of a value differs in the same way in both findings, and
// the changed functions of one are among those of the other. Findings about results do not count.
func sameState(f, g *seen) bool {
	if f.Part() == event.ComponentResult || g.Part() == event.ComponentResult || !nested(f.roots, g.roots) {
		return false
	}
	return slices.ContainsFunc(f.Differs, func(p event.PartDiffers) bool {
		return fieldOf(p.Path) != "" && slices.ContainsFunc(g.Differs, func(q event.PartDiffers) bool {
			return fieldOf(p.Path) == fieldOf(q.Path) && p.Base == q.Base && p.Head == q.Head
		})
	})
}

// sameTypes reports whether what two calls give, or leave, holds values of one type on base that are of
// another on head, the same types in both, and some of the change ran in both.
func sameTypes(f, g *seen) bool {
	return share(f.roots, g.roots) && slices.ContainsFunc(f.Differs, func(p event.PartDiffers) bool {
		there := p.Base != "" && p.Head != ""
		return there && strings.HasSuffix(p.Path, ".(type)") && slices.ContainsFunc(g.Differs, func(q event.PartDiffers) bool {
			return strings.HasSuffix(q.Path, ".(type)") && p.Base == q.Base && p.Head == q.Head
		})
	})
}

// sameValues reports whether two calls show the very same values, and no changed function is known
// to have run in one of them. The values are ones that others hardly have by chance.
func sameValues(f, g *seen) bool {
	return (f.unknown || g.unknown) && f.Base.Value == g.Base.Value && f.Head.Value == g.Head.Value &&
		len(f.Base.Value)+len(f.Head.Value) >= leastValues && nested(f.roots, g.roots)
}

// leastValues is how long two values are together at least, in bytes.
const leastValues = 12

// samePanic reports whether two calls panic with the same words, on one version or the other, and
// the changed functions of one are among those of the other; or the run time has it that they panic
// at the very same place.
func samePanic(f, g *seen) bool {
	panics := func(r event.Result) bool { return r.Outcome == event.Panic && r.Message != "" }
	if crashesAt(f.Base, g.Base) && f.Head.Outcome == g.Head.Outcome || crashesAt(f.Head, g.Head) && f.Base.Outcome == g.Base.Outcome {
		return share(f.roots, g.roots)
	}
	return (panics(f.Head) || panics(f.Base)) && f.Head.Message == g.Head.Message && f.Base.Message == g.Base.Message && nested(f.roots, g.roots)
}

// endsAlike reports whether the run time ends head's process with the same words in calls of one function, whatever they end in on base.
func endsAlike(f, g *seen) bool {
	ended := func(r event.Result) bool {
		return r.Outcome == event.Died && strings.HasPrefix(r.Message, "fatal error: ")
	}
	return f.Package == g.Package && f.Function == g.Function && ended(f.Head) && ended(g.Head) && f.Head.Message == g.Head.Message &&
		!ended(f.Base) && !ended(g.Base) && (f.unknown || g.unknown || share(f.roots, g.roots))
}

// crashesAnew reports whether the run time makes head alone panic at the same place in both findings, whatever is to blame
// for them: many functions that are edited in the same way come to one line that does not bear it.
func crashesAnew(f, g event.Finding) bool {
	return f.Rung == event.Reached && g.Rung == event.Reached && judgedAlike(f, g) &&
		f.Base.Outcome == event.Pass && g.Base.Outcome == event.Pass && crashesAt(f.Head, g.Head)
}

// crashesAt reports whether the run time makes two calls panic at the same place.
func crashesAt(r, other event.Result) bool {
	crash := func(r event.Result) bool { return strings.Contains(r.Message, "runtime error: ") }
	return r.File != "" && r.File == other.File && r.Line == other.Line && crash(r) && crash(other)
}

// sameFragment reports whether what differs first in two texts is the same, whatever is around it: a line
// feed at the end of all that is written, a blank between the parts of what is printed. The changed
// functions of one are among those of the other; of a longer fragment, they have some in common.
func sameFragment(f, g *seen) bool {
	if f.fragment == [2]string{} || f.fragment != g.fragment {
		return false
	}
	return nested(f.roots, g.roots) || len(f.fragment[0])+len(f.fragment[1]) >= tellingFragment && share(f.roots, g.roots)
}

// fragmentOf is what differs first between a finding's values, up to where they go on alike;
// nothing where it is so short that others have it by chance. A short fragment without letters and digits has
// what is before it in front.
func fragmentOf(f event.Finding) [2]string {
	base, head := f.Base.Value, f.Head.Value
	n := 0
	for n < min(len(base), len(head)) && base[n] == head[n] {
		n++
	}
	before := base[:n]
	base, head = base[n:], head[n:]
	i, j, ok := goesOn(base, head)
	if n == 0 || !ok {
		return [2]string{}
	}
	base, head = base[:i], head[:j]
	if both := base + head; len(both) < leastFragment && len(shape(both)) == 1 {
		if words().MatchString(both) {
			return [2]string{}
		}
		mark := before[max(0, len(before)-marked):]
		base, head = mark+base, mark+head
	}
	return [2]string{base, head}
}

// goesOn returns where two texts, which differ in their first bytes, go on alike after the fewest bytes. It
// reports false where they do not.
func goesOn(base, head string) (i, j int, ok bool) {
	for both := 1; both <= longestFragment; both++ {
		for i := max(0, both-len(head)); i <= min(both, len(base)); i++ {
			b, h := base[i:], head[both-i:]
			n := min(len(b), len(h), enoughAlike)
			if b[:n] == h[:n] && (n == enoughAlike || len(b) == len(h) && n > 0) {
				return i, both - i, true
			}
		}
	}
	return 0, 0, false
}

const (
	longestFragment = 160 // bytes of a fragment, on both versions together
	enoughAlike     = 8   // bytes that are the same where texts go on alike
	marked          = 2   // bytes in front of a short fragment
	tellingFragment = 8   // bytes of a fragment, on both versions together, that hardly two causes have in common
)

// leastFragment is how long a fragment of letters and digits is at least, in bytes.
const leastFragment = 4

// nested reports whether all of one list is in the other, and something is.
func nested(a, b []string) bool {
	return min(len(a), len(b)) > 0 && (covers(a, b) || covers(b, a))
}

// sharedMemory reports whether a call changes what an earlier one gave, and one finding sees it in
// an argument that is given on, the other in a variable.
func sharedMemory(f, g *seen) bool {
	argument := func(f *seen) bool { return f.Part() == event.ComponentArgument }
	return f.Function == g.Function && f.Origin == event.OriginSequence && g.Origin == event.OriginSequence && slices.Equal(f.Changed, g.Changed) &&
		(argument(f) && g.after != "" || argument(g) && f.after != "") && shownType(f.Finding) == shownType(g.Finding)
}

// shownType is how the value begins that a finding shows, up to what it is made of.
func shownType(f event.Finding) string {
	name, _, made := strings.Cut(f.Base.Value, "(")
	if !made {
		return ""
	}
	return name
}

// fieldsOf are the fields that differ.
func fieldsOf(f event.Finding) []string {
	var fields []string
	for _, p := range f.Differs {
		if field := fieldOf(p.Path); field != "" {
			fields = append(fields, field)
		}
	}
	return fields
}

// fieldOf is the last field of a path, with its key if it is a map's: "n" for
// "value.o.kvs[0].n", and "" where no field is named.
func fieldOf(path string) string {
	path = strings.TrimSuffix(strings.TrimPrefix(path, "len("), ")")
	path = places().ReplaceAllString(path, "")
	return path[strings.LastIndexByte(path, '.')+1:]
}

// places matches the indices of slices and arrays in a path.
var places = lazyregexp.New(`\[[0-9]+\]`)

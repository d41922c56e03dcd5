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

// crashesAt reports whether the run time makes two calls panic at the same place.
func crashesAt(r, other event.Result) bool {
	crash := func(r event.Result) bool { return strings.Contains(r.Message, "runtime error: ") }
	return r.File != "" && r.File == other.File && r.Line == other.Line && crash(r) && crash(other)
}

// sameFragment reports whether what differs in two texts is the same, whatever is around it: a line
// feed at the end of all that is written. The changed functions of one are among those of
// the other.
func sameFragment(f, g *seen) bool {
	return f.fragment != [2]string{} && f.fragment == g.fragment && nested(f.roots, g.roots)
}

// fragmentOf is what differs between a finding's values, without what they begin and end with
// alike; nothing where it is so short that others have it by chance.
func fragmentOf(f event.Finding) [2]string {
	base, head := f.Base.Value, f.Head.Value
	n := 0
	for n < min(len(base), len(head)) && base[n] == head[n] {
		n++
	}
	base, head = base[n:], head[n:]
	k := 0
	for k < min(len(base), len(head)) && base[len(base)-1-k] == head[len(head)-1-k] {
		k++
	}
	// Too much is cut where what differs is like what is around it, and more of it.
	base, head = base[:len(base)-k], head[:len(head)-k]
	if both := base + head; n == 0 || k == 0 || both == "" || len(both) < leastFragment && len(shape(both)) == 1 {
		return [2]string{}
	}
	return [2]string{base, head}
}

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

package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/isodelta/isodelta/report/event"
)

// Bounds of what a reader takes in at a glance, guesses.
const (
	legibleLength = 70 // characters
	legibleCalls  = 3  // of the function
	legibleTerms  = 4
)

// legible reports whether a relation is a law, and short enough to be read: one that
// relates two calls at least, or one call with what it is given, and says more of the
// function than that it leaves that as it is.
func legible(r event.Relation) bool {
	if len(r.Relation) > 4*legibleLength || len([]rune(r.Relation)) > legibleLength || strings.Contains(r.Relation, "as it is") {
		return false
	}
	n := distinctCalls(r)
	return (n >= 2 || changesState(r) || isDetermined(r)) && n <= legibleCalls && terms(r.Relation) <= legibleTerms
}

// changesState reports whether a relation says how a call changes its receiver, and not
// that it leaves it as it is: (s.Len() after s.Push(x)) = s.Len() + 1.
func changesState(r event.Relation) bool {
	left, right, ok := strings.Cut(r.Relation, " = ")
	if r.Source != event.GenMorph || !ok {
		return false
	}
	for _, side := range [][2]string{{left, right}, {right, left}} {
		if shown, _, ok := strings.Cut(strings.TrimPrefix(side[0], "("), " after "); ok && shown != side[1] {
			return true
		}
	}
	return false
}

// isDetermined reports whether a relation says what a call gives by what it is given, and is
// no table of values: b.Pad(d).Min = b.Min − d.
func isDetermined(r event.Relation) bool {
	left, right, ok := strings.Cut(r.Relation, " = ")
	if r.Source != event.GenMorph || !ok || distinctCalls(r) != 1 {
		return false
	}
	l, n := r, r
	l.Relation, n.Relation = left, right
	given := right
	if distinctCalls(n) == 1 {
		given = left
	}
	return distinctCalls(l)+distinctCalls(n) == 1 && strings.ContainsFunc(given, unicode.IsLetter)
}

// tabulates reports whether an inferred relation is an equation of a single call: not a
// property, but the list of the outputs that were seen, as a polynomial.
func tabulates(r event.Relation) bool {
	return r.Source == event.AutoMR && strings.Contains(r.Relation, " = ") && distinctCalls(r) < 2
}

// WorthReading chooses from the relations of one function those to list, at most max:
// what somebody declared and what is broken or violated first, then laws that can be read
// at a glance. Of these, the ones of which it is not known what they refute come one of each
// name before a second one, and leave half of the places for those whose virtual mutants
// are known. Those are chosen greedily by the mutants that they refute and those chosen
// before do not, over their length. It returns how many relations it leaves out.
func WorthReading(list []event.Relation, max int) (chosen []event.Relation, more int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b event.Relation) int {
		return cmp.Or(-compareTruth(isFailing(a), isFailing(b)), compareTelling(a, b))
	})
	var first, unknown, known []event.Relation
	for _, r := range list {
		switch {
		case isFailing(r) || r.Source == event.Declared:
			first = append(first, r)
		case legible(r) && r.Refutes == "":
			unknown = append(unknown, r)
		case legible(r):
			known = append(known, r)
		}
	}
	chosen = oneOfEachName(first, nil, max)
	known = mostRefuting(known, chosen)
	chosen = oneOfEachName(unknown, chosen, max-min(len(known), (max-len(chosen)+1)/2))
	chosen = append(chosen, known[:min(len(known), max-len(chosen))]...)
	slices.SortStableFunc(chosen, event.CompareRelations)
	return chosen, len(list) - len(chosen)
}

func isFailing(r event.Relation) bool { return r.State == event.Broken || r.State == event.Violated }

// compareTruth orders false before true.
func compareTruth(a, b bool) int {
	if a == b {
		return 0
	}
	if b {
		return -1
	}
	return 1
}

// oneOfEachName appends relations to those chosen, at most max in all: first those whose
// name no other has, then the others.
func oneOfEachName(list, chosen []event.Relation, max int) []event.Relation {
	named := map[string]bool{}
	for _, r := range chosen {
		named[r.Name] = true
	}
	var again []event.Relation
	for _, r := range list {
		if named[r.Name] {
			again = append(again, r)
			continue
		}
		if len(chosen) < max {
			named[r.Name] = true
			chosen = append(chosen, r)
		}
	}
	return append(chosen, again[:min(len(again), max-min(max, len(chosen)))]...)
}

// distinctCalls counts the calls of a relation's function in its notation, those of the same
// receiver and arguments once, as far as a relation is ever legible: a stream may hold any
// text.
func distinctCalls(r event.Relation) int {
	name := functionName(r.Function)
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	if name == "" {
		return 0
	}
	text := r.Relation[:min(len(r.Relation), 4*legibleLength)]
	calls := map[string]bool{}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return len(calls)
		}
		begin := at + i
		at = begin + len(name)
		open := strings.IndexByte(text[at:], '(')
		if open < 0 || strings.ContainsFunc(text[at:at+open], func(r rune) bool { return !unicode.Is(unicode.No, r) }) {
			continue // another name that begins or ends as this one
		}
		if end := closing(text, at+open); end >= 0 {
			calls[text[receiver(text, begin):begin]+text[at+open:end]] = true
		}
	}
}

// closing returns where the bracket that opens at a place is closed, −1 if it is not.
func closing(text string, open int) int {
	depth := 0
	for i, c := range text[open:] {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return open + i
		}
	}
	return -1
}

// receiver returns where the operand begins whose method is called at a place.
func receiver(text string, method int) int {
	at, depth := method, 0
	if !strings.HasSuffix(text[:method], ".") {
		return at
	}
	for at > 0 {
		c, n := utf8.DecodeLastRuneInString(text[:at])
		switch {
		case c == ')' || c == ']':
			depth++
		case c == '(' || c == '[':
			depth--
		}
		if depth < 0 || depth == 0 && c != '.' && c != '(' && c != '[' && c != '_' && !unicode.IsLetter(c) && !unicode.IsNumber(c) {
			break
		}
		at -= n
	}
	return at
}

// terms counts the summands on both sides of a relation, those within calls aside.
func terms(relation string) int {
	n, depth := 1, 0
	for _, c := range relation {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '+', '−', '=', '≤', '≥', '<', '>':
			if depth == 0 {
				n++
			}
		}
	}
	return n
}

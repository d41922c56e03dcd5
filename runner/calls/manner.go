package calls

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// One way through the changed code can differ for two reasons as well, and an input that shows the one can become one that
// shows the other when it is shrunk: quotes that head puts around some numbers, and zeros that it keeps in others. How the
// values differ tells such reasons apart, by plain marks: which parts differ, whether a number is more or less, and in
// other values which characters base has more of, and which head has, whether a version gives nothing at all, and whether
// a number that only one version gives is beyond all that the calls are given.

// A manner is the marks of one difference, sorted.
type manner []string

// mannerOf returns the marks of a difference. A crash has the place in the code where it comes from.
func mannerOf(d Difference) manner {
	if d.Place.Kind == wire.AtEnding {
		at := d.Head
		if at.Message == "" {
			at = d.Base
		}
		return manner{"at " + at.At.File + ":" + strconv.Itoa(at.At.Line)}
	}
	marks := map[string]bool{}
	most, counts := largest(d.Sequence)
	parts := d.Differs
	if len(parts) == 0 {
		parts = []event.PartDiffers{{Base: d.Base.Text, Head: d.Head.Text}}
	}
	for _, p := range parts {
		if p.Path != "" {
			marks[inPart+indexes().ReplaceAllString(p.Path, "[]")] = true
		}
		marks["base gives "+something(p.Base)] = true
		marks["head gives "+something(p.Head)] = true
		if markOrder(marks, p.Base, p.Head) {
			continue
		}
		markCharacters(marks, p.Base, p.Head)
		if counts {
			markBeyond(marks, "base", p.Base, p.Head, most)
			markBeyond(marks, "head", p.Head, p.Base, most)
		}
	}
	out := make(manner, 0, len(marks))
	for m := range marks {
		out = append(out, m)
	}
	slices.Sort(out)
	return out
}

// inPart begins the mark of a part that differs.
const inPart = "in "

// beyond reports whether a part differs that is the same in all known differences.
func (m manner) beyond(known []way) bool {
	return slices.ContainsFunc(m, func(mark string) bool {
		return strings.HasPrefix(mark, inPart) && !slices.ContainsFunc(known, func(w way) bool { return slices.Contains(w.manner, mark) })
	})
}

// something returns "nothing" for a text of an empty value or of 0, and "something" for others. The name of a type, or of what
// makes the value, does not count.
func something(text string) string {
	rest := text[len(typeName().FindString(text)):]
	if text == "nil" || text == "0" || !strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return "nothing"
	}
	return "something"
}

// typeName matches the name of a type in front of a value, with what opens the value.
var typeName = lazyregexp.New(`^[&*\[\]\w./]*[({\[]`)

// indexes matches an index of a list, or the key of a map.
var indexes = lazyregexp.New(`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`)

// markOrder adds which of two numbers is larger. It reports whether both texts are numbers.
func markOrder(marks map[string]bool, base, head string) bool {
	b, errB := strconv.ParseFloat(base, 64)
	h, errH := strconv.ParseFloat(head, 64)
	if errB != nil || errH != nil {
		return false
	}
	order := cmp.Compare(b, h)
	if order == 0 { // too close for floating point
		m, _ := strconv.ParseInt(base, 10, 64)
		n, _ := strconv.ParseInt(head, 10, 64)
		order = cmp.Compare(m, n)
	}
	marks["number "+strconv.Itoa(order)] = true
	return true
}

// markCharacters adds the kinds of characters of which one text has more than the other. All letters are one kind, and all
// digits.
func markCharacters(marks map[string]bool, base, head string) {
	more := map[rune]int{}
	for _, r := range base {
		more[kindOf(r)]--
	}
	for _, r := range head {
		more[kindOf(r)]++
	}
	for r, n := range more {
		if n != 0 {
			marks[strconv.Itoa(cmp.Compare(n, 0))+string(r)] = true
		}
	}
}

// largest returns the largest whole number among the arguments. It reports false if there are no numbers.
func largest(p wire.Sequence) (most int64, any bool) {
	p.Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Int || l.Form == wire.Uint && l.N >= 0 {
			most, any = max(most, l.N), true
		}
	})
	return most, any
}

// markBeyond adds a mark for each number in the text of one side that the other side lacks. The mark tells whether the number is
// larger than most, the largest argument.
func markBeyond(marks map[string]bool, side, text, other string, most int64) {
	known := numbersIn(other)
	for _, n := range numbersIn(text) {
		if !slices.Contains(known, n) {
			marks[side+" beyond "+strconv.FormatBool(n > most)] = true
		}
	}
}

// numbersIn returns the whole numbers in a text. Digits within words and fractions do not count.
func numbersIn(text string) []int64 {
	text = text[:min(len(text), maxMarked)]
	var out []int64
	for _, at := range digits().FindAllStringIndex(text, -1) {
		if at[0] > 0 && joins(text[at[0]-1]) || at[1] < len(text) && joins(text[at[1]]) {
			continue
		}
		if n, err := strconv.ParseInt(text[at[0]:at[1]], 10, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// joins reports whether a byte next to digits makes them part of a word or a fraction.
func joins(b byte) bool { return b == '.' || b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// maxMarked bounds the length of a text that is searched for numbers, in bytes.
const maxMarked = 4096

// digits matches digits in a row.
var digits = lazyregexp.New(`[0-9]+`)

// kindOf is the character that stands for all of a kind.
func kindOf(r rune) rune {
	switch {
	case unicode.IsLetter(r):
		return 'a'
	case unicode.IsDigit(r):
		return '0'
	}
	return r
}

// within reports whether another manner has all marks of this one. One without any, as of letters that stand in
// another order, is within each.
func (m manner) within(o manner) bool {
	return !slices.ContainsFunc(m, func(mark string) bool {
		_, ok := slices.BinarySearchFunc(o, mark, strings.Compare)
		return !ok
	})
}

// maxSampled bounds the witnesses of one discrepancy that are kept to be told apart by their manners.
const maxSampled = 48

// sample keeps some of all witnesses: of every so many one, fewer as there are more.
func (st *discrepancyState) sample(w Witness) {
	if w.Hung {
		return
	}
	st.stride = max(st.stride, 1)
	if st.count%st.stride != 0 {
		return
	}
	st.sampled = append(st.sampled, w)
	if len(st.sampled) < maxSampled {
		return
	}
	st.stride *= 2
	half := st.sampled[:0]
	for i, w := range st.sampled {
		if i%2 == 0 {
			half = append(half, w)
		}
	}
	st.sampled = half
}

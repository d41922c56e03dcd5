package calls

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// One way through the changed code can differ for two reasons as well, and an input that shows the one can become one that
// shows the other when it is shrunk: quotes that head puts around some numbers, and zeros that it keeps in others. How the
// values differ tells such reasons apart, by plain marks: which parts differ, which characters base has more of, and which
// head has, and whether a number is more or less.

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
	for _, p := range d.Differs {
		marks["in "+indexes().ReplaceAllString(p.Path, "[]")] = true
		mark(marks, p.Base, p.Head)
	}
	if len(d.Differs) == 0 {
		mark(marks, d.Base.Text, d.Head.Text)
	}
	out := make(manner, 0, len(marks))
	for m := range marks {
		out = append(out, m)
	}
	slices.Sort(out)
	return out
}

// indexes matches an index of a list, or the key of a map.
var indexes = lazyregexp.New(`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`)

// mark adds what tells two texts apart: of two numbers which is larger, else the kinds of characters of which one text has
// more than the other. All letters are one kind, and all digits.
func mark(marks map[string]bool, base, head string) {
	b, errB := strconv.ParseFloat(base, 64)
	h, errH := strconv.ParseFloat(head, 64)
	if errB == nil && errH == nil {
		marks["number "+strconv.Itoa(cmp.Compare(b, h))] = true
		return
	}
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

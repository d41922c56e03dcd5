package contrast

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A subject is what a fact is of: an argument, its length, or two arguments.
type subject struct {
	code string // Go
	at   int    // of the argument, or the first of two
	kind kind
}

type kind byte

const (
	aNumber kind = iota
	aLength
	aText
	aTruth
	equality
	nilness
)

// fact is what is so for one input.
type fact struct {
	number float64
	text   string
	truth  bool
}

// test is how a feature is told from a fact.
type test struct {
	op    op
	bound float64
	text  string
}

type op byte

const (
	taken op = iota // a branch; no fact
	below
	above
	same // as the bound
	begins
	contains
	isTrue
	isFalse
)

// holds reports whether a feature is true of a row. It is false where nothing is known.
func (f feature) holds(r row) bool {
	if f.test.op == taken {
		return r.branches[f]
	}
	x, known := r.facts[f.of]
	if !known {
		return false
	}
	switch f.test.op {
	case below:
		return x.number < f.test.bound
	case above:
		return x.number > f.test.bound
	case same:
		return x.number == f.test.bound
	case begins:
		return strings.HasPrefix(x.text, f.test.text)
	case contains:
		return strings.Contains(x.text, f.test.text)
	case isTrue:
		return x.truth
	}
	return !x.truth
}

// Weights, the smaller the better.
const (
	plainWeight   = 1 // zero, negative, empty, true, equal, nil
	letterWeight  = 2
	boundWeight   = 3
	changedWeight = 2 // a branch of a changed function, on head
	headWeight    = 4
	baseWeight    = 5
)

// features are what may be said of rows, in an order that depends on the rows alone.
func features(rows []row) []feature {
	subjects, branches := map[subject]bool{}, map[feature]bool{}
	for _, r := range rows {
		for s := range r.facts {
			subjects[s] = true
		}
		for f := range r.branches {
			branches[f] = true
		}
	}
	var out []feature
	for _, s := range slices.SortedFunc(maps.Keys(subjects), compareSubjects) {
		out = append(out, s.features(rows)...)
	}
	return append(out, slices.SortedFunc(maps.Keys(branches), func(a, b feature) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), strings.Compare(a.code, b.code), strings.Compare(a.says, b.says))
	})...)
}

func compareSubjects(a, b subject) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), strings.Compare(a.code, b.code))
}

func (s subject) features(rows []row) []feature {
	say := func(weight int, t test, format string, args ...any) feature {
		return feature{code: s.code, says: fmt.Sprintf(format, args...), weight: weight, of: s, test: t}
	}
	switch s.kind {
	case aTruth:
		return []feature{say(plainWeight, test{op: isTrue}, "is true"), say(plainWeight, test{op: isFalse}, "is false")}
	case equality:
		return []feature{say(plainWeight, test{op: isTrue}, "are equal"), say(plainWeight, test{op: isFalse}, "are not equal")}
	case nilness:
		return []feature{say(plainWeight, test{op: isTrue}, "is nil"), say(plainWeight, test{op: isFalse}, "is not nil")}
	case aText:
		var out []feature
		for _, letter := range s.letters(rows) {
			out = append(out, say(letterWeight, test{op: begins, text: letter}, "begins with %s", strconv.Quote(letter)),
				say(letterWeight, test{op: contains, text: letter}, "contains %s", strconv.Quote(letter)))
		}
		return out
	}
	out := []feature{say(plainWeight, test{op: same}, "is 0"), say(plainWeight, test{op: above}, "is more than 0")}
	if s.kind == aNumber {
		out = append(out, say(plainWeight, test{op: below}, "is negative"))
	}
	for _, bound := range s.bounds(rows) {
		text := strconv.FormatFloat(bound, 'g', -1, 64)
		out = append(out, say(boundWeight, test{op: above, bound: bound}, "is more than %s", text),
			say(boundWeight, test{op: below, bound: bound}, "is less than %s", text), say(boundWeight, test{op: same, bound: bound}, "is %s", text))
	}
	return out
}

const (
	// maxLetters and maxBounds bound the features of one subject.
	maxLetters = 24
	maxBounds  = 12
)

// letters are those that texts of rows that differ have in common, or that many of them
// have.
func (s subject) letters(rows []row) []string {
	n := map[string]int{}
	for _, r := range rows {
		x, known := r.facts[s]
		if !known || !r.differs || !utf8.ValidString(x.text) {
			continue
		}
		seen := map[rune]bool{}
		for _, c := range x.text {
			if !seen[c] {
				seen[c] = true
				n[string(c)]++
			}
		}
	}
	list := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), strings.Compare(a, b)) })
	return list[:min(len(list), maxLetters)]
}

// bounds are numbers next to which rows differ on one side and not on the other.
func (s subject) bounds(rows []row) []float64 {
	type point struct {
		number  float64
		differs bool
	}
	var points []point
	for _, r := range rows {
		if x, known := r.facts[s]; known {
			points = append(points, point{x.number, r.differs})
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.number, b.number) })
	var out []float64
	add := func(bound float64) {
		if !slices.Contains(out, bound) && bound != 0 && len(out) < maxBounds {
			out = append(out, bound)
		}
	}
	for i := 1; i < len(points); i++ {
		if a, b := points[i-1], points[i]; a.differs != b.differs && a.number != b.number {
			add(a.number)
			add(b.number)
		}
	}
	return out
}

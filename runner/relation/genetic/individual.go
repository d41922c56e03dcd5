package genetic

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// individual is an output relation with what the rows say about it.
type individual struct {
	tree          *law.Expr
	falsePositive int // correct rows on which it fails
	falseNegative int // incorrect rows on which it does not
	silent        int // correct rows about which it says nothing
	passed        rows
	detected      rows
	identity      string // of the detected rows
}

// dominance orders individuals, the better ones first.
type dominance func(a, b *individual) int

// byFalsePositives is definition 4, byFalseNegatives is definition 5. Texts decide
// between individuals that the paper holds for equal, so that there is one order.
func byFalsePositives(a, b *individual) int {
	return cmp.Or(a.falsePositive-b.falsePositive, a.falseNegative-b.falseNegative, a.tree.Size()-b.tree.Size(), strings.Compare(a.tree.Key(), b.tree.Key()))
}

func byFalseNegatives(a, b *individual) int {
	return cmp.Or(a.falseNegative-b.falseNegative, a.falsePositive-b.falsePositive, a.tree.Size()-b.tree.Size(), strings.Compare(a.tree.Key(), b.tree.Key()))
}

// rows is a set of rows.
type rows []uint64

func newRows(n int) rows { return make(rows, (n+63)/64) }

func (r rows) add(i int) { r[i/64] |= 1 << (i % 64) }

func (r rows) count() int {
	n := 0
	for _, w := range r {
		n += bits.OnesCount64(w)
	}
	return n
}

// beyond counts the rows that are not in another set.
func (r rows) beyond(other rows) int {
	n := 0
	for i, w := range r {
		n += bits.OnesCount64(w &^ other[i])
	}
	return n
}

// include adds the rows of another set.
func (r rows) include(other rows) {
	for i, w := range other {
		r[i] |= w
	}
}

// text is equal for equal sets only.
func (r rows) text() string {
	b := make([]byte, 0, 8*len(r))
	for _, w := range r {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return string(b)
}

// scorer asks the rows. It is for one goroutine at a time.
type scorer struct {
	correct, incorrect *law.Evaluator
	incorrectRows      int
	known              map[string]*individual // by the keys of trees
}

func newScorer(p Problem) *scorer {
	return &scorer{
		correct: law.NewEvaluator(p.Correct), incorrect: law.NewEvaluator(p.Incorrect),
		incorrectRows: p.Incorrect.Rows(), known: map[string]*individual{},
	}
}

// mostKnown is how many individuals a scorer remembers.
const mostKnown = 30_000

// score returns the individual that a tree is.
func (s *scorer) score(x *law.Expr) *individual {
	if known, ok := s.known[x.Key()]; ok {
		return known
	}
	out := s.judge(x)
	s.detect(out)
	if len(s.known) >= mostKnown {
		clear(s.known)
	}
	s.known[x.Key()] = out
	return out
}

// judge asks the correct rows only.
func (s *scorer) judge(x *law.Expr) *individual {
	verdicts := s.correct.Verdicts(x)
	out := &individual{tree: x, passed: newRows(len(verdicts))}
	for i, v := range verdicts {
		switch v {
		case law.Fails:
			out.falsePositive++
		case law.Holds:
			out.passed.add(i)
		default:
			out.silent++
			out.passed.add(i)
		}
	}
	return out
}

// detect asks the incorrect rows.
func (s *scorer) detect(x *individual) {
	x.detected = newRows(s.incorrectRows)
	for i, v := range s.incorrect.Verdicts(x.tree) {
		if v == law.Fails {
			x.detected.add(i)
		}
	}
	x.falseNegative = s.incorrectRows - x.detected.count()
	x.identity = x.detected.text()
}

// idles reports whether a tree has an operator of one operand that changes nothing in any
// correct row, as abs does nothing to what is never negative. Such a tree says the same of
// what is correct as the one without the operator, and hides a bound.
func (s *scorer) idles(x *law.Expr) bool {
	return slices.ContainsFunc(x.Nodes(), func(n *law.Expr) bool {
		args := n.Args()
		return len(args) == 1 && args[0].Kind() == n.Kind() &&
			!slices.Contains(s.correct.Verdicts(law.Apply(law.Equal, n, args[0])), law.Fails)
	})
}

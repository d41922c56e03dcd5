package diff

import (
	"fmt"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

// Explanation says what differs between two executions.
type Explanation struct {
	Kind       event.Kind
	Site       int // that differs, -1 where only the outcomes do
	Base, Head string
	// Given are the arguments of the call at the site, as outcome.Text has them; "" where they
	// are not known.
	Given string
}

// Explain finds the first observation that differs between two executions
// that were run in detail, and tells the kind of the difference.
func Explain(d Difference, base, head outcome.Result) Explanation {
	x := Explanation{Site: -1}
	whole := !base.Truncated() && !head.Truncated()
	for _, s := range d.Sites {
		if !whole {
			break // which of very many observations differs cannot be told
		}
		x = firstDifference(textsOf(base, s), textsOf(head, s))
		x.Site = -1
		if x.Kind != "" {
			x.Site = s
			break
		}
	}
	switch {
	case crashed(base.Outcome) != crashed(head.Outcome):
		x.Kind = event.KindPanic
	case d.Outcome && crashed(base.Outcome):
		return Explanation{event.KindErrorText, -1, base.Message, head.Message, ""}
	case x.Kind == "":
		x.Kind = event.KindValue
		if len(d.Sites) > 0 {
			x.Site = d.Sites[0]
		}
	}
	return x
}

func crashed(o event.Outcome) bool {
	return o == event.Panic || o == event.Died || o == event.Exhausted
}

func textsOf(r outcome.Result, site int) []outcome.Text {
	var out []outcome.Text
	for _, t := range r.Texts {
		if t.Site == site {
			out = append(out, t)
		}
	}
	return out
}

// firstDifference finds the first observation that the other version did not
// make: digests are added up without regard to order, so an observation that
// only moved is not what differs.
func firstDifference(base, head []outcome.Text) Explanation {
	onlyBase, onlyHead := without(base, head), without(head, base)
	switch {
	case len(onlyBase) == 0 && len(onlyHead) == 0:
		return Explanation{}
	case len(onlyBase) == 0:
		h, b := moreOften(onlyHead[0], head, base)
		return Explanation{Kind: event.KindValue, Base: b, Head: h, Given: onlyHead[0].Given}
	case len(onlyHead) == 0:
		b, h := moreOften(onlyBase[0], base, head)
		return Explanation{Kind: event.KindValue, Base: b, Head: h, Given: onlyBase[0].Given}
	}
	b, h := onlyBase[0], onlyHead[0]
	x := Explanation{Kind: ValueKind(b, h), Base: b.Value, Head: h.Value}
	if b.Given == h.Given {
		x.Given = b.Given
	}
	return x
}

// moreOften words a value that one version saw at a site more often than the
// other, which saw nothing there that the first did not. How often each saw it
// stands behind the value, as in "3 (seen 2 times)".
func moreOften(t outcome.Text, more, fewer []outcome.Text) (m, f string) {
	times := func(list []outcome.Text) int {
		n := 0
		for _, x := range list {
			if valueAlone(x) == valueAlone(t) {
				n++
			}
		}
		return n
	}
	seen := func(n int) string {
		if n == 1 {
			return t.Value + " (seen once)"
		}
		return fmt.Sprintf("%s (seen %d times)", t.Value, n)
	}
	switch n := times(fewer); {
	case n > 0:
		return seen(times(more)), seen(n)
	case len(fewer) > 0:
		return t.Value, event.ValueNotSeen
	}
	return t.Value, event.ValueNotReached
}

// without takes as many of b's texts out of a as there are.
func without(a, b []outcome.Text) []outcome.Text {
	left := map[outcome.Text]int{}
	for _, t := range b {
		left[valueAlone(t)]++
	}
	var out []outcome.Text
	for _, t := range a {
		if left[valueAlone(t)] > 0 {
			left[valueAlone(t)]--
			continue
		}
		out = append(out, t)
	}
	return out
}

// valueAlone is the same for texts of one value, whatever it was made of.
func valueAlone(t outcome.Text) outcome.Text {
	t.Given = ""
	return t
}

// ValueKind returns the kind of the difference between two values, each as text
// with its category.
func ValueKind(base, head outcome.Text) event.Kind {
	b, h := base.Category, head.Category
	switch {
	case b == 'e' && h == 'e' && ends(base.Value) != ends(head.Value):
		return event.KindValue
	case b == 'e' && h == 'e':
		return event.KindErrorText
	case h == 'e':
		return event.KindValueToError
	case b == 'e':
		return event.KindErrorToValue
	case b == 'n' && h == 'z' || b == 'z' && h == 'n':
		return event.KindNilEmpty
	case base.Value == head.Value: // cut off before they differ
		return event.KindValue
	case empty().ReplaceAllString(base.Value, "∅") == empty().ReplaceAllString(head.Value, "∅"):
		return event.KindNilEmpty // one of several results, or a part of a value
	case errorTexts().ReplaceAllString(base.Value, "error") == errorTexts().ReplaceAllString(head.Value, "error") && ends(base.Value) == ends(head.Value):
		return event.KindErrorText // likewise
	}
	return event.KindValue
}

// ends counts the errors that say that a stream is at its end: io.EOF, which is no failure,
// and which callers compare with.
func ends(text string) int {
	if text == "EOF" {
		return 1
	}
	return strings.Count(text, `error("EOF")`)
}

// errorTexts matches how errors are rendered.
var errorTexts = lazyregexp.New(`error\("(?:[^"\\]|\\.)*"\)`)

// empty matches how nil and empty slices and maps are rendered.
var empty = lazyregexp.New(`\[\]byte\(""\)|(?:[\w.\[\]*]+|[\w.\[\]*]*struct \{[^{}]*\})\(nil\)|\bmap\[\]|\[\]`)

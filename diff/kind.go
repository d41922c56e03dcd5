package diff

import (
	"fmt"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

// NotReached stands for the value at a site that one version never came to;
// NotSeen for one that it did not see there although it came by.
const (
	NotReached = "(not reached)"
	NotSeen    = "(not seen)"
)

// Explain finds the first observation that differs between two executions
// that were run in detail, and tells the kind of the difference. site is -1
// where only the outcomes differ.
func Explain(d Difference, base, head outcome.Result) (kind event.Kind, site int, b, h string) {
	site = -1
	whole := !base.Truncated() && !head.Truncated()
	for _, s := range d.Sites {
		if !whole {
			break // which of very many observations differs cannot be told
		}
		kind, b, h = firstDifference(textsOf(base, s), textsOf(head, s))
		if kind != "" {
			site = s
			break
		}
	}
	switch {
	case crashed(base.Outcome) != crashed(head.Outcome):
		return event.KindPanic, site, b, h
	case d.Outcome && crashed(base.Outcome):
		return event.KindErrorText, -1, base.Message, head.Message
	case kind == "" && len(d.Sites) > 0:
		return event.KindValue, d.Sites[0], b, h
	case kind == "":
		return event.KindValue, site, b, h
	}
	return kind, site, b, h
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
func firstDifference(base, head []outcome.Text) (kind event.Kind, b, h string) {
	onlyBase, onlyHead := without(base, head), without(head, base)
	switch {
	case len(onlyBase) == 0 && len(onlyHead) == 0:
		return "", "", ""
	case len(onlyBase) == 0:
		h, b = moreOften(onlyHead[0], head, base)
		return event.KindValue, b, h
	case len(onlyHead) == 0:
		b, h = moreOften(onlyBase[0], base, head)
		return event.KindValue, b, h
	}
	return ValueKind(onlyBase[0], onlyHead[0]), onlyBase[0].Value, onlyHead[0].Value
}

// moreOften words a value that one version saw at a site more often than the
// other, which saw nothing there that the first did not. How often each saw it
// stands behind the value, as in "3 (seen 2 times)".
func moreOften(t outcome.Text, more, fewer []outcome.Text) (m, f string) {
	times := func(list []outcome.Text) int {
		n := 0
		for _, x := range list {
			if x == t {
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
		return t.Value, NotSeen
	}
	return t.Value, NotReached
}

// without takes as many of b's texts out of a as there are.
func without(a, b []outcome.Text) []outcome.Text {
	left := map[outcome.Text]int{}
	for _, t := range b {
		left[t]++
	}
	var out []outcome.Text
	for _, t := range a {
		if left[t] > 0 {
			left[t]--
			continue
		}
		out = append(out, t)
	}
	return out
}

// ValueKind returns the kind of the difference between two values, each as text
// with its category.
func ValueKind(base, head outcome.Text) event.Kind {
	b, h := base.Category, head.Category
	switch {
	case b == 'e' && h == 'e':
		return event.KindErrorText
	case h == 'e':
		return event.KindValueToError
	case b == 'e':
		return event.KindErrorToValue
	case b == 'n' && h == 'z' || b == 'z' && h == 'n':
		return event.KindNilEmpty
	case empty().ReplaceAllString(base.Value, "∅") == empty().ReplaceAllString(head.Value, "∅"):
		return event.KindNilEmpty // one of several results, or a part of a value
	case errorTexts().ReplaceAllString(base.Value, "error") == errorTexts().ReplaceAllString(head.Value, "error"):
		return event.KindErrorText // likewise
	}
	return event.KindValue
}

// errorTexts matches how errors are rendered.
var errorTexts = lazyregexp.New(`error\("(?:[^"\\]|\\.)*"\)`)

// empty matches how nil and empty slices and maps are rendered.
var empty = lazyregexp.New(`\[\]byte\(""\)|[\w.\[\]*]+\(nil\)|\bmap\[\]|\[\]`)

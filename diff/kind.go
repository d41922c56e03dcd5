package diff

import (
	"regexp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
)

// The kinds of difference, strongest first.
const (
	KindPanic        = "panic"
	KindValueToError = "value-to-error"
	KindErrorToValue = "error-to-value"
	KindValue        = "value"
	KindNilEmpty     = "nil-empty"
	KindErrorText    = "error-text"
)

// NotReached stands for the value at a site that one version never came to.
const NotReached = "(not reached)"

// Explain finds the first observation that differs between two executions
// that were run in detail, and tells the kind of the difference. site is -1
// where only the outcomes differ.
func Explain(d Difference, base, head execute.Result) (kind string, site int, b, h string) {
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
		return KindPanic, site, b, h
	case d.Outcome && crashed(base.Outcome):
		return KindErrorText, -1, base.Message, head.Message
	case kind == "" && len(d.Sites) > 0:
		return KindValue, d.Sites[0], b, h
	case kind == "":
		return KindValue, site, b, h
	}
	return kind, site, b, h
}

func crashed(o event.Outcome) bool {
	return o == event.Panic || o == event.Died || o == event.Exhausted
}

func textsOf(r execute.Result, site int) []execute.Text {
	var out []execute.Text
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
func firstDifference(base, head []execute.Text) (kind, b, h string) {
	onlyBase, onlyHead := without(base, head), without(head, base)
	switch {
	case len(onlyBase) == 0 && len(onlyHead) == 0:
		return "", "", ""
	case len(onlyBase) == 0:
		return KindValue, NotReached, onlyHead[0].Value
	case len(onlyHead) == 0:
		return KindValue, onlyBase[0].Value, NotReached
	}
	return kindOf(onlyBase[0], onlyHead[0]), onlyBase[0].Value, onlyHead[0].Value
}

// without takes as many of b's texts out of a as there are.
func without(a, b []execute.Text) []execute.Text {
	left := map[execute.Text]int{}
	for _, t := range b {
		left[t]++
	}
	var out []execute.Text
	for _, t := range a {
		if left[t] > 0 {
			left[t]--
			continue
		}
		out = append(out, t)
	}
	return out
}

func kindOf(base, head execute.Text) string {
	b, h := base.Category, head.Category
	switch {
	case b == 'e' && h == 'e':
		return KindErrorText
	case h == 'e':
		return KindValueToError
	case b == 'e':
		return KindErrorToValue
	case b == 'n' && h == 'z' || b == 'z' && h == 'n':
		return KindNilEmpty
	case empty.ReplaceAllString(base.Value, "∅") == empty.ReplaceAllString(head.Value, "∅"):
		return KindNilEmpty // one of several results, or a part of a value
	}
	return KindValue
}

// empty matches how nil and empty slices and maps are rendered.
var empty = regexp.MustCompile(`\[\]byte\(""\)|[\w.\[\]*]+\(nil\)|\bmap\[\]|\[\]`)

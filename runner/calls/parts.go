package calls

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// PartsThatDiffer compares what a value is made of on base and on head, by where in the
// value it is; name stands for the value in the paths. A value that is one number, text or
// truth has no parts. What lies behind the last part that is told of a large value may be
// there on both.
func PartsThatDiffer(name string, base, head []wire.Leaf) []event.PartDiffers {
	of := func(path string) string { return within(name, path) }
	cut := max(len(base), len(head)) >= wire.MaxLeaves
	on, ofHead := map[nthLeaf]wire.Leaf{}, numbered(head)
	for i, n := range ofHead {
		on[n] = head[i]
	}
	var out []event.PartDiffers
	for i, n := range numbered(base) {
		l := base[i]
		other, there := on[n]
		delete(on, n)
		switch {
		case l.Path == "" || l.Path == wire.LeftOut || l == other || !there && cut:
		case !there:
			out = append(out, event.PartDiffers{Path: of(l.Path), Base: l.Text})
		default:
			b, h := whereTheyDiffer(l, other)
			out = append(out, event.PartDiffers{Path: of(l.Path), Base: b, Head: h})
		}
	}
	for i, n := range ofHead {
		if _, left := on[n]; left && !cut && n.path != "" && n.path != wire.LeftOut {
			out = append(out, event.PartDiffers{Path: of(n.path), Head: head[i].Text})
		}
	}
	if told := slices.DeleteFunc(slices.Clone(out), event.PartDiffers.LackingZero); len(told) > 0 {
		out = told
	}
	return out[:min(len(out), event.MaxParts)]
}

// nthLeaf tells leaves of one path apart, as the types of what a pointer in an interface leads to.
type nthLeaf struct {
	path string
	n    int
}

// numbered returns how many leaves of the same path stand before each.
func numbered(leaves []wire.Leaf) []nthLeaf {
	seen := map[string]int{}
	out := make([]nthLeaf, len(leaves))
	for i, l := range leaves {
		out[i] = nthLeaf{l.Path, seen[l.Path]}
		seen[l.Path]++
	}
	return out
}

// whereTheyDiffer returns what two texts have around the place from which on they differ.
func whereTheyDiffer(base, head wire.Leaf) (string, string) {
	if base.Text != head.Text || base.Sum == 0 {
		return base.Text, head.Text
	}
	b, h := []rune(base.Rest), []rune(head.Rest)
	at := 0
	for at < min(len(b), len(h)) && b[at] == h[at] {
		at++
	}
	const before, after = 20, 60
	from := max(at-before, 0)
	around := func(r []rune) string {
		text := "…" + string(r[min(from, len(r)):min(at+after, len(r))])
		if at+after < len(r) {
			text += "…"
		}
		return text
	}
	return around(b), around(h)
}

// within is the path of a part of a value with a name.
func within(name, path string) string {
	if inner, ok := strings.CutPrefix(path, "len("); ok {
		return "len(" + name + inner
	}
	return name + path
}

// PartOf is the path of a part of a component in words, such as "argument 2".
func PartOf(component, path string) string { return within(Variable(component), path) }

// PrintedOtherwise reports whether a value, of which all parts are known, is made of the
// same on base and on head, so that only a method tells of it in another way. A field that nobody
// can name, that one version does not have, and that holds nothing on the other, is no part.
func PrintedOtherwise(base, head []wire.Leaf) bool {
	if len(base) == 0 || base[len(base)-1].Path == wire.LeftOut || max(len(base), len(head)) >= wire.MaxLeaves {
		return false
	}
	return slices.Equal(withoutIdle(base, head), withoutIdle(head, base))
}

// withoutIdle leaves out the hidden parts that hold nothing and that the other version does not have.
func withoutIdle(leaves, others []wire.Leaf) []wire.Leaf {
	there := map[string]bool{}
	for _, l := range others {
		there[l.Path] = true
	}
	return slices.DeleteFunc(slices.Clone(leaves), func(l wire.Leaf) bool {
		return !there[l.Path] && hidden().MatchString(l.Path) && slices.Contains([]string{"0", "nil", "false", `""`}, l.Text)
	})
}

// hidden matches a path through a field that is not exported.
var hidden = lazyregexp.New(`\.[\p{Ll}_]`)

// Variable is how paths name what a component in words is, such as "result 2" and
// "argument s".
func Variable(component string) string {
	word, rest, _ := strings.Cut(component, " ")
	if word == event.ComponentArgument && strings.Trim(rest, "0123456789") != "" {
		return rest
	}
	return word + rest
}

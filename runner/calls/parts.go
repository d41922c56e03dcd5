package calls

import (
	"slices"
	"strings"

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
	on := map[string]string{}
	for _, l := range head {
		on[l.Path] = l.Text
	}
	var out []event.PartDiffers
	for _, l := range base {
		text, there := on[l.Path]
		delete(on, l.Path)
		if l.Path != "" && (!there && !cut || there && text != l.Text) {
			out = append(out, event.PartDiffers{Path: of(l.Path), Base: l.Text, Head: text})
		}
	}
	for _, l := range head {
		if text, left := on[l.Path]; left && !cut && l.Path != "" {
			out = append(out, event.PartDiffers{Path: of(l.Path), Head: text})
		}
	}
	return out[:min(len(out), event.MaxParts)]
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
// same on base and on head, so that only a method tells of it in another way.
func PrintedOtherwise(base, head []wire.Leaf) bool {
	return len(base) > 0 && max(len(base), len(head)) < wire.MaxLeaves && slices.Equal(base, head)
}

// Variable is how paths name what a component in words is, such as "result 2" and
// "argument s".
func Variable(component string) string {
	word, rest, _ := strings.Cut(component, " ")
	if word == event.ComponentArgument && strings.Trim(rest, "0123456789") != "" {
		return rest
	}
	return word + rest
}

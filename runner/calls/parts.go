package calls

import (
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// PartsThatDiffer compares what a value is made of on base and on head, by where in the
// value it is; name stands for the value in the paths. A value that is one number, text or
// truth has no parts. What lies behind the last part that is told of a large value may be
// there on both.
func PartsThatDiffer(name string, base, head []wire.Leaf) []event.PartDiffers {
	of := func(path string) string {
		if inner, ok := strings.CutPrefix(path, "len("); ok {
			return "len(" + name + inner
		}
		return name + path
	}
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

// variable is how paths name what a component in words is, such as "result 2" and
// "argument s".
func variable(component string) string {
	word, rest, _ := strings.Cut(component, " ")
	if word == event.ComponentArgument && strings.Trim(rest, "0123456789") != "" {
		return rest
	}
	return word + rest
}

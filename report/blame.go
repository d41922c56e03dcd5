package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// maxAlike bounds the places of one name.
const maxAlike = 10

// blame knows where each changed function stands, by its name. A name that
// several modules share has several places.
type blame map[string][]event.ChangedItem

func blameOf(matches []event.Match) blame {
	b := blame{}
	for _, m := range matches {
		for _, c := range m.Changed {
			if list := b[c.Function]; (c.File != "" || len(c.Through) > 0) && len(list) < maxAlike {
				b[c.Function] = append(list, c)
			}
		}
	}
	return b
}

// hunks are the places that a finding is blamed on: the edits without which it does not show, where
// they are known, else the changed functions that ran, the one it is about first.
func (b blame) hunks(f event.Finding) []event.ChangedItem {
	if len(f.Blamed) > 0 {
		return editsOf(f)
	}
	ran := slices.Clone(f.Changed)
	if i := slices.Index(ran, f.Function); i > 0 {
		ran = append([]string{f.Function}, slices.Delete(ran, i, i+1)...)
	}
	var list []event.ChangedItem
	for _, name := range ran {
		for _, c := range b[name] {
			if c.File != "" { // an initialiser stands in no one place
				list = append(list, c)
			}
		}
	}
	return list
}

// lineRange is a place with both its ends, "bitset.go:312-318".
func lineRange(c event.ChangedItem) string {
	text := position(c.File, c.Line)
	if c.Line > 0 && c.EndLine > c.Line {
		text += "-" + strconv.Itoa(c.EndLine)
	}
	return text
}

// places lists where changed functions stand, after their names, or which edits are to blame.
func (b blame) places(f event.Finding) phrase {
	const shown = 3
	var list []string
	for _, h := range b.hunks(f) {
		list = append(list, lineRange(h))
	}
	switch {
	case len(list) == 0:
		return nil
	case len(f.Blamed) > 1:
		return say("; with any one of ", names(list, shown), " as on base this does not differ")
	case len(f.Blamed) == 1:
		return say("; with ", names(list, shown), " as on base this does not differ")
	}
	return say("; see ", names(list, shown))
}

// editsOf are the edits that are to blame for a finding, as items of the change.
func editsOf(f event.Finding) []event.ChangedItem {
	var list []event.ChangedItem
	for _, e := range f.Blamed {
		list = append(list, event.ChangedItem{Status: "changed", File: e.File, Line: e.Line, EndLine: e.EndLine})
	}
	return list
}

// sideOf says which version holds the code of a changed item.
func sideOf(c event.ChangedItem) string {
	if c.Status == "deleted" {
		return "base"
	}
	return "head"
}

// functionName writes a function as its callers know it, "BitSet.Shrink" for
// "(*BitSet).Shrink" and "list.Iterator.Next" for "(*lists/list.Iterator[T]).Next".
func functionName(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune("_./-()*[],$#", r) && r < 0x80 }) {
		return name // not one that the engine wrote
	}
	receiver, method, ok := strings.Cut(name, ").")
	if !ok || !strings.HasPrefix(receiver, "(") {
		return name[strings.LastIndexByte(name, '/')+1:]
	}
	receiver = strings.TrimLeft(receiver, "(*")
	receiver, _, _ = strings.Cut(receiver, "[")
	return receiver[strings.LastIndexByte(receiver, '/')+1:] + "." + method
}

func functionNames(list []string) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = functionName(n)
	}
	return out
}

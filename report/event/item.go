package event

import (
	"cmp"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// Items puts together what a reader takes for one thing. It is given the findings that represent clusters, open
// and not small, in the order of Compare. Each item is the places of some of them: the first one leads, the
// others tell more of what it tells. Every place is in one item, and items are in the order of what leads them.
//
// One tells more of an earlier one where
//   - the same short edits, or some that do the same to other names, are to blame for both, or all of those of one are to
//     blame for the other, too; edits of any length, if both are of one function;
//   - long edits that do the same to other names are to blame, and the same part becomes another in the same way: a
//     function for 32 bits and its copy for 64;
//   - edits of one file are to blame for both that the same test of the change needs, and head does not fail in it;
//   - one function gives the same values, long enough to tell; both versions give the same errors;
//   - they are of documents that types of the package decode and encode, of which nobody knows the edits;
//   - a changed function ran in both, nobody knows the edits of both, and neither head nor a test begins to fail in it alone;
//   - head fails in both in the same words but for numbers, base does not, and nobody knows the edits of both, or a changed
//     function ran in both;
//   - the same part of a value differs, and on one version it is the same; or a part of the earlier one is what differs in the
//     later one, with the same texts, long enough to tell;
//   - the same part of a variable differs after the same method wrote there, and nobody knows the edits of both;
//   - both show what methods of one type do after an error that both versions give;
//   - base was the one that failed, and a changed function ran in both, or an edit is to blame for both, or base failed in
//     the earlier one, too: it is the purpose of what that one shows the price of;
//   - it is forced, and the earlier ones together ran all changed functions that it ran, unless head fails in it alone;
//   - both are forced by the same condition, unless head fails in one alone; or both are forced, and another item is not: what shows
//     with a known input is worth more than what somebody may come to.
//
// A cluster leads an item where one of its functions has a broken relation, unless the leading one is about that function, too. Clusters
// stay what is accepted and replayed.
func (r Relating) Items(list []Finding) [][]int {
	var items [][]int
	for i, f := range list {
		first := items[:min(len(items), maxLeading)]
		at := slices.IndexFunc(first, func(item []int) bool { return list[item[0]].tellsOf(f) })
		if f.Rung == Forced {
			at = ranBefore(f, list, first)
			if at < 0 {
				at = slices.IndexFunc(first, func(item []int) bool {
					return list[item[0]].forcesTheSame(f) || list[item[0]].Rung == Forced && list[0].Rung != Forced
				})
			}
		}
		if at < 0 || r.weight(f) == breaksRelation && !includes(functionsOf(list[items[at][0]]), r.breaking(f)) {
			items = append(items, []int{i})
		} else {
			items[at] = append(items[at], i)
		}
	}
	return items
}

// maxLeading is how many items others can join: streams that strangers wrote have items, too.
const maxLeading = 200

// tellsOf reports whether a later finding tells more of this one, both with known inputs.
func (f Finding) tellsOf(later Finding) bool {
	if f.Rung == Forced || later.Rung == Forced || f.Package != later.Package && len(f.Blamed) == 0 {
		return false
	}
	known := len(f.Blamed) > 0 && len(later.Blamed) > 0
	switch {
	case known && within(f.Blamed, later.Blamed) && (short(f.Blamed) && short(later.Blamed) || f.Package == later.Package && f.Function == later.Function):
		return true
	case known && copies(f.Blamed, later.Blamed) && f.Kind == later.Kind && f.Component == later.Component &&
		f.Base.Outcome == later.Base.Outcome && f.Head.Outcome == later.Head.Outcome:
		return true
	case known && later.direction() != worsens && f.wanted() && later.wanted() && neededTogether(f.Blamed, later.Blamed):
		return true
	case !known && f.leavesThePartOf(later):
		return true
	case f.givesTheSame(later), f.failsInTheWordsOf(later), f.AfterError && later.AfterError && f.Package == later.Package && receiverOf(f) == receiverOf(later):
		return true
	case f.recodes() && later.recodes() && f.Package == later.Package && f.direction() == later.direction():
		return true
	case f.Package == later.Package && later.Improves() && (f.Improves() || overlap(f.Changed, later.Changed)):
		return true
	case (!known || overlap(f.Changed, later.Changed)) && f.Package == later.Package && f.failsAnewAs(later):
		return true
	case f.Package == later.Package && !known && !later.FailsTest() && (f.direction() == later.direction() || later.direction() != worsens) && overlap(f.Changed, later.Changed):
		return true
	case later.Improves() && known:
		return slices.ContainsFunc(later.Blamed, func(e Edit) bool { return blames(f.Blamed, e) })
	}
	return f.changesThePartOf(later) || f.holdsThePartOf(later)
}

// holdsThePartOf reports whether a part of what differs here is what differs there, with the same texts on both versions, long
// enough to tell: a path of a table of paths, or the same element in two lists.
func (f Finding) holdsThePartOf(o Finding) bool {
	if f.Package != o.Package || f.Kind != KindValue || o.Kind != KindValue {
		return false
	}
	parts := o.Differs
	if len(parts) == 0 {
		parts = []PartDiffers{{Base: o.Base.Value, Head: o.Head.Value}}
	}
	return slices.ContainsFunc(f.Differs, func(a PartDiffers) bool {
		return slices.ContainsFunc(parts, func(b PartDiffers) bool {
			return a.Base == b.Base && a.Head == b.Head && len(a.Base)+len(a.Head) >= tellingValues
		})
	})
}

// changesThePartOf reports whether two findings are of one part of a value, and it is the same on one of the versions.
func (f Finding) changesThePartOf(o Finding) bool {
	if f.Package != o.Package || f.Kind != KindValue || o.Kind != KindValue || len(f.Differs) == 0 || len(o.Differs) == 0 {
		return false
	}
	a, b := f.Differs[0], o.Differs[0]
	return a.Path == b.Path && strings.ContainsAny(a.Path, ".[") && (a.Base == b.Base || a.Head == b.Head)
}

// leavesThePartOf reports whether two findings show the same part of a variable, and the last statement before it calls the same method
// in both. An upgraded encoder that writes to a buffer is an example.
func (f Finding) leavesThePartOf(o Finding) bool {
	if f.Package != o.Package || f.Kind != KindValue || o.Kind != KindValue || f.Component != ComponentValue || o.Component != ComponentValue ||
		len(f.Differs) == 0 || len(o.Differs) == 0 || f.Differs[0].Path != o.Differs[0].Path {
		return false
	}
	last := func(f Finding) string {
		all := methodCalls().FindAllStringSubmatch(f.Input, -1)
		if len(all) == 0 {
			return ""
		}
		return all[len(all)-1][1] + all[len(all)-1][2]
	}
	return last(f) != "" && last(f) == last(o)
}

// methodCalls matches statements that call a method, and do nothing with what it gives. Variables of one name are numbered.
var methodCalls = lazyregexp.New(`(?m)^([a-zA-Z]+)[0-9]*(\.\w+)\(`)

// tellingValues is how long values of both versions are together, in bytes, if they are hardly the same by chance.
const tellingValues = 24

// givesTheSame reports whether a function gives the same in two findings, on base and on head.
func (f Finding) givesTheSame(o Finding) bool {
	return f.Package == o.Package && f.Function == o.Function && f.Component == o.Component && f.Kind == o.Kind && f.ShowsTheSame(o)
}

// ShowsTheSame reports whether two findings have the same values, on base and on head, long enough to tell.
func (f Finding) ShowsTheSame(o Finding) bool {
	return f.Base == o.Base && f.Head == o.Head && len(f.Base.Value)+len(f.Head.Value) >= tellingValues
}

// failsInTheWordsOf reports whether both versions give an error in two findings, and each gives the same one there.
func (f Finding) failsInTheWordsOf(o Finding) bool {
	return f.Package == o.Package && isError(f.Base.Value) && isError(f.Head.Value) && f.Base.Value == o.Base.Value && f.Head.Value == o.Head.Value
}

// failsAnewAs reports whether head fails in two findings in the same words, but for their numbers, and base does not. A panic
// that ends the process, on a goroutine, says the same as one that the caller gets.
func (f Finding) failsAnewAs(o Finding) bool {
	if max(len(f.Head.Value), len(o.Head.Value)) > maxRounded {
		return false
	}
	words := func(r Result) string {
		return wholes().ReplaceAllString(strings.TrimPrefix(cmp.Or(r.Message, r.Value), "panic: "), "0")
	}
	fails := func(f Finding) bool {
		return (f.direction() == worsens || isError(f.Head.Value)) && words(f.Head) != words(f.Base)
	}
	return fails(f) && fails(o) && words(f.Head) != "" && words(f.Head) == words(o.Head)
}

// recodes reports whether a finding is of a document that a type decodes and encodes, and nothing else that changed ran.
func (f Finding) recodes() bool {
	return strings.HasPrefix(f.Function, "recoded") && len(f.Changed)+len(f.Blamed) == 0 && f.Rung == Reached
}

// receiverOf is the type of the method that a finding is about, "" for a function.
func receiverOf(f Finding) string {
	at := max(strings.LastIndex(f.Function, "."), 0)
	return f.Function[:at]
}

// ranBefore is the item whose leading finding ran some of the changed functions that a forced one ran, where the
// leading ones together ran all of them; -1 without. If head fails in the forced one alone, it fails in that one, too.
func ranBefore(forced Finding, list []Finding, items [][]int) int {
	if len(forced.Changed) == 0 {
		return -1
	}
	at, left := -1, slices.Clone(forced.Changed)
	for i, item := range items {
		f := list[item[0]]
		if f.Rung == Forced {
			break // all others stand before the first one
		}
		n := len(left)
		left = slices.DeleteFunc(left, func(name string) bool { return slices.Contains(f.Changed, name) })
		if at < 0 && len(left) < n && (f.headFails() || !forced.headFails()) {
			at = i
		}
	}
	if len(left) > 0 {
		return -1
	}
	return at
}

// forcesTheSame reports whether two findings are forced by one condition, deciding the same, and head fails in both or in
// neither.
func (f Finding) forcesTheSame(o Finding) bool {
	return f.Rung == Forced && o.Rung == Forced && f.headFails() == o.headFails() && len(f.Negations) > 0 && len(o.Negations) > 0 &&
		f.Negations[0].ID == o.Negations[0].ID && f.Negations[0].Taken == o.Negations[0].Taken
}

// headFails reports whether head fails where base does not.
func (f Finding) headFails() bool {
	return f.direction() == worsens || f.Base.Outcome == Pass && f.Head.Outcome != Pass
}

func short(edits []Edit) bool {
	return !slices.ContainsFunc(edits, func(e Edit) bool { return !e.Short() })
}

// Short reports whether an edit has so few lines on head that it makes one difference as a rule.
func (e Edit) Short() bool { return e.EndLine-e.Line < 12 }

// within reports whether all edits of one list are in the other.
func within(a, b []Edit) bool {
	all := func(a, b []Edit) bool {
		return !slices.ContainsFunc(a, func(e Edit) bool { return !blames(b, e) })
	}
	return all(a, b) || all(b, a)
}

// copies reports whether two lists have as many edits, and those of one do what those of the other do elsewhere.
func copies(a, b []Edit) bool {
	return len(a) == len(b) && !slices.ContainsFunc(b, func(e Edit) bool {
		return !slices.ContainsFunc(a, func(x Edit) bool {
			return e.Alike != "" && e.Alike == x.Alike && (e.File != x.File || e.Line != x.Line)
		})
	})
}

// blames reports whether an edit, one around it, a copy of it, or one that does the same elsewhere, is among those to blame.
func blames(list []Edit, e Edit) bool {
	return slices.ContainsFunc(list, func(x Edit) bool { return e.partOf(x) || e.Alike != "" && e.Alike == x.Alike })
}

// Same reports whether two edits are one, or have the same text.
func (e Edit) Same(x Edit) bool {
	return e.File == x.File && e.Line == x.Line && e.EndLine == x.EndLine || e.Digest != "" && e.Digest == x.Digest
}

// partOf reports whether an edit is another one or a part of it.
func (e Edit) partOf(x Edit) bool {
	return e.Same(x) || e.File == x.File && x.Line <= e.Line && e.EndLine <= x.EndLine
}

// neededTogether reports whether a test needs an edit of each, in one file.
func neededTogether(a, b []Edit) bool {
	return slices.ContainsFunc(a, func(e Edit) bool {
		return slices.ContainsFunc(b, func(x Edit) bool { return e.File == x.File && e.ExpectedBy == x.ExpectedBy })
	})
}

func includes(list, names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(list, n) })
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(n string) bool { return slices.Contains(b, n) })
}

package matching

import (
	"slices"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// Event returns the matching as the stream tells it.
func (m *Matching) Event() event.Match {
	head := m.Versions[version.Head]
	e := event.Match{Type: "match", Module: head.Tree.Module, Functions: m.Functions, MatchedFunctions: m.MatchedFunctions,
		MatchedConditions: len(m.Pairs), Changed: []event.ChangedItem{}, PruneBlockers: m.PruneBlockers,
		Dependencies: m.dependencyEvents()}
	if head.Program != nil {
		e.Conditions = len(head.Index)
	}
	for _, p := range m.Pairs {
		if p.Kind == isomorph.Resynchronised {
			e.Resynchronised++
		}
	}
	e.Changed = append(e.Changed, m.ChangedItems()...)
	return e
}

// ChangedItems returns Δ as the stream tells it.
func (m *Matching) ChangedItems() []event.ChangedItem {
	var items []event.ChangedItem
	for _, f := range m.Changed {
		item := event.ChangedItem{Function: f.Name, Status: f.Status, Digest: f.Digest, Through: m.throughEvents(f.Through),
			Data: f.Data[:min(len(f.Data), event.MaxData)]}
		span := f.Head
		if span == nil {
			span = f.Base
		}
		if span != nil {
			item.File, item.Line, item.EndLine = span.File, span.Line, span.EndLine
		}
		items = append(items, item)
	}
	return items
}

// Packages returns the import paths of Δ's packages.
func (m *Matching) Packages() map[string]bool {
	out := map[string]bool{}
	for _, f := range m.Changed {
		out[f.Package] = true
	}
	return out
}

// Entered names the functions of Δ with these numbers. Without any, it names
// what may act without being entered.
func (m *Matching) Entered(numbers []int) []string {
	out := []string{}
	for _, k := range numbers {
		if k < len(m.Names) {
			out = append(out, m.Names[k])
		}
	}
	if len(out) == 0 {
		out = append(out, m.unseen()...)
	}
	return out
}

// unseen names what may act without being entered: package initialisers.
func (m *Matching) unseen() []string {
	var out []string
	for _, f := range m.Changed {
		if f.Init {
			out = append(out, f.Name)
		}
	}
	return out
}

// Where returns the place of the first of some functions of Δ, on head if it is there.
func (m *Matching) Where(names []string) (function, file string, line int) {
	if len(names) == 0 {
		return "", "", 0
	}
	for _, f := range m.Changed {
		if f.Name != names[0] {
			continue
		}
		span := f.Head
		if span == nil {
			span = f.Base
		}
		if span != nil {
			return f.Name, span.File, span.Line
		}
		return f.Name, "", 0
	}
	return names[0], "", 0
}

// Number returns the entry number of a function of Δ, -1 for any other function.
func (m *Matching) Number(name string) int { return slices.Index(m.Names, name) }

// Declared returns the places of a version's functions of Δ.
func (m *Matching) Declared(side version.Side) map[load.Place]bool {
	out := map[load.Place]bool{}
	for _, f := range m.Changed {
		if s := Span(f, side); s != nil && !f.Init {
			out[s.Place] = true
		}
	}
	return out
}

// Near returns the branches of a version's functions of Δ, sorted, by their numbers in what
// is executed.
func (m *Matching) Near(side version.Side) []int {
	spans := map[string][]*isomorph.Span{}
	for _, f := range m.Changed {
		if s := Span(f, side); s != nil && !f.Init {
			spans[s.File] = append(spans[s.File], s)
		}
	}
	within := func(file string, line int) bool {
		return slices.ContainsFunc(spans[file], func(s *isomorph.Span) bool { return s.Line <= line && line <= s.EndLine })
	}
	var near []int
	p := m.Versions[side].Program
	for _, x := range p.Conditions {
		if within(x.File, x.Line) {
			near = append(near, int(outcome.Of(x.Index, false)), int(outcome.Of(x.Index, true)))
		}
	}
	for _, a := range p.Arms {
		if within(a.File, a.Line) {
			near = append(near, int(outcome.Arm(len(p.Conditions), a.Index)))
		}
	}
	slices.Sort(near)
	return near
}

// BothEntered returns the functions of Δ that base or head entered, by number.
func BothEntered(base, head outcome.Result) outcome.Bits {
	return outcome.Join(base.Entered, head.Entered)
}

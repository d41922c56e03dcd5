package reach

import (
	"cmp"
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// Through tells of reached findings that show the same as another does: of Must(x), which
// calls Parse(x), where Parse(x) differs itself and runs the same changed functions. Where
// there are several such functions, it is one that calls no other of them.
func (s *Stage) Through(findings []event.Finding) []event.Finding {
	out := slices.Clone(findings)
	places := map[functionOf]load.Place{}
	for _, p := range s.Packages {
		for _, op := range p.API.All() {
			if op.Declared() && op.Package == p.Path {
				places[functionOf{p.Path, op.Name}] = op.At[version.Head]
			}
		}
	}
	callees := map[functionOf]map[load.Place]bool{}
	calls := func(f, g event.Finding) bool {
		from, to := functionOf{f.Package, f.Function}, functionOf{g.Package, g.Function}
		at, ok := places[from]
		target, also := places[to]
		if !ok || !also || from == to {
			return false
		}
		if callees[from] == nil {
			callees[from] = surface.Callees(s.Matching.Versions[version.Head].Tree, f.Package, at)
		}
		return callees[from][target]
	}
	for i, f := range findings {
		var inner []event.Finding
		for _, g := range findings {
			if sameChange(f, g) && calls(f, g) && !calls(g, f) {
				inner = append(inner, g)
			}
		}
		slices.SortFunc(inner, func(a, b event.Finding) int {
			switch {
			case calls(a, b):
				return 1
			case calls(b, a):
				return -1
			}
			return cmp.Compare(a.Function, b.Function)
		})
		if len(inner) > 0 {
			out[i].Through = inner[0].Function
		}
	}
	return out
}

type functionOf struct{ pkg, name string }

// sameChange reports whether two findings of a package are of calls of exported functions
// that ran the same changed functions.
func sameChange(f, g event.Finding) bool {
	return f.Rung == event.Reached && g.Rung == event.Reached && f.Package == g.Package && f.Exported && g.Exported &&
		f.Function != g.Function && len(f.Changed) > 0 && f.Input != "" && g.Input != "" && f.Intended == g.Intended && slices.Equal(f.Changed, g.Changed)
}

package reach

import (
	"cmp"
	"slices"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// maxLeads bounds the operations by which one member of Δ is looked for.
const maxLeads = 24

// Leads returns, for each member of Δ, the operations from which fewest calls lead there, the nearest
// first. There is nothing to choose where there is one member.
func (s *Surface) Leads(api *surface.API, roles map[wire.Op]wire.Role) [][]wire.Op {
	names := s.Matching.Names
	if s.Everything || len(names) < 2 {
		return nil
	}
	return leadsOf(api, roles, names, s.farFrom(api, names))
}

// farFrom returns how many calls lie between operations and members of Δ, on the version where these are
// fewer; nothing where no call leads there.
func (s *Surface) farFrom(api *surface.API, names []string) []map[wire.Op]int {
	out := make([]map[wire.Op]int, len(names))
	for k := range out {
		out[k] = map[wire.Op]int{}
	}
	reach := s.Matching.Reaches()
	for _, side := range version.Sides {
		var ops []wire.Op
		var at []load.Place
		for i, op := range api.All() {
			ops, at = append(ops, i), append(at, op.At[side])
		}
		members := make([]load.Place, len(names))
		for _, f := range s.Matching.Changed {
			span := version.Both[*isomorph.Span]{f.Base, f.Head}[side]
			if k := slices.Index(names, f.Name); k >= 0 && span != nil {
				members[k] = span.Place
			}
		}
		for k, row := range reach[side].Distances(members, at) {
			for j, d := range row {
				if before, ok := out[k][ops[j]]; d >= 0 && (!ok || d < before) {
					out[k][ops[j]] = d
				}
			}
		}
	}
	return out
}

// leadsOf orders operations by how far they are from members of Δ. A method of an interface is as near as the
// nearest method behind it, and what makes values that have a member as a method is one call away.
func leadsOf(api *surface.API, roles map[wire.Op]wire.Role, names []string, far []map[wire.Op]int) [][]wire.Op {
	byName := map[string]wire.Op{}
	for i, op := range api.All() {
		byName[op.Name] = i
	}
	out := make([][]wire.Op, len(names))
	for k, name := range names {
		distance := map[wire.Op]int{}
		nearer := func(i wire.Op, d int) {
			if before, ok := distance[i]; !ok || d < before {
				distance[i] = d
			}
		}
		var list []wire.Op
		for i, op := range api.All() {
			if d, ok := far[k][i]; ok {
				nearer(i, d)
			}
			for _, method := range op.Dynamic {
				if d, ok := far[k][byName[method]]; ok {
					nearer(i, d)
				}
			}
			if slices.Contains(op.Carries, name) {
				nearer(i, 1)
			}
			if _, ok := distance[i]; ok && roles[i] >= wire.Caller && !op.Variable && !op.Seam {
				list = append(list, i)
			}
		}
		slices.SortStableFunc(list, func(a, b wire.Op) int { return cmp.Compare(distance[a], distance[b]) })
		out[k] = list[:min(len(list), maxLeads)]
	}
	return out
}

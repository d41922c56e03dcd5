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
// first. A method of an interface is as near as the nearest method behind it, and what makes values that
// have a member as a method is one call away. There is nothing to choose where there is one member.
func (s *Surface) Leads(api *surface.API, roles map[wire.Op]wire.Role) [][]wire.Op {
	names := s.Matching.Names
	if s.Everything || len(names) < 2 {
		return nil
	}
	far := s.farFrom(api, names)
	out := make([][]wire.Op, len(names))
	for k, name := range names {
		var list []wire.Op
		for i, op := range api.All() {
			if far[k][i] > 1 && slices.Contains(op.Carries, name) {
				far[k][i] = 1
			}
			if far[k][i] < never && roles[i] >= wire.Caller && !op.Variable && !op.Seam {
				list = append(list, i)
			}
		}
		slices.SortStableFunc(list, func(a, b wire.Op) int { return cmp.Compare(far[k][a], far[k][b]) })
		out[k] = list[:min(len(list), maxLeads)]
	}
	return out
}

// never is further than any operation from what it leads to.
const never = 1 << 30

// farFrom returns how many calls lie between operations and members of Δ, on the version where these are
// fewer.
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
	byName := map[string]wire.Op{}
	for i, op := range api.All() {
		byName[op.Name] = i
	}
	for k := range out {
		nearest := func(i wire.Op) int {
			if d, ok := out[k][i]; ok {
				return d
			}
			return never
		}
		for i, op := range api.All() {
			d := nearest(i)
			for _, name := range op.Dynamic {
				if behind, ok := byName[name]; ok {
					d = min(d, nearest(behind))
				}
			}
			out[k][i] = d
		}
	}
	return out
}

package isomorph

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Seam is an exported function of a dependency that differs, from which calls lead to a
// function that does, or that makes a value which has one as a method. Called by themselves
// they tell what differs there, before the way from the module to it is known.
type Seam struct {
	Package string // import path
	Type    string // of a method, without the package; "" for a function
	Name    string
}

// seams returns those of a version, by what they are.
func (l *linked) seams() map[Seam]reached {
	outside := map[*ssa.Function]*outsideFunction{}
	for _, f := range l.outside {
		outside[f.fn] = f
	}
	callers := map[*ssa.Function][]*ssa.Function{}
	for fn := range outside {
		for _, to := range l.calls[fn] {
			callers[to] = append(callers[to], fn)
		}
	}
	out := map[Seam]reached{}
	for fn := range l.changed {
		away := map[*ssa.Function]int{fn: 0}
		work := []*ssa.Function{fn}
		if t := receiver(fn); t != nil {
			for f := range outside {
				if f != fn && makes(f, t) {
					away[f] = 1
					work = append(work, f)
				}
			}
		}
		for len(work) > 0 {
			f := work[0]
			work = work[1:]
			for _, c := range callers[f] {
				if n, seen := away[c]; !seen || n > away[f]+1 {
					away[c] = away[f] + 1
					work = append(work, c)
				}
			}
		}
		faces := map[Seam]int{}
		for f, n := range away {
			if isFace(f) && f.Parent() == nil && f.TypeParams().Len() == 0 && outside[f] != nil {
				s := Seam{Package: outside[f].pkg, Name: f.Name()}
				if t := receiver(f); t != nil {
					s.Type = t.Name()
				}
				faces[s] = n
			}
		}
		for s, n := range faces {
			now := reached{shared: len(faces), away: n}
			if was, ok := out[s]; !ok || now.before(was) {
				out[s] = now
			}
		}
	}
	return out
}

// reached says how a seam leads to a function that differs: how many seams do, and how many
// calls lie between. What all lead to tells least.
type reached struct{ shared, away int }

func (r reached) before(o reached) bool {
	return r.shared < o.shared || r.shared == o.shared && r.away < o.away
}

// receiver returns the named type that a method is declared on, nil for a function.
func receiver(fn *ssa.Function) *types.TypeName {
	recv := fn.Signature.Recv()
	if recv == nil {
		return nil
	}
	return typeNameOf(recv.Type())
}

func typeNameOf(t types.Type) *types.TypeName {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// makes reports whether a function turns a value of a type into an interface.
func makes(fn *ssa.Function, t *types.TypeName) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if made, ok := instr.(*ssa.MakeInterface); ok && typeNameOf(made.X.Type()) == t {
				return true
			}
		}
	}
	return false
}

// joinSeams returns the seams of both versions: first those that lead to what few lead to.
func joinSeams(base, head map[Seam]reached) []Seam {
	all := maps.Clone(head)
	for s, r := range base {
		if now, ok := all[s]; !ok || r.before(now) {
			all[s] = r
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b Seam) int {
		return cmp.Or(cmp.Compare(all[a].shared, all[b].shared), cmp.Compare(all[a].away, all[b].away),
			cmp.Compare(a.Package, b.Package), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
	})
}

package automr

import "github.com/isodelta/isodelta/runner/relation/virtual"

// Group is a metamorphic group: inputs and what they give, the source first.
type Group struct{ In, Out [][]float64 }

// refutingGroups are looked at for which virtual mutants a relation refutes.
const refutingGroups = 400

// Refutes returns which virtual mutants the relation refutes, as virtual.Mutants.Refuted
// does. Groups that it says nothing of, or does not hold for, are left aside, and of many
// groups some from all over the list are taken.
func (r Relation) Refutes(mutants *virtual.Mutants, groups []Group) string {
	var list [][]virtual.Call
	var of []Group
	for i := range min(len(groups), refutingGroups) {
		g := groups[i*len(groups)/min(len(groups), refutingGroups)]
		if holds, applicable := r.Holds(g.In, g.Out); !applicable || !holds {
			continue
		}
		var calls []virtual.Call
		for k := range g.In {
			calls = append(calls, virtual.Call{Inputs: values(g.In[k]), Outputs: values(g.Out[k])})
		}
		list, of = append(list, calls), append(of, g)
	}
	return mutants.Refuted(list, func(i int, outputs [][]any) bool {
		var out [][]float64
		for _, row := range outputs {
			var y []float64
			for _, v := range row {
				y = append(y, v.(float64))
			}
			out = append(out, y)
		}
		holds, applicable := r.Holds(of[i].In, out)
		return applicable && !holds
	})
}

func values(row []float64) []any {
	var out []any
	for _, x := range row {
		out = append(out, x)
	}
	return out
}

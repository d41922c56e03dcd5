package coverage

import (
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/outcome"
)

// knowledge of whether something was executed.
type knowledge int8

const (
	unknown knowledge = iota
	yes
	no
)

// spreading is what is known of the parts of a graph.
type spreading struct{ nodes, edges []knowledge }

// spread infers from the branches that were taken which nodes were executed:
// conditions and loops are counted at run time, statements are not. A statement
// that panics in the midst of its node makes the next look executed. entered says
// that the function was called.
func (m *marker) spread(f *isomorph.Flow, at *isomorph.Span, conditions []int, taken outcome.Bits, entered bool) spreading {
	s := spreading{make([]knowledge, len(f.Nodes)), make([]knowledge, len(f.Edges))}
	in, out := make([][]int, len(f.Nodes)), make([][]int, len(f.Nodes))
	for i, e := range f.Edges {
		in[e.To], out[e.From] = append(in[e.To], i), append(out[e.From], i)
		s.edges[i] = m.counted(f.Nodes[e.From], at.File, conditions[e.From], e.Label, taken)
	}
	if len(f.Nodes) > 0 && entered {
		s.nodes[0] = yes
	}
	s.infer(f, conditions, in, out, no) // first what certainly did not run
	s.infer(f, conditions, in, out, yes)
	return s
}

// infer spreads one kind of knowledge to nodes and edges of which nothing is
// known.
func (s spreading) infer(f *isomorph.Flow, conditions []int, in, out [][]int, wanted knowledge) {
	for again := true; again; {
		again = false
		set := func(k *knowledge, to knowledge) {
			if *k == unknown && to == wanted {
				*k, again = to, true
			}
		}
		for i := range f.Nodes {
			set(&s.nodes[i], s.any(out[i], yes))
			set(&s.nodes[i], s.any(in[i], yes))
			if f.Nodes[i].Kind != isomorph.Entry {
				set(&s.nodes[i], s.all(in[i], no))
			}
			if f.Nodes[i].Condition != nil && conditions[i] >= 0 {
				set(&s.nodes[i], s.all(out[i], no))
			}
			if len(out[i]) == 1 || s.nodes[i] == no {
				for _, e := range out[i] {
					set(&s.edges[e], s.nodes[i])
				}
			}
			if len(in[i]) == 1 {
				set(&s.edges[in[i][0]], s.nodes[i])
			}
		}
	}
}

// counted returns what was counted of an edge at run time.
func (m *marker) counted(from isomorph.FlowNode, file string, condition int, label string, taken outcome.Bits) knowledge {
	var branch outcome.Branch
	switch {
	case label == "":
		return unknown
	case condition >= 0:
		branch = outcome.Of(condition, label == "true")
	case label == "true":
		arm, ok := m.arm(from, file)
		if !ok {
			return unknown
		}
		branch = arm
	default:
		return unknown
	}
	if taken.Has(int(branch)) {
		return yes
	}
	return no
}

// any returns the wanted knowledge if some of the edges have it.
func (s spreading) any(edges []int, wanted knowledge) knowledge {
	for _, e := range edges {
		if s.edges[e] == wanted {
			return wanted
		}
	}
	return unknown
}

// all returns the wanted knowledge if there are edges and all of them have it.
func (s spreading) all(edges []int, wanted knowledge) knowledge {
	for _, e := range edges {
		if s.edges[e] != wanted {
			return unknown
		}
	}
	if len(edges) == 0 {
		return unknown
	}
	return wanted
}

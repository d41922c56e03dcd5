package automr

import (
	"encoding/binary"
	"math"
	"math/rand"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// groups are metamorphic groups of the relations of one program. Inputs that
// occur several times stand once.
type groups struct {
	relations []automr.Relation
	inputs    [][]float64
	all       []group
}

// group is one of a relation's: indices of inputs, the source first.
type group struct {
	relation int
	at       []int
}

// newGroups draws sources as package swarm does: from the domain of inference
// and from all of the region where a relation claims to hold.
func newGroups(s automr.Program, relations []automr.Relation, seed int64, perRelation int) *groups {
	g := &groups{relations: relations}
	index := map[string]int{}
	for i, r := range relations {
		random := rand.New(rand.NewSource(seed + int64(i)))
		for _, source := range r.Sources(s, seed+int64(i), perRelation) {
			follow := r.FollowUps(source, random)
			if follow == nil {
				continue
			}
			x := group{relation: i}
			for _, in := range append([][]float64{source}, follow...) {
				x.at = append(x.at, g.input(index, in))
			}
			g.all = append(g.all, x)
		}
	}
	return g
}

func (g *groups) input(index map[string]int, in []float64) int {
	key := make([]byte, 0, 8*len(in))
	for _, x := range in {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
	}
	i, ok := index[string(key)]
	if !ok {
		i = len(g.inputs)
		index[string(key)] = i
		g.inputs = append(g.inputs, in)
	}
	return i
}

// verdict says what a group says about outputs.
func (g *groups) verdict(x group, outputs [][]float64) (holds, applicable bool) {
	var in, out [][]float64
	for _, i := range x.at {
		in, out = append(in, g.inputs[i]), append(out, outputs[i])
	}
	return g.relations[x.relation].Holds(in, out)
}

// check returns the groups that hold, and those that fail. The others are not
// applicable.
func (g *groups) check(outputs [][]float64) (holding, failing []group) {
	for _, x := range g.all {
		switch holds, applicable := g.verdict(x, outputs); {
		case !applicable:
		case holds:
			holding = append(holding, x)
		default:
			failing = append(failing, x)
		}
	}
	return holding, failing
}

package automr

import (
	"encoding/binary"
	"math"
	"math/rand"

	"github.com/isodelta/isodelta/internal/evaluate/everyday"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// groups are metamorphic groups of the relations of one program. Inputs that
// occur several times stand once.
type groups struct {
	relations []automr.Relation // as groups are judged
	told      []automr.Relation // as they were inferred
	inputs    [][]float64
	all       []group
	index     map[string]int // of inputs, by their bits
}

// group is one of a relation's: indices of inputs, the source first.
type group struct {
	relation int
	at       []int
}

// newGroups draws sources as package automr does: from the domain of inference
// and from all of the region where a relation claims to hold.
func newGroups(s automr.Program, relations []automr.Relation, seed int64, perRelation int) *groups {
	g := &groups{relations: relations, told: relations, index: map[string]int{}}
	for i, r := range relations {
		random := rand.New(rand.NewSource(seed + int64(i)))
		for _, source := range r.Sources(s, seed+int64(i), perRelation) {
			g.add(i, source, random)
		}
	}
	return g
}

// printedGroups are groups of the relations as they are printed: from all of the
// region that a reader takes them to hold in, as many again being inputs as people
// use them.
func printedGroups(s automr.Program, relations []automr.Relation, seed int64, perRelation int) *groups {
	g := &groups{told: relations, index: map[string]int{}}
	for i, r := range relations {
		printed := r.Printed()
		g.relations = append(g.relations, printed)
		random := rand.New(rand.NewSource(seed + int64(i)))
		for _, source := range printed.Sources(s, seed+int64(i), perRelation) {
			g.add(i, source, random)
		}
		for _, source := range everyday.Inputs(s, perRelation, random) {
			g.add(i, source, random)
		}
	}
	return g
}

// add adds the group of a source, if the relation has one.
func (g *groups) add(relation int, source []float64, random *rand.Rand) {
	follow := g.relations[relation].FollowUps(source, random)
	if follow == nil {
		return
	}
	x := group{relation: relation}
	for _, in := range append([][]float64{source}, follow...) {
		x.at = append(x.at, g.input(in))
	}
	g.all = append(g.all, x)
}

// rows are those of a group.
func (g *groups) rows(x group, of [][]float64) [][]float64 {
	var out [][]float64
	for _, i := range x.at {
		out = append(out, of[i])
	}
	return out
}

func (g *groups) input(in []float64) int {
	key := make([]byte, 0, 8*len(in))
	for _, x := range in {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
	}
	i, ok := g.index[string(key)]
	if !ok {
		i = len(g.inputs)
		g.index[string(key)] = i
		g.inputs = append(g.inputs, in)
	}
	return i
}

// verdict says what a group says about outputs.
func (g *groups) verdict(x group, outputs [][]float64) (holds, applicable bool) {
	return g.relations[x.relation].Holds(g.rows(x, g.inputs), g.rows(x, outputs))
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

package genetic

import (
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// grower makes random trees, and changes some.
type grower struct {
	variables map[law.Kind][]*law.Expr
	constants map[law.Kind][]*law.Expr
	operators map[law.Kind][]law.Signature // by what they give
}

func newGrower(p Problem) *grower {
	g := &grower{variables: map[law.Kind][]*law.Expr{}, constants: map[law.Kind][]*law.Expr{}, operators: map[law.Kind][]law.Signature{}}
	present := map[law.Kind]bool{law.Bool: true}
	for i, v := range p.Variables {
		g.variables[v.Kind] = append(g.variables[v.Kind], law.Var(i, v.Kind))
		present[v.Kind] = true
		if v.Kind.IsList() {
			present[v.Kind.Elem()] = true
		}
		if v.Kind.IsList() || v.Kind == law.Text {
			present[law.Int] = true // its length
		}
	}
	usual := []any{int64(0), int64(1), int64(2), 0.0, 1.0, 2.0, ""}
	for _, c := range scalars(append(usual, p.Constants...)) {
		if present[c.Kind()] && c.Kind() != law.Bool {
			g.constants[c.Kind()] = append(g.constants[c.Kind()], c)
		}
	}
	for _, s := range law.Signatures() {
		if !slices.ContainsFunc(s.Args, func(k law.Kind) bool { return !present[k] }) {
			g.operators[s.Result] = append(g.operators[s.Result], s)
		}
	}
	return g
}

// allConstants are the constants of all kinds, in a fixed order.
func (g *grower) allConstants() []*law.Expr {
	var all []*law.Expr
	for k := law.Bool; k <= law.Texts; k++ {
		all = append(all, g.constants[k]...)
	}
	return all
}

// grow makes a random tree of at most that depth.
func (g *grower) grow(random *rand.Rand, k law.Kind, depth int) *law.Expr {
	operators := g.operators[k]
	if depth == 0 || len(operators) == 0 || k != law.Bool && random.IntN(3) == 0 {
		return g.leaf(random, k)
	}
	s := operators[random.IntN(len(operators))]
	args := make([]*law.Expr, len(s.Args))
	for i, a := range s.Args {
		args[i] = g.grow(random, a, depth-1)
	}
	return law.Apply(s.Op, args...)
}

// leaf is a variable, or at times a constant.
func (g *grower) leaf(random *rand.Rand, k law.Kind) *law.Expr {
	variables, constants := g.variables[k], g.constants[k]
	switch {
	case len(variables) > 0 && (len(constants) == 0 || random.IntN(4) > 0):
		return variables[random.IntN(len(variables))]
	case len(constants) > 0:
		return constants[random.IntN(len(constants))]
	case k == law.Bool:
		return law.Const(random.IntN(2) == 0)
	}
	panic("genetic: no tree of kind " + k.String())
}

// mutate changes a tree by one of the three mutations of the paper that it has a place
// for: of a leaf, of an inner node's subtree, of a number.
func (g *grower) mutate(random *rand.Rand, x *law.Expr) *law.Expr {
	var leaves, inner, numbers []int
	nodes := x.Nodes()
	for i, n := range nodes {
		switch {
		case n.Size() > 1:
			inner = append(inner, i)
		default:
			leaves = append(leaves, i)
			if n.Op() == law.Constant && n.Kind().IsNumber() {
				numbers = append(numbers, i)
			}
		}
	}
	places := [][]int{leaves, inner, numbers}
	which := random.IntN(len(places))
	for len(places[which]) == 0 {
		which = random.IntN(len(places))
	}
	at := places[which][random.IntN(len(places[which]))]
	switch k := nodes[at].Kind(); which {
	case 0:
		return x.Replace(at, g.leaf(random, k))
	case 1:
		return x.Replace(at, g.grow(random, k, 2))
	default:
		return x.Replace(at, nudged(random, nodes[at]))
	}
}

// nudged is a number that is a little more or less: by 0.1, or by 1 if it is whole.
func nudged(random *rand.Rand, c *law.Expr) *law.Expr {
	sign := 2*random.IntN(2) - 1
	if v, ok := c.Value().(float64); ok {
		return law.Const(v + 0.1*float64(sign))
	}
	return law.Const(c.Value().(int64) + int64(sign))
}

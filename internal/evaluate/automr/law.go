package automr

import (
	"context"
	"math"
	"math/rand"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// law is a property that the paper names, of a function of one number: for
// every x a claim about outputs at points that are a·x+c, or, if gap is set,
// at x and anything beyond a·x+c.
type law struct {
	where, program, text string
	points               [][2]float64 // a, c of each
	gap                  bool
	terms                polynomial // variables are the points
	atMost               bool
}

// laws are those of Table I, as far as they are true of the function and not
// only of rounded numbers (b, d and h are a, c and g with other rounding, e, k
// and l are false), and examples from elsewhere in the paper.
func laws() []law {
	same, pi := [2]float64{1, 0}, math.Pi
	v := func(i ...byte) string { return string(i) }
	at := func(c float64) [2]float64 { return [2]float64{1, c} }
	return []law{
		{where: "Table I (a)", program: "sin", text: "P(x) − P(x + 2π) = 0", points: [][2]float64{same, at(2 * pi)}, terms: polynomial{v(0): 1, v(1): -1}},
		{where: "Table I (c)", program: "sin", text: "P(x) + P(x + π) = 0", points: [][2]float64{same, at(pi)}, terms: polynomial{v(0): 1, v(1): 1}},
		{where: "Table I (f)", program: "sin", text: "P(x + π) + P(x + 2π) = 0", points: [][2]float64{at(pi), at(2 * pi)}, terms: polynomial{v(0): 1, v(1): 1}},
		{where: "Table I (g)", program: "sin", text: "P(x)² + P(π/2 − x)² − 1 = 0", points: [][2]float64{same, {-1, pi / 2}}, terms: polynomial{v(0, 0): 1, v(1, 1): 1, "": -1}},
		{where: "Table I (i)", program: "sin", text: "P(x) + P(x + 2) − 2.05 < 0", points: [][2]float64{same, at(2)}, terms: polynomial{v(0): 1, v(1): 1, "": -2.05}, atMost: true},
		{where: "Table I (j)", program: "sin", text: "P(x) + P(x + 2) − 3 < 0", points: [][2]float64{same, at(2)}, terms: polynomial{v(0): 1, v(1): 1, "": -3}, atMost: true},
		{where: "Table I (m)", program: "sin", text: "P(x) + P(x − 3) + 2.05 > 0", points: [][2]float64{same, at(-3)}, terms: polynomial{v(0): -1, v(1): -1, "": -2.05}, atMost: true},
		{where: "Table I (n)", program: "sin", text: "P(x) + P(x − 3) + 2.3 > 0", points: [][2]float64{same, at(-3)}, terms: polynomial{v(0): -1, v(1): -1, "": -2.3}, atMost: true},
		{where: "Table I (o)", program: "sin", text: "P(2x) − 2 P(x) P(π/2 − x) = 0", points: [][2]float64{same, {2, 0}, {-1, pi / 2}}, terms: polynomial{v(1): 1, v(0, 2): -2}},
		{where: "Table I (p)", program: "sin", text: "P(3x) − 3 P(x) + 4 P(x)³ = 0", points: [][2]float64{same, {3, 0}}, terms: polynomial{v(1): 1, v(0): -3, v(0, 0, 0): 4}},

		{where: "section I", program: "sin", text: "P(x) + P(−x) = 0", points: [][2]float64{same, {-1, 0}}, terms: polynomial{v(0): 1, v(1): 1}},
		{where: "Table III, II", program: "cos", text: "P(2x − π) + 2 P(x)² − 1 = 0", points: [][2]float64{same, {2, -pi}}, terms: polynomial{v(1): 1, v(0, 0): 2, "": -1}},
		{where: "Table III, VII", program: "cos", text: "1.35 P(x) + 1.49 P(1.37x + 6.97) − 4.45 < 0", points: [][2]float64{same, {1.37, 6.97}}, terms: polynomial{v(0): 1.35, v(1): 1.49, "": -4.45}, atMost: true},
		{where: "section II", program: "exp", text: "P(x + 1) − P(x) > 0", points: [][2]float64{same, at(1)}, terms: polynomial{v(0): 1, v(1): -1}, atMost: true},
		{where: "section III-D", program: "log", text: "x′ > x ⇒ P(x′) − P(x) > 0", points: [][2]float64{same, same}, gap: true, terms: polynomial{v(0): 1, v(1): -1}, atMost: true},
		{where: "section III-D", program: "log", text: "x′ > x + 2 ⇒ P(x′) − P(x) + 1 > 0", points: [][2]float64{same, at(2)}, gap: true, terms: polynomial{v(0): 1, v(1): -1, "": -1}, atMost: true},
	}
}

// claim is the law at x; a gap is opened by a random step.
func (l law) claim(x float64, random *rand.Rand) claim {
	c := claim{outputs: 1, polynomial: l.terms, atMost: l.atMost}
	for _, p := range l.points {
		c.points = append(c.points, []float64{p[0]*x + p[1]})
	}
	if l.gap {
		c.points[1][0] += 5 * random.Float64()
	}
	return c
}

// places is at how many x a law is looked at.
const places = 4

// holdsBy reports whether a law follows from relations, at a few x of the domain
// of inference.
func (l law) holdsBy(relations []automr.Relation) bool {
	random := rand.New(rand.NewSource(3))
	for range places {
		c := l.claim(1+8*random.Float64(), random)
		if !l.atMost {
			if !implies(relations, c) {
				return false
			}
		} else if !bounded(relations, c) {
			return false
		}
	}
	return true
}

// foundLaw is one law and whether some relations imply it.
type foundLaw struct {
	law
	found bool
	alone string // notation of one relation that implies it by itself, if there is one
}

// lawsOf looks for the laws of one program.
func (e *evaluation) lawsOf(ctx context.Context, name string) ([]foundLaw, error) {
	inf, err := e.inferredBy(ctx, named([]string{name})[0], automr.NullSpace)
	if err != nil {
		return nil, err
	}
	var out []foundLaw
	for _, l := range laws() {
		if l.program != name {
			continue
		}
		f := foundLaw{law: l, found: l.holdsBy(inf.result.Relations)}
		for _, r := range inf.result.Relations {
			if f.found && f.alone == "" && l.holdsBy([]automr.Relation{r}) {
				f.alone = r.Notation("P", inf.subject.Params)
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// bounded reports whether a linear inequality between the outputs at two points
// follows from inequalities about these points: whether what they leave of the
// plane of both outputs lies on the claim's side.
func bounded(relations []automr.Relation, c claim) bool {
	const far = 1e4
	plane := [][2]float64{{-far, -far}, {far, -far}, {far, far}, {-far, far}}
	random := rand.New(rand.NewSource(5))
	for _, r := range relations {
		if r.OutputDegree != 1 || r.Outputs != 1 || r.Groups() > 2 {
			continue
		}
		for _, group := range groupsAmong(r, c.points, random) {
			f := (&theory{points: c.points}).place(claimAt(r, group))
			plane = cut(plane, f)
			if r.OutputOp == automr.Equal {
				opposite := polynomial{}
				opposite.plus(-1, f)
				plane = cut(plane, opposite)
			}
		}
	}
	for _, corner := range plane {
		if side(c.polynomial, corner) > 1e-6 {
			return false
		}
	}
	return len(plane) > 0
}

// groupsAmong are the groups of a relation that consist of some of the points.
func groupsAmong(r automr.Relation, points [][]float64, random *rand.Rand) [][][]float64 {
	var out [][][]float64
	for i, p := range points {
		if r.Groups() == 1 {
			if _, ok := claimOf(r, p, random); ok {
				out = append(out, [][]float64{p})
			}
			continue
		}
		for j, q := range points {
			if i == j {
				continue
			}
			switch r.InputOp {
			case automr.Equal:
				if c, ok := claimOf(r, p, random); ok && (&theory{points: [][]float64{q}}).find(c.points[1]) == 0 {
					out = append(out, [][]float64{p, q})
				}
			default:
				// Whether the inputs are related so is asked of the relation
				// itself, with any outputs.
				if _, related := r.Holds([][]float64{p, q}, [][]float64{{0}, {0}}); related {
					out = append(out, [][]float64{p, q})
				}
			}
		}
	}
	return out
}

// side is the value of a linear polynomial of the outputs at two points.
func side(f polynomial, at [2]float64) float64 {
	return f[""] + f["\x00"]*at[0] + f["\x01"]*at[1]
}

// rounding of corners of the plane.
const rounding = 1e-7

// cut leaves of a convex polygon where f ≤ 0.
func cut(polygon [][2]float64, f polynomial) [][2]float64 {
	var out [][2]float64
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		sa, sb := side(f, a), side(f, b)
		if sa <= rounding {
			out = append(out, a)
		}
		if sa < -rounding && sb > rounding || sa > rounding && sb < -rounding {
			t := sa / (sa - sb)
			out = append(out, [2]float64{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])})
		}
	}
	return out
}

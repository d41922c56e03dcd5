package automr

import (
	"context"
	"math"
	"math/rand"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// claim is a law, or a relation, at one group of inputs: a polynomial of the
// outputs at these points that is 0, or at most 0.
type claim struct {
	points  [][]float64
	outputs int
	// polynomial has variable i·outputs+o for output o at point i.
	polynomial polynomial
	atMost     bool // ≤ 0, else = 0
}

// claimOf is what a relation says about the group of a source; ok is false if
// it says nothing there.
func claimOf(r automr.Relation, source []float64, random *rand.Rand) (claim, bool) {
	follow := r.FollowUps(source, random)
	if follow == nil {
		return claim{}, false
	}
	return claimAt(r, append([][]float64{source}, follow...)), true
}

func claimAt(r automr.Relation, points [][]float64) claim {
	c := claim{points: points, outputs: r.Outputs, polynomial: polynomial{}, atMost: r.OutputOp != automr.Equal}
	for i, m := range monomials(r.Groups()*r.Outputs, r.OutputDegree) {
		if r.B[i] != 0 {
			c.polynomial[m] += r.B[i]
		}
	}
	return c
}

// monomials in the order of automr.Relation.B: by degree, within a degree
// lexicographically.
func monomials(variables, degree int) []string {
	all := []string{""}
	level := []string{""}
	for range degree {
		var next []string
		for _, m := range level {
			first := 0
			if m != "" {
				first = int(m[len(m)-1])
			}
			for v := first; v < variables; v++ {
				next = append(next, m+string([]byte{byte(v)}))
			}
		}
		all = append(all, next...)
		level = next
	}
	return all
}

// theory is equalities from which claims may follow. It looks at the values of
// the function at finitely many points: those of the claim, and those that the
// relations lead to from there.
type theory struct {
	relations []automr.Relation
	points    [][]float64
	random    *rand.Rand
}

const (
	maxPoints = 60
	maxFree   = 9 // variables after the linear relations are used up
	depth     = 3 // degree up to which consequences are multiplied out
)

// implies reports whether an equality follows from the relations at the points
// that are looked at: whether its polynomial is a combination, with
// coefficients of small degree, of theirs. No is not proof that it does not
// follow.
func implies(relations []automr.Relation, c claim) bool {
	t := &theory{relations: relations, points: slices.Clone(c.points), random: rand.New(rand.NewSource(1))}
	linear := func(r automr.Relation) bool { return r.OutputDegree == 1 }
	t.grow(linear, 2, maxPoints)
	t.grow(func(r automr.Relation) bool { return !linear(r) }, 1, min(len(t.points)+8, maxPoints))
	t.grow(linear, 1, maxPoints)
	if len(t.points)*c.outputs > 250 {
		return false
	}
	facts := t.facts()
	// Linear facts first: they express outputs by others.
	echelon := span{}
	for _, f := range facts {
		if f.degree() == 1 {
			echelon.add(f)
		}
	}
	by := map[byte]polynomial{}
	for lead := range echelon {
		if lead == "" {
			return true // the relations contradict each other
		}
		by[lead[0]] = echelon.reduce(polynomial{lead: 1})
	}
	goal := c.polynomial.substitute(by)
	goal.trim(c.polynomial.norm())
	if len(goal) == 0 {
		return true
	}
	return follows(goal, facts, by)
}

// follows reports whether a relation follows from others; it multiplies out what
// is not linear.
func follows(goal polynomial, facts []polynomial, by map[byte]polynomial) bool {
	free := map[byte]bool{}
	var rest []polynomial
	mention := func(p polynomial) int {
		n := 0
		seen := map[byte]bool{}
		for m := range p {
			for _, v := range []byte(m) {
				if !free[v] && !seen[v] {
					seen[v] = true
					n++
				}
			}
		}
		return n
	}
	take := func(p polynomial) {
		for m := range p {
			for _, v := range []byte(m) {
				free[v] = true
			}
		}
	}
	take(goal)
	for _, f := range facts {
		if f.degree() > 1 {
			g := f.substitute(by)
			g.trim(f.norm())
			if len(g) > 0 {
				rest = append(rest, g)
			}
		}
	}
	s := span{}
	limit := max(depth, goal.degree())
	// Facts about variables that are there already come before those that bring
	// in new ones.
	for len(rest) > 0 {
		i := 0
		for j := range rest {
			if mention(rest[j]) < mention(rest[i]) {
				i = j
			}
		}
		f := rest[i]
		rest = slices.Delete(rest, i, i+1)
		if len(free)+mention(f) > maxFree {
			break
		}
		take(f)
		var variables []byte
		for v := range free {
			variables = append(variables, v)
		}
		slices.Sort(variables)
		for _, m := range multipliers(variables, limit-f.degree()) {
			s.add(f.times(polynomial{m: 1}))
		}
		if len(s.reduce(goal)) == 0 {
			return true
		}
	}
	return false
}

// multipliers are the monomials of some variables up to a degree.
func multipliers(variables []byte, degree int) []string {
	if degree < 0 {
		return nil
	}
	var out []string
	for _, m := range monomials(len(variables), degree) {
		b := []byte(m)
		for i := range b {
			b[i] = variables[b[i]]
		}
		out = append(out, string(b))
	}
	return out
}

// find returns the index of a point, -1 if the theory does not have it.
func (t *theory) find(x []float64) int {
	return slices.IndexFunc(t.points, func(p []float64) bool {
		for i := range p {
			if math.Abs(p[i]-x[i]) > 1e-9*(1+math.Abs(p[i])) {
				return false
			}
		}
		return true
	})
}

// grow adds points to which relations lead from those that are there; of
// several unknown points of a group at most one.
func (t *theory) grow(wanted func(automr.Relation) bool, rounds, most int) {
	for range rounds {
		for _, p := range slices.Clone(t.points) {
			for _, r := range t.relations {
				if !wanted(r) {
					continue
				}
				for _, g := range t.groups(r, p) {
					var missing [][]float64
					for _, q := range g {
						if t.find(q) < 0 {
							missing = append(missing, q)
						}
					}
					if len(missing) == 1 && len(t.points) < most {
						t.points = append(t.points, missing[0])
					}
				}
			}
		}
	}
}

// groups of a relation that have a point in them, in any role that can be
// traced back to a source.
func (t *theory) groups(r automr.Relation, p []float64) [][][]float64 {
	if r.InputOp != automr.Equal {
		return nil
	}
	var out [][][]float64
	for role := range r.Groups() {
		source := p
		if role > 0 {
			if source = traceBack(r, role, p); source == nil {
				continue
			}
		}
		if c, ok := claimOf(r, source, t.random); ok {
			out = append(out, c.points)
		}
	}
	return out
}

// traceBack solves i(j) = A u for the source, where that is linear.
func traceBack(r automr.Relation, role int, p []float64) []float64 {
	a := r.A[role-1]
	n := r.Inputs
	m := mat.NewDense(n, n, nil)
	right := mat.NewVecDense(n, nil)
	for i, row := range a {
		for j, c := range row {
			if j > n && c != 0 {
				return nil
			}
			if j >= 1 && j <= n {
				m.Set(i, j-1, c)
			}
		}
		right.SetVec(i, p[i]-row[0])
	}
	if math.Abs(mat.Det(m)) < 1e-9 {
		return nil
	}
	var x mat.VecDense
	if err := x.SolveVec(m, right); err != nil {
		return nil
	}
	return slices.Clone(x.RawVector().Data)
}

// facts are what the relations say about the points that are there.
func (t *theory) facts() []polynomial {
	var out []polynomial
	for _, r := range t.relations {
		if r.OutputOp != automr.Equal {
			continue
		}
		for _, p := range t.points {
			for _, g := range t.groups(r, p) {
				if f := t.place(claimAt(r, g)); f != nil {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// place writes a claim in the theory's variables; nil if a point is unknown.
func (t *theory) place(c claim) polynomial {
	at := make([]int, len(c.points))
	for i, p := range c.points {
		if at[i] = t.find(p); at[i] < 0 {
			return nil
		}
	}
	f := polynomial{}
	for m, coefficient := range c.polynomial {
		b := []byte(m)
		for i, v := range b {
			b[i] = byte(at[int(v)/c.outputs]*c.outputs + int(v)%c.outputs)
		}
		slices.Sort(b)
		f[string(b)] += coefficient
	}
	return f
}

// redundant counts the equalities that follow from the others, each taken away
// once it is found to, the most complicated first.
func redundant(ctx context.Context, s automr.Program, relations []automr.Relation) (int, error) {
	left := slices.DeleteFunc(slices.Clone(relations), func(r automr.Relation) bool {
		return r.OutputOp != automr.Equal || r.InputOp != automr.Equal
	})
	n := 0
	for i := len(left) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		others := slices.Delete(slices.Clone(left), i, i+1)
		if followsEverywhere(s, left[i], others) {
			left = others
			n++
		}
	}
	return n, nil
}

// followsEverywhere reports whether a relation follows at a few sources.
func followsEverywhere(s automr.Program, r automr.Relation, others []automr.Relation) bool {
	random := rand.New(rand.NewSource(7))
	tried := 0
	for range 40 {
		source := make([]float64, s.In)
		for i, d := range s.Domain {
			source[i] = d.Min + (d.Max-d.Min)*random.Float64()
			if s.Integer != nil && s.Integer[i] {
				source[i] = math.Round(source[i])
			}
		}
		c, ok := claimOf(r, source, random)
		if !ok {
			continue
		}
		if !implies(others, c) {
			return false
		}
		if tried++; tried == 2 {
			return true
		}
	}
	return false
}

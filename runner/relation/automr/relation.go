package automr

import (
	"math"
	"math/rand"
)

// An Op compares one side with the other.
type Op string

const (
	Equal   Op = "="
	Greater Op = ">"  // of input relations: i(2) > A u in every element
	Less    Op = "<"  // of input relations
	AtMost  Op = "<=" // of output relations: B v ≤ 0
)

// A Relation is a polynomial metamorphic relation (section III-A of the paper)
// of h inputs: if i(j) = A(j)u, or > or <, for j = 2 … h, where u are the
// monomials of the elements of i(1) up to InputDegree, then B v = 0, or ≤ 0,
// where v are the monomials of the elements of o(1) … o(h) up to OutputDegree.
// Monomials are ordered by degree from the constant upwards, within a degree
// lexicographically by their variables: 1, a, b, a², ab, b².
type Relation struct {
	Type         Type          `json:"type"`
	Inputs       int           `json:"inputs"`  // n, elements of an input
	Outputs      int           `json:"outputs"` // m
	InputOp      Op            `json:"input_op"`
	InputDegree  int           `json:"input_degree"` // k
	A            [][][]float64 `json:"a,omitempty"`  // h−1 matrices of n rows
	OutputOp     Op            `json:"output_op"`
	OutputDegree int           `json:"output_degree"` // l
	B            []float64     `json:"b"`
	// Tolerance is relative to the magnitude of the terms: B v = 0 is held to
	// be true if |Σ bᵢvᵢ| ≤ Tolerance · (Σ |bᵢvᵢ| + Floor), and B v ≤ 0 if
	// Σ bᵢvᵢ ≤ the same.
	Tolerance float64 `json:"tolerance"`
	// Floor is a magnitude of terms below which differences are rounding of the
	// inputs: sin(10⁻¹² + 2π) has no twelve digits.
	Floor float64 `json:"floor"`
	// Absolute is added to what Tolerance allows; only relations of the paper's
	// method have it.
	Absolute float64 `json:"absolute,omitempty"`
	// Largest bounds the magnitude of outputs about which the relation says
	// something: beyond it, close to a pole, the rounding of a follow-up input
	// alone changes outputs more than Tolerance. 0: no bound.
	Largest float64 `json:"largest,omitempty"`
	// Region is where source inputs may be: where the relation was validated.
	Region []Interval `json:"region"`
	// Defined is where every group had all its outputs, so that a missing one
	// (NaN, infinity, panic) breaks the relation; elsewhere the relation then
	// says nothing. nil: nowhere.
	Defined []Interval `json:"defined,omitempty"`
	Integer []bool     `json:"integer"` // input elements that are whole numbers
	// Rounding says of an equality that beyond the bounds of Region that are 100 or
	// more, up to a million, no group failed by more than rounding.
	Rounding bool `json:"rounding,omitempty"`
	// Subnormal says that the relation also held for subnormal inputs. A program
	// that is careless about those still has its laws.
	Subnormal bool `json:"subnormal,omitempty"`
}

// Groups is h, the number of inputs of a metamorphic group.
func (r Relation) Groups() int { return 1 + len(r.A) }

// Holds reports whether a group's outputs are related as the relation has it, in
// and out having h rows, the source first. It is not applicable if the inputs
// are none of the relation's, or if outputs are missing (a nil row, NaN or
// infinite) where the relation does not promise them. B v that overflows is not
// applicable.
func (r Relation) Holds(in, out [][]float64) (holds, applicable bool) {
	if len(in) != r.Groups() || len(out) != r.Groups() || !r.related(in) {
		return false, false
	}
	var o []float64
	for _, row := range out {
		if len(row) != r.Outputs || !finite(row) {
			return false, r.Defined != nil && inside(r.Defined, in[0])
		}
		o = append(o, row...)
	}
	if r.Largest > 0 && exceeds(o, r.Largest) {
		return false, false
	}
	sum, magnitude := polynomial(r.B, r.outputMonomials(), o)
	if math.IsInf(magnitude, 0) || math.IsNaN(magnitude) || math.IsNaN(sum) {
		return false, false
	}
	if r.OutputOp == Equal {
		sum = math.Abs(sum)
	}
	return sum <= r.Tolerance*(magnitude+r.Floor)+r.Absolute, true
}

func (r Relation) outputMonomials() [][]int {
	return monomials(r.Groups()*r.Outputs, r.OutputDegree)
}

// related reports whether the source is in the region and the follow-up inputs are
// related to it.
func (r Relation) related(in [][]float64) bool {
	for _, row := range in {
		if len(row) != r.Inputs || !finite(row) {
			return false
		}
	}
	if !inside(r.Region, in[0]) {
		return false
	}
	if r.InputOp == Equal {
		return true
	}
	for j, a := range r.A {
		bound := r.mapping(a).apply(in[0])
		for i, x := range in[j+1] {
			if !r.Region[i].contains(x) || r.InputOp == Greater && !(x > bound[i]) || r.InputOp == Less && !(x < bound[i]) {
				return false
			}
		}
	}
	return true
}

func (r Relation) mapping(a [][]float64) mapping {
	return mapping{n: r.Inputs, degree: r.InputDegree, a: a, u: monomials(r.Inputs, r.InputDegree)}
}

// FollowUps makes the other h−1 inputs of the group of a source; nil if the
// source, or what it leads to, is out of domain. Random numbers are only used
// where the input relation is an inequality (ε of equation 5).
func (r Relation) FollowUps(source []float64, rnd *rand.Rand) [][]float64 {
	if len(source) != r.Inputs || !finite(source) || !inside(r.Region, source) {
		return nil
	}
	follow := make([][]float64, 0, len(r.A))
	for _, a := range r.A {
		x := r.mapping(a).apply(source)
		if r.InputOp != Equal && !r.beyond(x, rnd) {
			return nil
		}
		if !finite(x) || !whole(x, r.Integer) {
			return nil
		}
		follow = append(follow, x)
	}
	return follow
}

// beyond moves x into what is greater or less than it in every element, within
// the region, and reports whether there is room: mostly by a little, as most
// mistakes are seen at small distances.
func (r Relation) beyond(x []float64, rnd *rand.Rand) bool {
	for i := range x {
		room := r.Region[i].Max - x[i]
		if r.InputOp == Less {
			room = x[i] - r.Region[i].Min
		}
		if !(room > 0) {
			return false
		}
		step := gap(room, r.Integer[i], rnd)
		if r.InputOp == Less {
			step = -step
		}
		x[i] += step
		if !r.Region[i].contains(x[i]) {
			return false
		}
	}
	return true
}

// gap is ε: log-uniform from a millionth to all of the room.
func gap(room float64, whole bool, rnd *rand.Rand) float64 {
	g := math.Min(room, math.Min(room, 40)*math.Pow(10, -6*rnd.Float64()))
	switch rnd.Intn(8) {
	case 0, 1:
		g = room * rnd.Float64()
	case 2:
		g = room
	}
	if whole {
		return math.Max(1, math.Floor(g))
	}
	return g
}

// Sources makes n source inputs that suit the relation: from the domain of the
// program, from all magnitudes of the region, and boundaries. The program is not
// run and needs no Eval. There are none, nil, only if p is not what the relation
// was inferred of: its number of input elements differs, or Infer would refuse its
// domain.
func (r Relation) Sources(p Program, seed int64, n int) [][]float64 {
	p, err := p.withDefaults()
	if err != nil || p.In != r.Inputs {
		return nil
	}
	rnd := rand.New(rand.NewSource(seed))
	sources := make([][]float64, 0, n)
	for range n {
		x := sourceInput(p, r.Region, rnd)
		if r.Subnormal && rnd.Intn(40) == 0 {
			if tiny := subnormal(rnd); r.Region[0].contains(tiny) {
				x = []float64{tiny}
			}
		}
		sources = append(sources, x)
	}
	return sources
}

func finite(row []float64) bool {
	for _, x := range row {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return len(row) > 0
}

func exceeds(row []float64, largest float64) bool {
	for _, x := range row {
		if math.Abs(x) > largest {
			return true
		}
	}
	return false
}

func inside(region []Interval, x []float64) bool {
	for i, b := range region {
		if !b.contains(x[i]) {
			return false
		}
	}
	return true
}

// whole reports whether the elements that have to be whole numbers are, and are
// small enough to be told apart.
func whole(x []float64, integer []bool) bool {
	for i, v := range x {
		if integer[i] && (v != math.Trunc(v) || math.Abs(v) > 1<<53) {
			return false
		}
	}
	return true
}

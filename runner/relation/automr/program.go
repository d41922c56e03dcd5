package automr

import (
	"context"
	"fmt"
	"math"
)

// A Program is what relations are inferred of: P(i) = o for inputs of In and
// outputs of Out elements.
type Program struct {
	Name   string
	Params []string // one name for each input element, for notation
	In     int      // n of the paper
	Out    int      // m
	// Integer says of each input element that it can only be a whole number;
	// nil: of none.
	Integer []bool
	// Domain bounds each input element; nil: the paper's 0 to 20. Validation
	// also tries inputs outside, as far as the program has outputs there.
	Domain []Interval
	// Points are numbers at which the program may have a case of its own, as its
	// constants; nil: none are known.
	Points []float64
	// Eval runs the program on a batch of inputs and returns one row for each. A
	// row that is nil or holds a NaN or an infinity says that there is no output
	// for that input. An error says that the program cannot be run any more, and
	// ends the inference.
	Eval func(ctx context.Context, in [][]float64) (out [][]float64, err error)
}

// An Interval is closed.
type Interval struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

func (i Interval) contains(x float64) bool { return i.Min <= x && x <= i.Max }

// Type is one of the eight kinds of Table III of the paper, told apart by the
// operators on both sides, the number of inputs h and the degree of the output
// relation l. A relation of one output alone (h = 1) counts with those of two.
type Type int

const (
	TypeI    Type = 1 + iota // equality, equality, h ≤ 2, l = 1
	TypeII                   // equality, equality, h ≤ 2, l = 2
	TypeIII                  // equality, equality, h ≤ 2, l = 3
	TypeIV                   // equality, equality, h = 3, l = 1
	TypeV                    // equality, equality, h = 3, l = 2
	TypeVI                   // inequality, equality
	TypeVII                  // equality, inequality
	TypeVIII                 // inequality, inequality
)

// AllTypes are the types in the order of Table III.
var AllTypes = []Type{TypeI, TypeII, TypeIII, TypeIV, TypeV, TypeVI, TypeVII, TypeVIII}

func (t Type) String() string {
	names := []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII"}
	if t < TypeI || t > TypeVIII {
		return fmt.Sprintf("Type(%d)", int(t))
	}
	return names[t-1]
}

// Equality reports whether the output relation is an equality.
func (t Type) Equality() bool { return t <= TypeVI }

// Methods of inference.
const (
	NullSpace = "null-space" // search A, read B off the null space
	Paper     = "paper"      // search A and B by the paper's cost function
)

// Options are how relations are searched. The zero value is the default.
type Options struct {
	Seed   int64
	Method string // NullSpace (default) or Paper
	Types  []Type // nil: all
	// Tolerance is the relative one of equalities (see Relation.Tolerance);
	// 0: 1e-9 for NullSpace, the paper's 0.05 for Paper.
	Tolerance float64
	// Inputs is how many random inputs a candidate is validated on in each
	// region of the input space; 0: 600. The paper repeats 100 inputs 100 times.
	Inputs int
	// Runs is the number of particle swarms of each type for Paper; 0: 12. The
	// paper has 500.
	Runs int
	// Iterations of a swarm; 0: 350 for Paper, 24 for NullSpace, which only
	// searches shifts.
	Iterations int
	Particles  int // of a swarm; 0: 20
	// Solver is the path of an SMT solver (z3 or cvc5) that decides about the
	// implication of inequalities that are not linear; "": they are kept.
	Solver string
}

func (o Options) withDefaults() (Options, error) {
	switch o.Method {
	case "":
		o.Method = NullSpace
	case NullSpace, Paper:
	default:
		return o, fmt.Errorf("automr: method %q is unknown; use %q or %q", o.Method, NullSpace, Paper)
	}
	if o.Types == nil {
		o.Types = AllTypes
	}
	for _, t := range o.Types {
		if t < TypeI || t > TypeVIII {
			return o, fmt.Errorf("automr: there is no type %d of relations; types are 1 to 8", int(t))
		}
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-9
		if o.Method == Paper {
			o.Tolerance = 0.05
		}
	}
	if !(o.Tolerance > 0 && o.Tolerance < 1) {
		return o, fmt.Errorf("automr: tolerance %v is not between 0 and 1", o.Tolerance)
	}
	if o.Inputs <= 0 {
		o.Inputs = 600
	}
	if o.Runs <= 0 {
		o.Runs = 12
	}
	if o.Particles <= 0 {
		o.Particles = 20
	}
	if o.Iterations <= 0 {
		o.Iterations = 24
		if o.Method == Paper {
			o.Iterations = 350
		}
	}
	return o, nil
}

func (o Options) wants(t Type) bool {
	for _, w := range o.Types {
		if w == t {
			return true
		}
	}
	return false
}

func (p Program) withDefaults() (Program, error) {
	if p.In < 1 || p.Out < 1 {
		return p, fmt.Errorf("automr: %s has %d input and %d output elements; relations need at least one of each", p.Name, p.In, p.Out)
	}
	if p.Domain == nil {
		p.Domain = make([]Interval, p.In)
		for i := range p.Domain {
			p.Domain[i] = Interval{0, 20}
		}
	}
	if p.Integer == nil {
		p.Integer = make([]bool, p.In)
	}
	if p.Params == nil {
		p.Params = defaultParams(p.In)
	}
	if len(p.Domain) != p.In || len(p.Integer) != p.In || len(p.Params) != p.In {
		return p, fmt.Errorf("automr: %s has %d input elements, but %d domains, %d kinds, %d names", p.Name, p.In, len(p.Domain), len(p.Integer), len(p.Params))
	}
	for i, d := range p.Domain {
		if !(d.Min < d.Max) || math.IsInf(d.Min, 0) || math.IsInf(d.Max, 0) {
			return p, fmt.Errorf("automr: %s: the domain of %s is %v to %v; it has to be finite and not empty", p.Name, p.Params[i], d.Min, d.Max)
		}
	}
	return p, nil
}

func defaultParams(n int) []string {
	if n <= 3 {
		return []string{"x", "y", "z"}[:n]
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("x%d", i+1)
	}
	return names
}

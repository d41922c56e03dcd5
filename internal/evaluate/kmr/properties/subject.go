package properties

import (
	"fmt"
	"math/rand/v2"
)

// Relation is a metamorphic relation of a function from I to O.
type Relation[I, O any] struct {
	Name   string
	Output string // form of the output relation
	// Follow gives the follow-up inputs, or none where the relation does not
	// apply. It leaves the source input as it is.
	Follow func(source I, r *rand.Rand) []I
	// Holds is given source and follow-up inputs, in order, and their outputs.
	Holds func(in []I, out []O) bool
}

// Category has choices of which at most one applies to a value.
type Category[T any] struct {
	Name    string
	Choices []string
	Of      func(T) int // index of the choice; out of range if none applies
}

// Definition is all that is known of one function.
type Definition[I, O any] struct {
	Name      string // also of the file that holds the function
	Run       func(I) O
	Random    func(*rand.Rand) I
	In        []Category[I]
	Out       []Category[O]
	Relations []Relation[I, O]
}

// Subject is a Definition without its types. Inputs are named by draws: the
// same number is the same input, in all processes.
type Subject interface {
	Describe() Description
	// Input gives the input.
	Input(draw uint64) any
	// Output gives the output for an input as text.
	Output(draw uint64) string
	// Picks gives the choices that apply to an input and its output, -1 for
	// none, by category.
	Picks(draw uint64) (in, out []int)
	// Call runs the function on an input.
	Call(draw uint64)
	// Group executes the metamorphic group of an input and a relation, and
	// verifies its outputs. A panic of the function is an outcome that violates.
	Group(relation int, draw uint64) Verdict
}

// Description is what a subject is called and has.
type Description struct {
	Name      string
	In, Out   []int    // number of choices of each category
	Relations []string // names
	Forms     []string // of the output relations, for each relation
}

// Verdict is what a metamorphic group gave.
type Verdict int

// The verdicts.
const (
	Inapplicable Verdict = iota
	Held
	Violated
)

// Describe implements Subject.
func (d Definition[I, O]) Describe() Description {
	out := Description{Name: d.Name}
	for _, c := range d.In {
		out.In = append(out.In, len(c.Choices))
	}
	for _, c := range d.Out {
		out.Out = append(out.Out, len(c.Choices))
	}
	for _, r := range d.Relations {
		out.Relations = append(out.Relations, r.Name)
		out.Forms = append(out.Forms, r.Output)
	}
	return out
}

// input is the same for the same draw.
func (d Definition[I, O]) input(draw uint64) I {
	const stream = 1
	return d.Random(rand.New(rand.NewPCG(draw, stream)))
}

// Input implements Subject.
func (d Definition[I, O]) Input(draw uint64) any { return d.input(draw) }

// Output implements Subject.
func (d Definition[I, O]) Output(draw uint64) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint("panic: ", p)
		}
	}()
	return fmt.Sprintf("%+v", d.Run(d.input(draw)))
}

// Call implements Subject.
func (d Definition[I, O]) Call(draw uint64) { d.Run(d.input(draw)) }

// Picks implements Subject.
func (d Definition[I, O]) Picks(draw uint64) (in, out []int) {
	i := d.input(draw)
	return picks(d.In, i), picks(d.Out, d.Run(i))
}

func picks[T any](categories []Category[T], x T) []int {
	var out []int
	for _, c := range categories {
		n := c.Of(x)
		if n < 0 || n >= len(c.Choices) {
			n = -1
		}
		out = append(out, n)
	}
	return out
}

// Group implements Subject.
func (d Definition[I, O]) Group(relation int, draw uint64) (v Verdict) {
	r := d.Relations[relation]
	source := d.input(draw)
	follow := r.Follow(source, rand.New(rand.NewPCG(draw, uint64(relation)+2)))
	if len(follow) == 0 {
		return Inapplicable
	}
	in := append([]I{source}, follow...)
	defer func() {
		if recover() != nil {
			v = Violated
		}
	}()
	out := make([]O, len(in))
	for k, i := range in {
		out[k] = d.Run(i)
	}
	if !r.Holds(in, out) {
		return Violated
	}
	return Held
}

// one is a relation with one follow-up input, which change makes of a copy of
// the source input, unless it says that the relation does not apply.
func one[I, O any](name, output string, change func(i *I, r *rand.Rand) bool, holds func(a, b O) bool) Relation[I, O] {
	return Relation[I, O]{name, output, func(i I, r *rand.Rand) []I {
		if !change(&i, r) {
			return nil
		}
		return []I{i}
	}, func(_ []I, out []O) bool { return holds(out[0], out[1]) }}
}

// several is a relation with several follow-up inputs.
func several[I, O any](name, output string, follow func(i I, r *rand.Rand) []I, holds func(out []O) bool) Relation[I, O] {
	return Relation[I, O]{name, output, follow, func(_ []I, out []O) bool { return holds(out) }}
}

// Subjects returns all subjects.
func Subjects() []Subject {
	return []Subject{phone(), baggage(), expense(), parking(), meal()}
}

// The forms of output relations that several subjects have.
const (
	equal          = "equal"
	partEqual      = "part equal"
	notLess        = "not less"
	notMore        = "not more"
	difference     = "known difference"
	partDifference = "differs by a part"
	equalSteps     = "equal steps"
	sum            = "sum of parts"
	sumEqual       = "same sum"
	half           = "half"
	quarter        = "quarter"
	double         = "double"
	proportional   = "proportional"
)

// between is a number from low to high, both included.
func between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

// amount is zero, near one of the places where a rule changes, or anywhere up
// to most.
func amount(r *rand.Rand, most int, places ...int) int {
	switch n := r.IntN(8); {
	case n == 0:
		return 0
	case n < 4 && len(places) > 0:
		return min(max(0, places[r.IntN(len(places))]+between(r, -2, 2)), most)
	}
	return r.IntN(most + 1)
}

// band is the number of bounds that are less than x.
func band(x int, bounds ...int) int {
	n := 0
	for _, b := range bounds {
		if x > b {
			n++
		}
	}
	return n
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

package swarm

import (
	"context"
	"math/rand"
	"sort"
)

// A Result is what was inferred of a program.
type Result struct {
	// Relations are cleansed, and ordered by type, then from the simple to the
	// complicated.
	Relations []Relation
	// Found counts, for each type, the relations before cleansing.
	Found map[Type]int
	// Evaluations is how often the program was run.
	Evaluations int
	// Outputs is the part of inputs of the domain for which the program had
	// outputs; if it is small, nothing is inferred.
	Outputs float64
}

// Kept counts relations by type.
func (r Result) Kept() map[Type]int {
	kept := map[Type]int{}
	for _, rel := range r.Relations {
		kept[rel.Type]++
	}
	return kept
}

// leastOutputs is the part of inputs that need an output for anything to be
// said about a program.
const leastOutputs = 0.1

// Infer finds the relations of a program. Errors are those of ctx, of the
// program's Eval, and of options that make no sense.
func Infer(ctx context.Context, p Program, o Options) (Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Result{}, err
	}
	p, err = p.withDefaults()
	if err != nil {
		return Result{}, err
	}
	lab := &laboratory{program: p}
	rnd := rand.New(rand.NewSource(o.Seed))
	e := newEqualities(lab, newCourt(lab, o, rnd), o, rnd)
	result := Result{Found: map[Type]int{}}
	base, err := lab.outputs(ctx, e.sample, identity(p.In))
	if err != nil {
		return Result{}, err
	}
	for _, row := range base {
		if row != nil {
			result.Outputs += 1 / float64(len(base))
		}
	}
	if result.Outputs < leastOutputs {
		result.Evaluations = lab.evaluations
		return result, nil
	}
	if err := e.run(ctx); err != nil {
		return Result{}, err
	}
	for _, l := range e.laws {
		result.Relations = append(result.Relations, l.relation(p))
	}
	for t, n := range e.found {
		result.Found[t] += n
	}
	sort.SliceStable(result.Relations, func(i, j int) bool { return result.Relations[i].Type < result.Relations[j].Type })
	result.Evaluations = lab.evaluations
	return result, nil
}

package automr

import (
	"context"
	"errors"
	"math"
	"math/rand"
	"sort"
)

// A Result is what was inferred of a program.
type Result struct {
	// Relations are cleansed, and ordered by type, then from the simple to the
	// complicated.
	Relations []Relation
	// Omitted counts relations that survived cleansing, but are more complicated
	// than the thirty of their type that are kept.
	Omitted int
	// Found counts, for each type, the relations before cleansing. With NullSpace
	// those that follow from kept ones are counted without being validated one
	// by one, and groups of three inputs only up to a few hundred.
	Found map[Type]int
	// Evaluations is how often the program was run.
	Evaluations int
	// Outputs is the part of inputs of the domain for which the program had
	// outputs; if it is small, nothing is inferred.
	Outputs float64
}

// minOutputs is the part of inputs that need an output for anything to be
// said about a program.
const minOutputs = 0.1

// Infer finds the relations of a program. Errors are those of ctx, of the
// program's Eval, and of options that make no sense. The same program, options
// and seed give the same result.
func Infer(ctx context.Context, p Program, o Options) (Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Result{}, err
	}
	p, err = p.withDefaults()
	if err != nil {
		return Result{}, err
	}
	if p.Eval == nil {
		return Result{}, errors.New("automr: the program has no Eval")
	}
	eval := &evaluator{program: p}
	rnd := rand.New(rand.NewSource(o.Seed))
	result := Result{Found: map[Type]int{}}
	sample := newInputs(uniform(p.Domain, p.Integer, searchRows, rnd))
	if result.Outputs, err = outputs(ctx, eval, sample); err != nil {
		return Result{}, err
	}
	if result.Outputs >= minOutputs {
		var all []Relation
		if o.Method == Paper {
			all, err = (&paperSearch{eval: eval, options: o, rnd: rnd}).run(ctx, result.Found)
		} else {
			all, err = nullSpaceSearch(ctx, eval, sample, o, rnd, result.Found)
		}
		if err != nil {
			return Result{}, err
		}
		sort.SliceStable(all, func(i, j int) bool { return all[i].Type < all[j].Type })
		if all, err = cleanse(ctx, all, o.Method == NullSpace, o.Solver); err != nil {
			return Result{}, err
		}
		if o.Method == NullSpace {
			if all, err = confirmed(ctx, eval, all, o, rnd); err != nil {
				return Result{}, err
			}
		}
		result.Relations, result.Omitted = simplest(all)
	}
	result.Evaluations = eval.evaluations
	return result, nil
}

// outputs is the part of inputs for which there are outputs.
func outputs(ctx context.Context, eval *evaluator, sample *inputs) (float64, error) {
	base, err := eval.outputs(ctx, sample, identity(eval.program.In))
	if err != nil {
		return 0, err
	}
	there := 0
	for _, row := range base {
		if row != nil {
			there++
		}
	}
	return float64(there) / float64(len(base)), nil
}

func nullSpaceSearch(ctx context.Context, eval *evaluator, sample *inputs, o Options, rnd *rand.Rand, found map[Type]int) ([]Relation, error) {
	e := newEqualities(eval, sample, newValidator(eval, o, rnd), o, rnd)
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	var all []Relation
	for _, l := range generators(e.laws, eval.program) {
		all = append(all, l.relation(eval.program))
	}
	for t, n := range e.found {
		found[t] += n
	}
	if e.constant {
		return all, nil
	}
	q := &inequalities{eval: eval, validator: e.validator, options: o, rnd: rnd, found: found, words: e.words}
	more, err := q.search(ctx)
	return append(all, more...), err
}

// confirmed validates what is kept once more, on inputs that nothing has seen. An
// equality that fails close to a pole or far away is amended if that helps; one
// that fails among everyday inputs is none.
func confirmed(ctx context.Context, eval *evaluator, all []Relation, o Options, rnd *rand.Rand) ([]Relation, error) {
	p := eval.program
	var kept []Relation
	for _, r := range all {
		n := 2 * o.Inputs
		if r.OutputOp == Equal && r.InputOp == Equal {
			if ok, err := eval.survives(ctx, r, trialInputs, rnd); err != nil || !ok {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		for _, amended := range amendments(r) {
			sources := trials(p, amended.Region, trialInputs, rnd)
			for range n {
				sources = append(sources, sourceInput(p, amended.Region, rnd), sourceInput(p, amended.Printed().Region, rnd))
			}
			sources = append(sources, amended.aimed(p, aimedInputs, rnd)...)
			_, results, err := eval.groupsOf(ctx, amended, sources, rnd)
			if err != nil {
				return nil, err
			}
			if r.OutputOp == Equal && r.InputOp == Equal {
				refuted, err := eval.refuted(ctx, amended, results)
				if err != nil {
					return nil, err
				}
				if refuted {
					break // what fails by more than rounding does not hold for being looked at less
				}
			}
			if amended.InputOp != Equal {
				ends, err := eval.cornerGroups(ctx, amended, rnd)
				if err != nil {
					return nil, err
				}
				results = append(results, ends.results...)
			}
			if applied, broken := count(results); broken == 0 && applied > 0 {
				if amended.Subnormal, err = eval.holdsForSubnormals(ctx, amended, rnd); err != nil {
					return nil, err
				}
				if amended.Rounding, err = eval.boundByRounding(ctx, amended, rnd); err != nil {
					return nil, err
				}
				kept = append(kept, amended)
				break
			}
		}
	}
	return kept, nil
}

// boundByRounding reports whether an equality fails beyond its region for rounding at
// most, as far as its notation takes for everything.
func (e *evaluator) boundByRounding(ctx context.Context, r Relation, rnd *rand.Rand) (bool, error) {
	if r.OutputOp != Equal || r.InputOp != Equal {
		return false, nil
	}
	wide := r
	wide.Region = make([]Interval, len(r.Region))
	for i, b := range r.Region {
		wide.Region[i] = b
		if b.Min <= -unsaidRounding {
			wide.Region[i].Min = math.Min(b.Min, -unsaid)
		}
		if b.Max >= unsaidRounding {
			wide.Region[i].Max = math.Max(b.Max, unsaid)
		}
	}
	if sameRegions(wide.Region, r.Region) {
		return false, nil
	}
	sources := trials(e.program, wide.Region, trialInputs, rnd)
	for i := range sources {
		for j, b := range wide.Region {
			if i%2 == 0 {
				sources[i][j] = settle(magnitude(Interval{math.Max(b.Min, -unsaid), math.Min(b.Max, unsaid)}, rnd), b, e.program.Integer[j])
			}
		}
	}
	_, results, err := e.groupsOf(ctx, wide, sources, rnd)
	if err != nil {
		return false, err
	}
	refuted, err := e.refuted(ctx, wide, results)
	return !refuted, err
}

// holdsForSubnormals of programs of one element.
func (e *evaluator) holdsForSubnormals(ctx context.Context, r Relation, rnd *rand.Rand) (bool, error) {
	if r.Inputs != 1 || r.Integer[0] {
		return false, nil
	}
	var sources [][]float64
	for range 200 {
		if x := subnormal(rnd); r.Region[0].contains(x) {
			sources = append(sources, []float64{x})
		}
	}
	_, results, err := e.groupsOf(ctx, r, sources, rnd)
	applied, broken := count(results)
	return applied > 0 && broken == 0, err
}

// amendments of an equality are itself; with a bound of outputs; and with a
// smaller region too, for what rounding breaks farther away. Of an inequality, itself.
func amendments(r Relation) []Relation {
	all := []Relation{r}
	if r.OutputOp != Equal || r.InputOp != Equal {
		return all
	}
	if r.Largest == 0 && r.Floor > 0 {
		r.Largest = roundUp(1e6 * r.Floor)
		all = append(all, r)
	}
	near := make([]Interval, len(r.Region))
	for i, b := range r.Region {
		near[i] = Interval{math.Max(b.Min, -100), math.Min(b.Max, 100)}
		if near[i].Min >= near[i].Max {
			return all
		}
	}
	if r.Defined != nil && sameRegions(r.Defined, r.Region) {
		r.Defined = near
	}
	r.Region = near
	return append(all, r)
}

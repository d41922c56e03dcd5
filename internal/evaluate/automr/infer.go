package automr

import (
	"context"
	"slices"
	"time"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// inferred is what a method found out about one program.
type inferred struct {
	program program
	subject automr.Program
	result  automr.Result
	took    time.Duration // of the inference alone, not of building the program
	// calls are the inputs that the program was run on.
	calls int
}

// kept counts the relations of the types after cleansing.
func (i inferred) kept(types ...automr.Type) int {
	n := 0
	for _, r := range i.result.Relations {
		if slices.Contains(types, r.Type) {
			n++
		}
	}
	return n
}

// found counts them before cleansing.
func (i inferred) found(types ...automr.Type) int {
	n := 0
	for _, t := range types {
		n += i.result.Found[t]
	}
	return n
}

// equalities and inequalities are the types as Table IV groups them; type VI,
// whose output relation is an equality, stands with the latter there.
func equalities() []automr.Type {
	return []automr.Type{automr.TypeI, automr.TypeII, automr.TypeIII, automr.TypeIV, automr.TypeV}
}

func inequalities() []automr.Type {
	return []automr.Type{automr.TypeVI, automr.TypeVII, automr.TypeVIII}
}

// subjectOf is the program as package automr sees it, run by a child process.
func subjectOf(p program, child *process) automr.Program {
	s := automr.Program{Name: p.name, Params: p.params, In: p.in(), Out: p.out, Points: p.points()}
	s.Integer = slices.Repeat([]bool{p.whole}, p.in())
	for _, d := range p.bounds() {
		s.Domain = append(s.Domain, automr.Interval{Min: d.min, Max: d.max})
	}
	s.Eval = func(ctx context.Context, in [][]float64) ([][]float64, error) {
		answers, err := child.eval(ctx, in)
		if err != nil {
			return nil, err
		}
		out := make([][]float64, len(in))
		for i, a := range answers {
			out[i] = a.out
		}
		return out, nil
	}
	return s
}

// infer runs one method on a program.
func (e *evaluation) infer(ctx context.Context, p program, method, solver string) (inferred, error) {
	child := e.plain.process(p.name, 0)
	defer child.close()
	out := inferred{program: p, subject: subjectOf(p, child)}
	eval := out.subject.Eval
	counted := out.subject
	counted.Eval = func(ctx context.Context, in [][]float64) ([][]float64, error) {
		out.calls += len(in)
		return eval(ctx, in)
	}
	opt := automr.Options{Seed: int64(e.opt.seed), Method: method, Runs: e.opt.runs, Solver: solver}
	began := time.Now()
	result, err := automr.Infer(ctx, counted, opt)
	out.result, out.took = result, time.Since(began)
	return out, err
}

package swarm

import (
	"context"
	"math"
	"testing"
	"time"
)

func unary(name string, f func(float64) float64, domain ...Interval) Program {
	return Program{Name: name, In: 1, Out: 1, Domain: domain, Eval: func(_ context.Context, in [][]float64) ([][]float64, error) {
		out := make([][]float64, len(in))
		for i, x := range in {
			out[i] = []float64{f(x[0])}
		}
		return out, nil
	}}
}

func TestTry(t *testing.T) {
	for _, p := range []Program{unary("sin", math.Sin), unary("cos", math.Cos), unary("tan", math.Tan), unary("atan", math.Atan), unary("asinh", math.Asinh), unary("log1p", math.Log1p), unary("log10", math.Log10), unary("exp", math.Exp), unary("sqrt", math.Sqrt), unary("abs", math.Abs), unary("floor", math.Floor)} {
		start := time.Now()
		r, err := Infer(context.Background(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("== %s %v evals %d found %v kept %v", p.Name, time.Since(start), r.Evaluations, r.Found, r.Kept())
		for _, rel := range r.Relations {
			t.Logf("%v %s   [tol %g floor %.2g]", rel.Type, rel.Notation(p.Name, []string{"x"}), rel.Tolerance, rel.Floor)
		}
	}
}

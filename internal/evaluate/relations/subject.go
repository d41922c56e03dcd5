package relations

import (
	"context"
	_ "embed"
	"math"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/everyday"
	"github.com/isodelta/isodelta/internal/evaluate/relations/subjects"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

//go:embed subjects/subjects.go
var source []byte

// find returns a subject by name.
func find(name string) subjects.Subject {
	list := subjects.All()
	return list[slices.IndexFunc(list, func(s subjects.Subject) bool { return s.Name == name })]
}

// constants returns the numbers in a function of the subjects' file, in ascending order.
func constants(function string) ([]float64, error) { return everyday.Constants(source, function) }

// program is a subject, with or without its rare case, as package check describes
// functions to package automr: the domain reaches beyond the function's own constants.
func program(s subjects.Subject, rare bool, points []float64) automr.Program {
	p := automr.Program{Name: s.Name, Params: s.Params, In: len(s.Params), Out: 1, Points: points,
		Eval: func(ctx context.Context, in [][]float64) ([][]float64, error) {
			out := make([][]float64, len(in))
			for i, x := range in {
				if y := s.F(x, rare); !math.IsNaN(y) && !math.IsInf(y, 0) {
					out[i] = []float64{y}
				}
			}
			return out, ctx.Err()
		}}
	for range s.Params {
		p.Integer = append(p.Integer, !s.Real)
		p.Domain = append(p.Domain, everyday.Domain(points))
	}
	return p
}

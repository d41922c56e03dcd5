package relations

import (
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strconv"

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
func constants(function string) ([]float64, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "subjects.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []float64
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != function {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				return n.X.(*ast.Ident).Name != "x" // x[0] is a parameter
			case *ast.BasicLit:
				if x, err := strconv.ParseFloat(n.Value, 64); err == nil {
					out = append(out, x)
				}
			case *ast.UnaryExpr:
				if l, ok := n.X.(*ast.BasicLit); ok && n.Op == token.SUB {
					if x, err := strconv.ParseFloat(l.Value, 64); err == nil {
						out = append(out, -x)
					}
					return false
				}
			}
			return true
		})
		slices.Sort(out)
		return slices.Compact(out), nil
	}
	return nil, fmt.Errorf("the subjects' file has no function %s", function)
}

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
	low, high := 0.0, 20.0
	for _, x := range points {
		if math.Abs(x) <= 1e4 {
			low, high = math.Min(low, 1.5*x), math.Max(high, 1.5*x)
		}
	}
	for range s.Params {
		p.Integer = append(p.Integer, !s.Real)
		p.Domain = append(p.Domain, automr.Interval{Min: math.Floor(low), Max: math.Ceil(high)})
	}
	return p
}

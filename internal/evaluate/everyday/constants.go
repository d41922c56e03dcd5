package everyday

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// Constants returns the numbers in a function of a Go file, in ascending order. An
// index of a list x is none: x[0] is how a function names its first parameter.
func Constants(source []byte, function string) ([]float64, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
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
				list, ok := n.X.(*ast.Ident)
				return !ok || list.Name != "x"
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
	return nil, fmt.Errorf("the file has no function %s", function)
}

// widening is the largest constant that widens a domain.
const widening = 1e4

// Domain returns what each element of an input is searched in, as package check has
// it: the paper's 0 to 20, widened to beyond the function's own constants.
func Domain(points []float64) automr.Interval {
	low, high := 0.0, 20.0
	for _, x := range points {
		if math.Abs(x) <= widening {
			low, high = math.Min(low, 1.5*x), math.Max(high, 1.5*x)
		}
	}
	return automr.Interval{Min: math.Floor(low), Max: math.Ceil(high)}
}

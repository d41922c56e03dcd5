package surface

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

// calleesDeep is how far calls are followed to the constants of callees.
const calleesDeep = 2

// Constants returns the numbers that a function's declaration, and those of the same
// package that it calls, consist of: each once, in ascending order. It returns none for a
// place at which no function of the package is declared.
func Constants(t *load.Tree, pkg string, at load.Place) []float64 {
	p := find(t, pkg)
	if p == nil || p.Code == nil {
		return nil
	}
	declared, from := bodies(t, p, at)
	if from == nil {
		return nil
	}
	c := &constants{code: p.Code, declared: declared, deep: map[*ast.FuncDecl]int{}, numbers: map[float64]bool{}}
	c.collect(from, calleesDeep)
	var out []float64
	for n := range c.numbers {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// constants are those of functions of a package.
type constants struct {
	code     *packages.Package
	declared map[types.Object]*ast.FuncDecl
	deep     map[*ast.FuncDecl]int // calls that were followed from there, one more; 0 for none
	numbers  map[float64]bool
}

func (c *constants) collect(d *ast.FuncDecl, deep int) {
	if c.deep[d] > deep {
		return
	}
	c.deep[d] = deep + 1
	ast.Inspect(d.Body, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if v := c.code.TypesInfo.Types[e].Value; v != nil {
			c.add(v)
			return false
		}
		if id, ok := e.(*ast.Ident); ok && deep > 0 {
			f, _ := c.code.TypesInfo.Uses[id].(*types.Func)
			if f == nil {
				return true
			}
			if callee := c.declared[f.Origin()]; callee != nil {
				c.collect(callee, deep-1)
			}
		}
		return true
	})
}

func (c *constants) add(v constant.Value) {
	if v.Kind() != constant.Int && v.Kind() != constant.Float {
		return
	}
	if n, _ := constant.Float64Val(v); !math.IsInf(n, 0) {
		c.numbers[n] = true
	}
}

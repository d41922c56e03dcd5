package surface

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// maxTable bounds the numbers that are taken of one table.
const maxTable = 400

// table takes in the numbers of a package's variable that is written as a composite literal: which ranges are letters, say.
func (c *collection) table(p *packages.Package, spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		if v := p.TypesInfo.Defs[name]; i >= len(spec.Values) || v == nil || v.Parent() != p.Types.Scope() {
			continue
		}
		lit, ok := spec.Values[i].(*ast.CompositeLit)
		if !ok {
			continue
		}
		var numbers []int64
		ast.Inspect(lit, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			tv := p.TypesInfo.Types[e]
			if tv.Value == nil || tv.Value.Kind() != constant.Int {
				return tv.Value == nil
			}
			if n, ok := constant.Int64Val(tv.Value); ok {
				numbers = append(numbers, n)
			}
			return false
		})
		c.tables[name.Name] = spread(numbers, maxTable)
	}
}

// use takes in that a variable of the package is referred to.
func (c *collection) use(p *packages.Package, name *ast.Ident) {
	if v, ok := p.TypesInfo.Uses[name].(*types.Var); ok && v.Parent() == p.Types.Scope() {
		if c.used[name.Name]++; c.used[name.Name] == 1 {
			c.uses = append(c.uses, name.Name)
		}
	}
}

// begun takes in what stands in tables that a refers to more often than b: what they hold decides there, though it is the
// same on both versions.
func (c *collection) begun(a, b *collection) {
	for _, name := range a.uses {
		if a.used[name] > b.used[name] {
			for _, n := range a.tables[name] {
				c.addNumber(n)
			}
		}
	}
}

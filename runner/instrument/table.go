package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
)

// table has the rows ask the probe that a loop of a test goes through, where they are those of a package-level
// variable: they are evaluated before any iteration begins, so that no literal of theirs can be another one.
func (v *varier) table(loop *ast.RangeStmt) {
	id, ok := loop.X.(*ast.Ident)
	if !ok {
		return
	}
	obj, ok := v.info.Uses[id].(*types.Var)
	if !ok || obj.Parent() != v.pkg.Types.Scope() {
		return
	}
	slice, ok := obj.Type().Underlying().(*types.Slice)
	if !ok {
		return
	}
	row, ok := slice.Elem().Underlying().(*types.Struct)
	rows := v.rows(obj)
	if !ok || rows < 2 || row.NumFields() == 0 {
		return
	}
	p := Point{Kind: PointTable, Length: rows, Before: id.Name}
	for i := range row.NumFields() {
		p.Elements = append(p.Elements, row.Field(i).Name())
	}
	n := v.point(id, p)
	v.f.edits.open(v.f.offset(id.Pos()), fmt.Sprintf("%s.VT(%d, ", v.names.probe, n))
	v.f.edits.close(v.f.offset(id.End()), ")")
}

// rows is how many rows the literal has that a variable is declared with, 0 for none.
func (v *varier) rows(obj *types.Var) int {
	for _, f := range v.files {
		for _, d := range v.kept[f] {
			spec, ok := d.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 || v.info.Defs[spec.Names[0]] != obj {
				continue
			}
			if lit, ok := spec.Values[0].(*ast.CompositeLit); ok {
				return len(lit.Elts)
			}
		}
	}
	return 0
}

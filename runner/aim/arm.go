package aim

import (
	"go/ast"

	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
)

// armBody finds the statements of an arm: a loop's body, or a clause's.
func armBody(t *load.Tree, a instrument.Arm) (from, to int) {
	eachFile(t, a.File, func(f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || to > 0 {
				return false
			}
			var body ast.Node
			switch n := n.(type) {
			case *ast.RangeStmt:
				body = n.Body
			case *ast.ForStmt:
				body = n.Body
			case *ast.CaseClause:
				body = n
			case *ast.CommClause:
				body = n
			}
			if body != nil && t.Place(n.Pos()) == a.Place {
				from, to = t.Place(body.Pos()).Offset, t.Place(body.End()).Offset
			}
			return true
		})
	})
	return from, to
}

func hasFile(t *load.Tree, file string) bool {
	found := false
	eachFile(t, file, func(*ast.File) { found = true })
	return found
}

// eachFile calls f with the syntax of a file of the tree's code.
func eachFile(t *load.Tree, file string, f func(*ast.File)) {
	for _, p := range t.Packages {
		if p.Code == nil {
			continue
		}
		for _, s := range p.Code.Syntax {
			if t.Place(s.Package).File == file {
				f(s)
			}
		}
	}
}

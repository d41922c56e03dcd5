package surface

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/load"
)

// calledByTests are the unexported functions and methods of a package, by their full names, that its
// own tests call: what is wanted of them stands there, so they keep promises of their own.
func calledByTests(t *load.Tree, p *load.Package) map[string]bool {
	out := map[string]bool{}
	if p.Test == nil || p.Test.TypesInfo == nil {
		return out
	}
	for _, file := range testFiles(t, p.Test) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := typeutil.Callee(p.Test.TypesInfo, call).(*types.Func); ok && !f.Exported() && f.Pkg() != nil && f.Pkg().Path() == p.Path {
				out[f.Origin().FullName()] = true
			}
			return true
		})
	}
	return out
}

func testFiles(t *load.Tree, p *packages.Package) (out []*ast.File) {
	for _, file := range p.Syntax {
		if strings.HasSuffix(t.Fset.Position(file.Pos()).Filename, "_test.go") {
			out = append(out, file)
		}
	}
	return out
}

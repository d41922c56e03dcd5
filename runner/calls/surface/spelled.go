package surface

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

// spelledOut returns the struct types, by their full names, that users write down with fields of theirs, although they may
// have others that only their own package can set: in tests, and in other packages of the module.
func spelledOut(t *load.Tree) map[string]bool {
	found := map[string]bool{}
	for _, p := range t.Packages {
		for _, v := range p.Variants() {
			if v.TypesInfo == nil {
				continue
			}
			for _, file := range v.Syntax {
				ast.Inspect(file, func(n ast.Node) bool {
					if lit, ok := n.(*ast.CompositeLit); ok {
						if named := spelledBy(v, lit); named != nil {
							found[fullName(named)] = true
						}
					}
					return true
				})
			}
		}
	}
	return found
}

// spelledBy returns the type of a literal that a user of it writes down with exported fields alone, nil for any other.
func spelledBy(p *packages.Package, lit *ast.CompositeLit) *types.Named {
	t := p.TypesInfo.TypeOf(lit)
	if t == nil {
		return nil
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok { // an element of a list of pointers
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || len(lit.Elts) == 0 {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return nil
	}
	isTest := strings.HasSuffix(p.Fset.Position(lit.Pos()).Filename, "_test.go")
	if named.Obj().Pkg().Path() == p.PkgPath && !isTest {
		return nil
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		if name, ok := kv.Key.(*ast.Ident); !ok || !name.IsExported() {
			return nil
		}
	}
	return named
}

func fullName(t *types.Named) string {
	o := t.Origin().Obj()
	return o.Pkg().Path() + "." + o.Name()
}

package surface

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestTables tells that what a table holds is near the change where one version alone asks it, though the table is the same.
func TestTables(t *testing.T) {
	t.Parallel()
	const tables = `package p
type interval struct{ first, last rune }
var wide = []interval{{0x1100, 0x115F}, {0x231A, 0x231B}}
var narrow = []interval{{0x27E6, 0x27ED}}
var names = map[string]int{"a": 5}
func in(r rune, list []interval) bool { return len(list) > 0 && list[0].first <= r }
`
	of := func(code string) *collection {
		c := newCollection()
		c.pkg(typed(t, tables+code), nil)
		return c
	}
	base, head := of("func Width(r rune) bool { return in(r, wide) }"), of("func Width(r rune) bool { return in(r, wide) || in(r, narrow) }")
	near := newCollection()
	near.only(base, head)
	near.only(head, base)
	if want := []int64{0x27E6, 0x27ED}; !slices.Equal(near.numbers, want) {
		t.Errorf("near the change are %#x, want %#x", near.numbers, want)
	}
}

// typed is a package of one file that imports nothing.
func typed(t *testing.T, code string) *packages.Package {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "p.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &packages.Package{Syntax: []*ast.File{f}, TypesInfo: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	if p.Types, err = (&types.Config{}).Check("p", files, p.Syntax, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	return p
}

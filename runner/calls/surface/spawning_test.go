package surface

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

// After a panic on a goroutine, what may have started it is left out, and nothing else.
func TestStarts(t *testing.T) {
	t.Parallel()
	const source = `package p

type T struct{}

func (t *T) Search() { t.start() }
func (t *T) start()  { func() { go func() {}() }() }
func (t *T) Bind()   {}
func Serve[K any](k K) { go listen(k) }
func listen[K any](k K) {}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("example.com/p.v2", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	s := spawningIn(&load.Package{Code: &packages.Package{Syntax: []*ast.File{f}, Types: pkg, TypesInfo: info}})
	for _, test := range []struct {
		name, creator string
		want          bool
	}{
		{"Search", "example.com/p%2ev2.(*T).start.func1", true},
		{"Search", "example.com/p%2ev2.(*T).start", true},
		{"Search", "example.com/p%2ev2.(*T).startAll", false},
		{"Bind", "example.com/p%2ev2.(*T).start", false},
		{"Serve", "example.com/p%2ev2.Serve[...]", true},
		{"Search", "testing.(*T).Run", false},
		{"Search", "", false},
	} {
		var o Operation
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == test.name {
				o.spawners = s.of(d)
			}
		}
		if got := o.Starts(test.creator); got != test.want {
			t.Errorf("%s, created by %q: %v; %q", test.name, test.creator, got, o.spawners)
		}
	}
}

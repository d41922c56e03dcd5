package tested

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation"
)

// MaxRelations bounds the relations of one package: each is a closure that has to be
// compiled. Those that leave most open are taken.
const MaxRelations = 48

// Left is the body of a fuzz test that is no relation.
type Left struct {
	At     string // "file:line"
	Reason string
}

// Find returns the relations that the tests of a package state, those first that leave most
// open, and then in the order of the tests; the bodies of fuzz tests
// before all others. Tests that do not type-check state none.
func Find(t *load.Tree, p *load.Package) ([]relation.Relation, []Left) {
	if p.Code == nil || p.Code.Types == nil {
		return nil, nil
	}
	k := newKnown(t, p)
	var out []relation.Relation
	var left []Left
	ids := map[string]bool{}
	for _, variant := range []*packages.Package{p.Test, p.XTest} {
		if variant == nil || variant.TypesInfo == nil || variant.IllTyped {
			continue
		}
		f := &finder{known: k, info: variant.TypesInfo, rows: map[types.Object]*ast.CompositeLit{}, inits: map[types.Object]ast.Expr{}}
		for _, r := range f.all(variant) {
			if id := r.ID(); !ids[id] && len(out) < MaxRelations {
				ids[id] = true
				out = append(out, r)
			}
		}
		left = append(left, f.left...)
	}
	return out, left
}

// A finder looks through the test files of one package.
type finder struct {
	*known
	info  *types.Info
	quick bool                               // the file uses testing/quick
	rows  map[types.Object]*ast.CompositeLit // the table that a range variable goes over
	inits map[types.Object]ast.Expr          // what variables were declared with
	found []claim
	made  []*term // the calls of the package under test
	left  []Left
}

// all finds the relations of the tests of a package.
func (f *finder) all(p *packages.Package) []relation.Relation {
	files := slices.Clone(p.Syntax)
	files = slices.DeleteFunc(files, func(x *ast.File) bool {
		return !strings.HasSuffix(f.tree.Fset.Position(x.Package).Filename, "_test.go")
	})
	slices.SortFunc(files, func(a, b *ast.File) int {
		return cmp.Compare(f.tree.Fset.Position(a.Package).Filename, f.tree.Fset.Position(b.Package).Filename)
	})
	for _, x := range files {
		f.globals(x)
	}
	for _, x := range files {
		f.quick = slices.ContainsFunc(x.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/quick"` })
		for _, d := range x.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				w := &walker{finder: f, vars: map[types.Object]*term{}, effects: map[types.Object]*term{}}
				if out, ok := exampleOutput(x, fn); ok {
					w.example(fn.Body, out)
				}
				w.block(fn.Body.List)
			}
		}
	}
	type candidate struct {
		relation.Relation
		fixed int
	}
	var out []relation.Relation
	for _, x := range files {
		out = append(out, f.fuzzed(x)...)
	}
	var list []candidate
	for _, c := range f.found {
		if r, fixed, ok := f.generalise(c); ok {
			list = append(list, candidate{r, fixed})
		}
	}
	for _, r := range f.permuted() {
		list = append(list, candidate{r, 0})
	}
	// The more is left open, the more it says.
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.fixed, b.fixed) })
	for _, c := range list {
		out = append(out, c.Relation)
	}
	return out
}

// globals notes the values of the package-level variables of a file: tables may be.
func (f *finder) globals(x *ast.File) {
	for _, d := range x.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for i, name := range v.Names {
				if len(v.Values) == len(v.Names) {
					f.inits[f.info.Defs[name]] = v.Values[i]
				}
			}
		}
	}
}

// at writes where something stands, as people are told.
func (f *finder) at(p token.Pos) string {
	at := f.tree.Fset.Position(p)
	return event.Position(f.tree.Rel(at.Filename), at.Line)
}

func (f *finder) place(n ast.Node) string { return strconv.Itoa(int(n.Pos())) }

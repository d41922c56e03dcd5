package ison

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/load"
)

// match runs Algorithm 1 on the original and the same code with one mutant in
// it, as text, and says how it pairs the condition with an index. In the
// schemata every condition is paired with itself; only these may be negated.
// changed is false where the mutant's code is the original's in SSA form: then
// isodelta says so and runs nothing.
func (f *faulty) match(ctx context.Context, m mutant.Mutant) (matched map[int]isomorph.Kind, changed bool, err error) {
	head, err := f.mutated(m)
	if err != nil {
		return nil, false, err
	}
	r, err := isomorph.Match(ctx, f.original, head, isomorph.Options{})
	if err != nil {
		return nil, false, err
	}
	matched = map[int]isomorph.Kind{}
	for _, p := range r.Conditions {
		if i, ok := f.condition[p.Base]; ok {
			// A pair of two different places cannot be negated by one index.
			if p.Head == m.Shift(p.Base) {
				matched[i] = p.Kind
			}
		}
	}
	return matched, !r.Empty(), nil
}

// mutated is the loaded tree of the original with one mutant applied. Only its
// code is there: matching does not look at tests.
func (f *faulty) mutated(m mutant.Mutant) (*load.Tree, error) {
	pkg := f.original.Packages[0]
	fset := token.NewFileSet()
	var files []*ast.File
	for _, s := range pkg.Code.Syntax {
		name := f.original.Fset.File(s.FileStart).Name()
		rel := f.original.Rel(name)
		src := f.source[rel]
		if rel == m.File {
			src = mutant.Apply(src, m)
		}
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("mutant %s: %w", m, err)
		}
		files = append(files, file)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: mutant.Importer(pkg), Sizes: pkg.Code.TypesSizes, GoVersion: "go" + f.original.GoVersion}
	typed, err := conf.Check(pkg.Path, fset, files, info)
	if err != nil {
		return nil, fmt.Errorf("mutant %s: %w", m, err)
	}
	code := &packages.Package{ID: pkg.Code.ID, Name: pkg.Code.Name, PkgPath: pkg.Code.PkgPath, Dir: pkg.Code.Dir,
		GoFiles: pkg.Code.GoFiles, CompiledGoFiles: pkg.Code.CompiledGoFiles, EmbedFiles: pkg.Code.EmbedFiles,
		Imports: pkg.Code.Imports, Module: pkg.Code.Module,
		Fset: fset, Syntax: files, Types: typed, TypesInfo: info, TypesSizes: pkg.Code.TypesSizes}
	t := *f.original
	t.Fset = fset
	t.Packages = []*load.Package{{Path: pkg.Path, Dir: pkg.Dir, Code: code}}
	return &t, nil
}

package isomorph

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/load"
)

// sources are the files of a package by name.
type sources map[string]string

// typeCheck makes a tree of one package. It is nil where the package does not
// type-check, as after a deletion that leaves a variable unused.
func typeCheck(root, path string, files sources, imp types.Importer) *load.Tree {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := parser.ParseFile(fset, filepath.Join(root, name), files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		parsed = append(parsed, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	pkg, err := (&types.Config{Importer: imp, GoVersion: "go1.24"}).Check(path, fset, parsed, info)
	if err != nil {
		return nil
	}
	code := &packages.Package{PkgPath: path, Types: pkg, Syntax: parsed, TypesInfo: info}
	return &load.Tree{Root: root, Dir: root, Module: path, Fset: fset,
		Packages: []*load.Package{{Path: path, Dir: root, Code: code}}}
}

func distributionPackage(t testing.TB, path string) sources {
	t.Helper()
	p := importDistribution(t, path)
	return readSources(t, p.Dir, p.GoFiles)
}

func distributionTests(t testing.TB, path string) sources {
	t.Helper()
	p := importDistribution(t, path)
	return readSources(t, p.Dir, append(slices.Clone(p.TestGoFiles), p.XTestGoFiles...))
}

func importDistribution(t testing.TB, path string) *build.Package {
	t.Helper()
	p, err := build.Default.ImportDir(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path)), 0)
	if err != nil {
		t.Fatalf("the sources of the distribution are not there: %v", err)
	}
	return p
}

func readSources(t testing.TB, dir string, names []string) sources {
	t.Helper()
	files := sources{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

// stretch of a file's text.
type cut struct {
	file     string
	from, to int
}

// statementsOf lists where the statements of a package's blocks are.
func statementsOf(tree *load.Tree) []cut {
	var out []cut
	for _, f := range tree.Packages[0].Code.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			var list []ast.Stmt
			switch n := n.(type) {
			case *ast.BlockStmt:
				list = n.List
			case *ast.CaseClause:
				list = n.Body
			}
			for _, s := range list {
				from, to := tree.Place(s.Pos()), tree.Place(s.End())
				out = append(out, cut{from.File, from.Offset, to.Offset})
			}
			return true
		})
	}
	return out
}

// Deleting a statement, and in the other direction inserting one, leaves the
// counterpart of every other condition known: the one at the same place of the
// text. Matching must find no other, and most of these. Real packages, seeded
// choice of statements.
func TestDistribution(t *testing.T) {
	longtest.Skip(t, "type-checks packages of the distribution many times")
	t.Parallel()
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	checked := 0
	for _, path := range []string{"text/tabwriter", "encoding/csv", "text/template/parse", "regexp/syntax"} {
		files := distributionPackage(t, path)
		base := typeCheck("/base", path, files, imp)
		if base == nil {
			t.Logf("%s: cannot be type-checked by itself", path)
			continue
		}
		checked++
		start := time.Now()
		r, err := Match(t.Context(), base, typeCheck("/head", path, files, imp), Options{})
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		if !r.Empty() || len(r.Conditions) != r.UnmappedHead.Mapped {
			t.Errorf("%s: %d of %d conditions match themselves; changed %v", path, len(r.Conditions), r.UnmappedHead.Mapped, r.Changed)
		}
		for _, p := range r.Conditions {
			if p.Base != p.Head || p.Kind != Strict {
				t.Errorf("%s: %v", path, p)
			}
		}
		t.Logf("%s: %d functions, %d Ifs mapped, others %v, matched with itself in %v",
			path, r.Functions, r.UnmappedHead.Mapped, r.UnmappedHead.Unmapped, took.Round(time.Millisecond))
		deletions(t, path, files, base, imp)
	}
	if checked == 0 {
		t.Error("no package of the distribution can be type-checked")
	}
}

func deletions(t *testing.T, path string, files sources, base *load.Tree, imp types.Importer) {
	all := statementsOf(base)
	rng := rand.New(rand.NewSource(1))
	const wanted = 12
	var done, expected, found, strict, wrong int
	var slowest time.Duration
	for range 10 * wanted {
		if done == wanted {
			break
		}
		c := all[rng.Intn(len(all))]
		edited := maps.Clone(files)
		text := files[c.file]
		edited[c.file] = text[:c.from] + text[c.to:]
		head := typeCheck("/head", path, edited, imp)
		if head == nil {
			continue
		}
		done++
		start := time.Now()
		r, err := Match(t.Context(), base, head, Options{})
		if err != nil {
			t.Fatal(err)
		}
		slowest = max(slowest, time.Since(start))
		moved := func(at load.Place) (load.Place, bool) {
			switch {
			case at.File != c.file || at.Offset < c.from:
				return at, true
			case at.Offset < c.to:
				return load.Place{}, false
			}
			at.Offset -= c.to - c.from
			return at, true
		}
		inHead := map[load.Place]bool{}
		for _, at := range r.Head.leaves {
			inHead[at] = true
		}
		touched := map[string]bool{} // only changed functions are counted
		for _, f := range r.Changed {
			touched[f.Name] = true
		}
		for i, at := range r.Base.leaves {
			top := i.Parent()
			for top.Parent() != nil {
				top = top.Parent()
			}
			if to, ok := moved(at); ok && inHead[to] && touched[base.Short(top.String())] {
				expected++
			}
		}
		for _, p := range r.Conditions {
			to, ok := moved(p.Base)
			if !ok || to != p.Head {
				wrong++
				t.Logf("%s: deleting %q pairs line %d with %d of %s [%s]", path,
					strings.Join(strings.Fields(text[c.from:c.to]), " "), lineAt(files[p.Base.File], p.Base), lineAt(edited[p.Head.File], p.Head), p.Head.File, p.Kind)
				continue
			}
		}
		for i, at := range r.Base.leaves {
			top := i.Parent()
			for top.Parent() != nil {
				top = top.Parent()
			}
			if !touched[base.Short(top.String())] {
				continue
			}
			for _, p := range r.Conditions {
				if p.Base == at {
					found++
					if p.Kind == Strict {
						strict++
					}
				}
			}
		}
	}
	t.Logf("%s: %d deletions: of %d conditions left in the changed functions %d found (%d strictly), %d pairs wrong, slowest match %v",
		path, done, expected, found, strict, wrong, slowest.Round(time.Millisecond))
	if wrong*200 > expected {
		t.Errorf("%s: more than one pair in 200 is wrong", path)
	}
	if found*10 < expected*7 {
		t.Errorf("%s: fewer than seven conditions of ten are found", path)
	}
}

package build

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// checker type-checks the test files of a suite against the other version.
type checker struct {
	fset     *token.FileSet
	known    map[string]*types.Package // by import path
	names    map[string]string         // of what the suite's tests import, by import path
	injected func(path string) []string
	hidden   map[string]bool // what the suite's version has alone, by import path; see keepTestOnly
	other    string          // names the other version
}

// newChecker returns a checker of what an overlay makes of a suite.
func (b *Builder) newChecker(s *Suite, replace map[string]string) *checker {
	c := &checker{fset: s.Other.Tree.Fset, known: map[string]*types.Package{}, names: map[string]string{},
		hidden: map[string]bool{}, other: s.Other.Side.String()}
	for _, p := range s.Other.Tree.Packages {
		for _, q := range p.Variants() {
			for path, imported := range q.Imports {
				// Variants that were compiled for a test have other types of the same names.
				if imported.ID == imported.PkgPath && imported.Types != nil && imported.Types.Complete() {
					c.known[path] = imported.Types
				}
			}
		}
		if p.Code != nil {
			c.known[p.Path] = p.Code.Types
		}
	}
	for _, p := range s.Own.Tree.Packages {
		c.hidden[p.Path] = s.hides(p)
		for _, q := range p.Variants() {
			for path, imported := range q.Imports {
				c.names[path] = imported.Name
			}
		}
	}
	c.injected = func(path string) []string {
		dir := filepath.Join(b.Chain.Go.GOROOT, "src", filepath.FromSlash(path))
		var files []string
		for at, by := range replace {
			if filepath.Dir(at) == dir {
				files = append(files, by)
			}
		}
		slices.Sort(files)
		return files
	}
	return c
}

// testFiles returns the test files of a package of the suite, as an overlay has them,
// sorted.
func (s *Suite) testFiles(pkg string, replace map[string]string) []string {
	files := map[string]bool{} // of the tree
	if p := s.Own.find(pkg); p != nil {
		for _, q := range []*packages.Package{p.Test, p.XTest} {
			if q != nil {
				for _, file := range q.GoFiles {
					files[file] = true
				}
			}
		}
	}
	dir := s.Dir(pkg)
	for file := range replace {
		if filepath.Dir(file) == dir && s.foreign[file] != replace[file] {
			files[file] = true // what makes calls, too
		}
	}
	var out []string
	for file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		if by, replaced := replace[file]; replaced {
			file = by
		}
		if file != "" {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out
}

// parse parses test files, those of the package itself and those of its external
// test; false if one is no Go.
func (c *checker) parse(files []string) (inside, outside []*ast.File, ok bool) {
	for _, file := range files {
		f, err := parser.ParseFile(c.fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, false
		}
		if strings.HasSuffix(f.Name.Name, "_test") {
			outside = append(outside, f)
		} else {
			inside = append(inside, f)
		}
	}
	return inside, outside, true
}

var errUnknown = errors.New("not loaded")

// Import implements types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	if p := c.known[path]; p != nil {
		return p, nil
	}
	if path != probe.Path && !strings.HasPrefix(path, probe.Path+"/") {
		return nil, errUnknown
	}
	var files []*ast.File
	fset := token.NewFileSet()
	for _, file := range c.injected(path) {
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: c, IgnoreFuncBodies: true, Error: func(error) {}}
	p, _ := conf.Check(path, fset, files, nil) // what it imports need not be known
	c.known[path] = p
	return p, nil
}

// check type-checks test files of a package that has the given code, and returns the mistakes in them. A
// package that cannot be imported counts as one that has everything, as long as it is
// known what it is called; that is how go/types goes on. One that the other version lacks is a mistake where it
// is imported.
func (c *checker) check(path string, code, tests []*ast.File) (*types.Package, []execute.Position) {
	own := map[string]bool{}
	var at []execute.Position
	for _, f := range tests {
		own[c.fset.File(f.FileStart).Name()] = true
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if c.hidden[path] {
				p := c.fset.PositionFor(spec.Pos(), false)
				at = append(at, execute.Position{File: p.Filename, Line: p.Line, Message: c.other + " has no package " + path})
			}
			switch name := c.names[path]; {
			case c.known[path] != nil || strings.HasPrefix(path, probe.Path):
			case spec.Name == nil && name != "":
				spec.Name = ast.NewIdent(name)
			case spec.Name != nil && spec.Name.Name == ".":
				return nil, at // any name may come from it
			}
		}
	}
	note := func(err error) {
		var e types.Error
		if !errors.As(err, &e) || strings.HasPrefix(e.Msg, "\t") || strings.HasPrefix(e.Msg, "could not import") {
			return
		}
		if p := c.fset.PositionFor(e.Pos, false); own[p.Filename] {
			at = append(at, execute.Position{File: p.Filename, Line: p.Line, Message: e.Msg})
		}
	}
	conf := types.Config{Importer: c, Error: note}
	p, _ := conf.Check(path, c.fset, slices.Concat(code, tests), nil) // note has every error
	return p, at
}

// bodiless returns files without the bodies of their functions.
func bodiless(files []*ast.File) []*ast.File {
	out := make([]*ast.File, len(files))
	for i, f := range files {
		g := *f
		g.Decls = slices.Clone(f.Decls)
		for j, d := range g.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				header := *fn
				header.Body = nil
				g.Decls[j] = &header
			}
		}
		out[i] = &g
	}
	return out
}

// declaredIn returns the names that files declare at their top level, methods among
// them.
func declaredIn(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names[spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

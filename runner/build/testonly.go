package build

import (
	"go/ast"
	"go/parser"
	"maps"
	"slices"

	"github.com/isodelta/isodelta/runner/load"
)

// keepTestOnly leaves packages that the other version lacks where the suite has them, if tests alone import them: they
// belong to the tests, as a new package of fakes does. One that does not fit the other version's code stays hidden.
func (b *Builder) keepTestOnly(s *Suite) {
	tests := s.hiddenBehind(func(p *load.Package) bool { return s.Other.find(p.Path) != nil }, (*load.Package).TestImports)
	code := s.hiddenBehind(func(p *load.Package) bool { return !slices.Contains(tests, p) }, codeImports)
	c := b.newChecker(s, nil)
	for _, p := range tests {
		if slices.Contains(code, p) || !c.fits(p) {
			continue
		}
		for _, file := range p.Code.GoFiles {
			delete(s.foreign, file)
		}
	}
}

// hiddenBehind returns the hidden packages that some packages of the suite's version import, directly or through other
// hidden ones, imports before their importers.
func (s *Suite) hiddenBehind(from func(*load.Package) bool, imports func(*load.Package) map[string]bool) []*load.Package {
	var out []*load.Package
	seen := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		p := s.Own.find(path)
		if seen[path] || !s.hides(p) {
			return
		}
		seen[path] = true
		for _, imported := range slices.Sorted(maps.Keys(codeImports(p))) {
			visit(imported)
		}
		out = append(out, p)
	}
	for _, p := range s.Own.Tree.Packages {
		if from(p) {
			for _, imported := range slices.Sorted(maps.Keys(imports(p))) {
				visit(imported)
			}
		}
	}
	return out
}

// codeImports are the import paths of a package's code.
func codeImports(p *load.Package) map[string]bool {
	out := map[string]bool{}
	if p.Code != nil {
		for path := range p.Code.Imports {
			out[path] = true
		}
	}
	return out
}

// hides reports whether the code of a package of the suite's version is hidden from the go command, since the other
// version has no such package.
func (s *Suite) hides(p *load.Package) bool {
	return p != nil && p.Code != nil && len(p.Code.GoFiles) > 0 && s.Other.find(p.Path) == nil &&
		!slices.ContainsFunc(p.Code.GoFiles, func(file string) bool {
			by, replaced := s.foreign[file]
			return !replaced || by != ""
		})
}

// fits reports whether a package type-checks with what the other version has, and makes it known then.
func (c *checker) fits(p *load.Package) bool {
	var files []*ast.File
	for _, file := range p.Code.GoFiles {
		f, err := parser.ParseFile(c.fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		files = append(files, f)
	}
	checked, at := c.check(p.Path, nil, files)
	if checked == nil || len(at) > 0 {
		return false
	}
	c.known[p.Path], c.hidden[p.Path] = checked, false
	return true
}

package load

import (
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Outside returns the packages that the tests in some folders of the module link and
// that neither belong to the module nor import something of it: import paths, sorted.
// The folders are absolute.
type Outside func(dirs map[string]bool) []string

func outside(pkgs []*packages.Package, dirs map[string]bool) []string {
	own := map[*packages.Package]bool{} // the module's, and what imports it
	var all []*packages.Package
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		own[p] = (&typing{source: own}).fromSource(p) || isTestMain(p)
		all = append(all, p)
	})
	linked, seen := map[string]bool{}, map[*packages.Package]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		if !own[p] && p.PkgPath != "unsafe" {
			linked[p.PkgPath] = true
		}
		for _, imported := range p.Imports {
			visit(imported)
		}
	}
	in := func(p *packages.Package) bool { return len(p.GoFiles) > 0 && dirs[filepath.Dir(p.GoFiles[0])] }
	for _, p := range all {
		if tests := isTestMain(p); tests && slices.ContainsFunc(slices.Collect(maps.Values(p.Imports)), in) || !tests && own[p] && in(p) {
			visit(p)
		}
	}
	return slices.Sorted(maps.Keys(linked))
}

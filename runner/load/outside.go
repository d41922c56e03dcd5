package load

import (
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Concern says which packages of the module a change is likely to concern.
type Concern struct {
	Dirs    map[string]bool // absolute folders, whose packages it changes
	Modules map[string]bool // paths of others, of which it wants another version
	// Asked reports of one that imports something of Modules whether it counts; nil for all that they do.
	Asked func(module, path string) bool
}

// Outside returns the packages that tests of what a change concerns link and
// that neither belong to the module nor import something of it: import paths, sorted.
type Outside func(Concern) []string

func outside(pkgs []*packages.Package, c Concern) []string {
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
	imports := func(p *packages.Package) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(p.Imports)), func(i *packages.Package) bool {
			return i.Module != nil && c.Modules[i.Module.Path]
		})
	}
	in := func(p *packages.Package) bool {
		if len(p.GoFiles) > 0 && c.Dirs[filepath.Dir(p.GoFiles[0])] {
			return true
		}
		return len(c.Modules) > 0 && own[p] && p.Module != nil && (c.Asked == nil || c.Asked(p.Module.Path, p.PkgPath)) && imports(p)
	}
	for _, p := range all {
		if tests := isTestMain(p); tests && slices.ContainsFunc(slices.Collect(maps.Values(p.Imports)), in) || !tests && own[p] && in(p) {
			visit(p)
		}
	}
	return slices.Sorted(maps.Keys(linked))
}

package build

import (
	"path/filepath"

	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// Version is one side of a comparison: its tree, and its code as instrumented.
type Version struct {
	Side    version.Side
	Root    string // of its tree, absolute
	Module  string // directory of the module, absolute
	Tree    *load.Tree
	Program *instrument.Program // nil before Instrument
	Index   map[load.Place]int  // of negatable conditions, by place
}

// Dir returns a directory of the tree; rel is relative to its root.
func (v *Version) Dir(rel string) string { return filepath.Join(v.Root, filepath.FromSlash(rel)) }

// PackageDir returns the folder of a package, "" where the version has none of that
// path.
func (v *Version) PackageDir(pkg string) string {
	if p := v.find(pkg); p != nil {
		return p.Dir
	}
	return ""
}

// find returns the package of an import path, nil where the version has none.
func (v *Version) find(path string) *load.Package {
	for _, p := range v.Tree.Packages {
		if p.Path == path {
			return p
		}
	}
	return nil
}

// Has reports whether the version has a package of that path with code of its own.
func (v *Version) Has(path string) bool {
	p := v.find(path)
	return p != nil && p.Code != nil
}

// Instrument rewrites the version's code.
func (v *Version) Instrument(cfg instrument.Config) (err error) {
	if v.Program, err = instrument.Code(v.Tree, cfg); err != nil {
		return err
	}
	v.Index = map[load.Place]int{}
	for _, x := range v.Program.Conditions {
		if x.Negatable {
			v.Index[x.Place] = x.Index
		}
	}
	return nil
}

// Branches returns how many branches the version has: two of each condition, and one
// of each arm.
func (v *Version) Branches() int { return 2*len(v.Program.Conditions) + len(v.Program.Arms) }

// Linked returns the branches of the version in a package and in what it imports.
func (v *Version) Linked(pkg string) outcome.Bits {
	p, in := v.Program, v.imported(pkg)
	set := outcome.NewBits(v.Branches())
	for _, x := range p.Conditions {
		if in[x.Package] {
			set.Add(int(outcome.Of(x.Index, false)))
			set.Add(int(outcome.Of(x.Index, true)))
		}
	}
	for _, a := range p.Arms {
		if in[a.Package] {
			set.Add(int(outcome.Arm(len(p.Conditions), a.Index)))
		}
	}
	return set
}

// imported returns the packages of the tree that the tests of one import, itself
// among them.
func (v *Version) imported(pkg string) map[string]bool {
	byPath := map[string]*load.Package{}
	for _, p := range v.Tree.Packages {
		byPath[p.Path] = p
	}
	in := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		p := byPath[path]
		if in[path] || p == nil {
			return
		}
		in[path] = true
		if path == pkg {
			for path := range p.TestImports() {
				visit(path)
			}
		} else if p.Code != nil {
			for path := range p.Code.Imports {
				visit(path)
			}
		}
	}
	visit(pkg)
	return in
}

// distances returns the number of imports between a changed package and each package
// whose code imports it; 0 for the changed ones.
func (v *Version) distances(changed map[string]bool) map[string]int {
	away := map[string]int{}
	for path := range changed {
		away[path] = 0
	}
	for moved := true; moved; {
		moved = false
		for _, p := range v.Tree.Packages {
			if p.Code == nil {
				continue
			}
			for path := range p.Code.Imports {
				n, ok := away[path]
				if d, had := away[p.Path]; ok && (!had || n+1 < d) {
					away[p.Path], moved = n+1, true
				}
			}
		}
	}
	return away
}

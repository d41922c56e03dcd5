package load

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Module is a version of a module that packages of a tree are built with.
type Module struct {
	Path, Version string // Version is "" for a folder
	// Instead is what a replace directive names in its place: a module with its version,
	// or a folder as it is written; "" for nothing.
	Instead string
	// Linked are the packages of it that code of the tree imports, by whatever way;
	// Tested are those that only tests do. By import path.
	Linked, Tested map[string]*packages.Package
}

// Named is how people call the version of a module: its version, or what replaces it.
func (m *Module) Named() string {
	switch {
	case m == nil:
		return ""
	case m.Instead != "":
		return m.Instead
	}
	return m.Version
}

// Modules returns the modules outside the tree that its packages and their tests are
// built with, by path.
func (t *Tree) Modules() map[string]*Module {
	out := map[string]*Module{}
	var code []*packages.Package
	for _, p := range t.Packages {
		if p.Code != nil {
			code = append(code, p.Code)
		}
	}
	add := func(linked bool) func(*packages.Package) {
		return func(p *packages.Package) {
			if p.Module == nil || p.Module.Main || p.ForTest != "" || isTestMain(p) {
				return
			}
			m := out[p.Module.Path]
			if m == nil {
				m = &Module{Path: p.Module.Path, Version: p.Module.Version, Linked: map[string]*packages.Package{}, Tested: map[string]*packages.Package{}}
				if r := p.Module.Replace; r != nil {
					m.Instead = r.Path
					if r.Version != "" {
						m.Instead += " " + r.Version
					}
				}
				out[m.Path] = m
			}
			if linked {
				m.Linked[p.PkgPath] = p
			} else if m.Linked[p.PkgPath] == nil {
				m.Tested[p.PkgPath] = p
			}
		}
	}
	packages.Visit(code, nil, add(true))
	packages.Visit(t.listed, nil, add(false))
	return out
}

// Bump is a module of which two versions are built with other code.
type Bump struct {
	Path       string
	Base, Head *Module // nil where the version is built without it
	// Packages are those with other code, which the code of a version links; Tests are
	// those that only tests link. Sorted import paths.
	Packages, Tests []string
}

// Bumps returns the modules outside two trees whose linked packages differ in any file
// that is compiled or embedded, sorted by path. Another version with the same files is
// none.
func Bumps(base, head *Tree) ([]Bump, error) {
	b, h := base.Modules(), head.Modules()
	paths := map[string]bool{}
	for _, side := range []map[string]*Module{b, h} {
		for path := range side {
			paths[path] = true
		}
	}
	var out []Bump
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		bump := Bump{Path: path, Base: b[path], Head: h[path]}
		var err error
		if bump.Packages, err = differing(bump.Base.linked(), bump.Head.linked()); err != nil {
			return nil, err
		}
		if bump.Tests, err = differing(bump.Base.tested(), bump.Head.tested()); err != nil {
			return nil, err
		}
		// What one version links for tests alone and the other for its code is code.
		bump.Tests = slices.DeleteFunc(bump.Tests, func(p string) bool { return slices.Contains(bump.Packages, p) })
		if len(bump.Packages)+len(bump.Tests) > 0 {
			out = append(out, bump)
		}
	}
	return out, nil
}

func (m *Module) linked() map[string]*packages.Package {
	if m == nil {
		return nil
	}
	return m.Linked
}

func (m *Module) tested() map[string]*packages.Package {
	if m == nil {
		return nil
	}
	return m.Tested
}

// differing returns the packages that not both have with the same files.
func differing(b, h map[string]*packages.Package) ([]string, error) {
	var out []string
	for path, hp := range h {
		same := false
		if bp := b[path]; bp != nil {
			var err error
			if same, err = sameFiles(bp, hp); err != nil {
				return nil, err
			}
		}
		if !same {
			out = append(out, path)
		}
	}
	for path := range b {
		if h[path] == nil {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out, nil
}

// sameFiles reports whether two packages are compiled from files of the same names and
// contents.
func sameFiles(b, h *packages.Package) (bool, error) {
	base, head := filesOf(b), filesOf(h)
	if len(base) != len(head) {
		return false, nil
	}
	for name, file := range head {
		other, ok := base[name]
		if !ok {
			return false, nil
		}
		if file == other {
			continue // in the module cache
		}
		x, err := os.ReadFile(other)
		if err != nil {
			return false, fmt.Errorf("compare dependencies: %w", err)
		}
		y, err := os.ReadFile(file)
		if err != nil {
			return false, fmt.Errorf("compare dependencies: %w", err)
		}
		if !bytes.Equal(x, y) {
			return false, nil
		}
	}
	return true, nil
}

// filesOf returns what a package is built from, by base name.
func filesOf(p *packages.Package) map[string]string {
	out := map[string]string{}
	for _, list := range [][]string{p.GoFiles, p.OtherFiles, p.EmbedFiles} {
		for _, file := range list {
			name := filepath.Base(file)
			if out[name] != "" { // embedded from folders
				name = file
			}
			out[name] = file
		}
	}
	return out
}

// Sources are packages of a tree without tests, type-checked whole together with modules
// that they are built with, and with what lies between.
type Sources struct {
	*Tree
	Own     []*packages.Package // of the tree, sorted by import path
	Outside []*packages.Package // likewise
}

// Package returns the package outside the tree with a path, nil where there is none.
func (s *Sources) Package(path string) *packages.Package {
	for _, p := range s.Outside {
		if p.PkgPath == path {
			return p
		}
	}
	return nil
}

// maxOutside bounds the packages outside a tree that are type-checked whole.
const maxOutside = 600

// Sources type-checks the tree's code once more, together with the modules with these
// paths and with the packages that import something of them.
func (t *Tree) Sources(ctx context.Context, modules map[string]bool) (*Sources, error) {
	copies := map[*packages.Package]*packages.Package{}
	var copyOf func(p *packages.Package) *packages.Package
	copyOf = func(p *packages.Package) *packages.Package {
		if c := copies[p]; c != nil {
			return c
		}
		c := *p
		copies[p] = &c
		c.Types, c.Syntax, c.TypesInfo, c.Errors, c.TypeErrors, c.IllTyped = nil, nil, nil, nil, nil, false
		c.Imports = make(map[string]*packages.Package, len(p.Imports))
		for path, q := range p.Imports {
			c.Imports[path] = copyOf(q)
		}
		return &c
	}
	s := &Sources{Tree: t}
	for _, p := range t.Packages {
		if p.Code != nil {
			s.Own = append(s.Own, copyOf(p.Code))
		}
	}
	whole := &typing{source: map[*packages.Package]bool{}, extent: extent{modules: modules}}
	packages.Visit(s.Own, nil, func(p *packages.Package) {
		whole.source[p] = whole.fromSource(p)
		if whole.source[p] && !slices.Contains(s.Own, p) {
			s.Outside = append(s.Outside, p)
		}
	})
	if n := len(s.Outside); n > maxOutside {
		return nil, fmt.Errorf("%d packages outside the module would have to be read, more than %d", n, maxOutside)
	}
	cfg := *t.config
	cfg.Context = ctx
	if err := typeCheck(ctx, &cfg, s.Own, extent{modules: modules}); err != nil {
		return nil, err
	}
	for _, p := range s.Own {
		if p.IllTyped {
			return nil, fmt.Errorf("package %s cannot be type-checked together with them: %v", p.PkgPath, firstError(p))
		}
	}
	slices.SortFunc(s.Outside, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return s, nil
}

// firstError returns the first mistake of a package, or of what it imports.
func firstError(p *packages.Package) any {
	var first any = "a mistake"
	packages.Visit([]*packages.Package{p}, nil, func(q *packages.Package) {
		if len(q.Errors) > 0 && first == "a mistake" {
			first = q.Errors[0]
		}
	})
	return first
}

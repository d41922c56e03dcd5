package load

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// narrowAbove is from how many packages on a module is loaded only as far as the change can
// reach; a guess. In smaller ones the others cost little, and forcing their branches may lead
// to the change.
const narrowAbove = 100

// Listing is what packages a module has and what they import, before anything is parsed.
type Listing struct {
	opt  Options
	pkgs []*packages.Package
	cfg  *packages.Config
	part bool // of the module, see Outline
}

// Complains reports whether the go command did not find what it was to list.
func (l *Listing) Complains() bool {
	return slices.ContainsFunc(l.pkgs, func(p *packages.Package) bool {
		return slices.ContainsFunc(p.Errors, func(e packages.Error) bool { return e.Kind == packages.ListError })
	})
}

// List lists the packages of a module, its tests, and all that they import.
func List(ctx context.Context, opt Options) (*Listing, error) { return list(ctx, opt.complete()) }

// Reachable returns the packages of two versions of a module whose tests or code link
// something that differs, by import path. The files that differ are slash-separated and
// relative to the trees; tests are not among them. All link what is outside of the module, and what says
// what it is built with. Where packages are asked for, those count that they need; asked is nil
// where all are. The result is nil where all packages are wanted, as in a small module.
func Reachable(base, head *Listing, differing []string, asked func(path string) bool) map[string]bool {
	versions := []*Listing{base, head}
	if max(base.count(), head.count()) < narrowAbove && !base.part {
		return nil
	}
	needed := map[string]bool{}
	for _, l := range versions {
		l.needs(asked, needed)
	}
	changed := map[string]bool{}
	for _, l := range versions {
		if !l.mark(differing, changed) {
			if len(needed) > 0 {
				return needed
			}
			return nil
		}
	}
	out := map[string]bool{}
	for _, l := range versions {
		l.linking(changed, out)
	}
	both := maps.Clone(out)
	maps.DeleteFunc(both, func(path string, _ bool) bool { return !needed[path] })
	if len(both) > 0 {
		return both
	}
	return out // the change reaches nothing that is asked for, and what it is has to be told
}

// needs adds the packages of the module that are asked for, and those that they and their tests import, directly or
// through others.
func (l *Listing) needs(asked func(path string) bool, out map[string]bool) {
	if asked == nil {
		return
	}
	own := map[string]bool{}
	var from []*packages.Package
	for _, p := range l.pkgs {
		own[owner(p)] = true
		if asked(owner(p)) {
			from = append(from, p)
		}
	}
	packages.Visit(from, nil, func(p *packages.Package) {
		if own[owner(p)] {
			out[owner(p)] = true
		}
	})
}

// Module returns the path of the module, "" where nothing tells it.
func (l *Listing) Module() string {
	for _, p := range l.pkgs {
		if p.Module != nil && p.Module.Main {
			return p.Module.Path
		}
	}
	return ""
}

// owner returns the import path of the package that a variant of it, or what is compiled
// for its tests, belongs to.
func owner(p *packages.Package) string {
	switch {
	case isTestMain(p):
		return strings.TrimSuffix(p.PkgPath, ".test")
	case p.ForTest != "":
		return p.ForTest
	}
	return p.PkgPath
}

// count returns how many packages the module has.
func (l *Listing) count() int {
	own := map[string]bool{}
	for _, p := range l.pkgs {
		own[owner(p)] = true
	}
	return len(own)
}

// mark adds the packages that differing files belong to. It reports whether these are
// the module's.
func (l *Listing) mark(differing []string, changed map[string]bool) bool {
	at, embedding, outside := map[string][]string{}, map[string][]string{}, map[string]bool{}
	packages.Visit(l.pkgs, nil, func(p *packages.Package) {
		if isTestMain(p) {
			return
		}
		dirs := map[string]bool{}
		for _, files := range [][]string{p.GoFiles, p.OtherFiles, p.IgnoredFiles} {
			for _, file := range files {
				dirs[filepath.Dir(file)] = true
			}
		}
		for dir := range dirs {
			at[dir] = append(at[dir], p.PkgPath)
			outside[dir] = outside[dir] || p.Module == nil || !p.Module.Main
		}
		for _, file := range p.EmbedFiles {
			embedding[file] = append(embedding[file], p.PkgPath)
		}
	})
	for _, rel := range differing {
		file := filepath.Join(l.opt.Root, filepath.FromSlash(rel))
		if tellsWhat(file) {
			return false
		}
		for _, path := range embedding[file] {
			changed[path] = true
		}
		dir := filepath.Dir(file)
		for filepath.Ext(file) != ".go" && len(at[dir]) == 0 && len(dir) > len(l.opt.Root) {
			dir = filepath.Dir(dir) // what is no Go may be included from above
		}
		if outside[dir] {
			return false
		}
		for _, path := range at[dir] {
			changed[path] = true
		}
	}
	return true
}

// tellsWhat reports whether a file says what a module is built with.
func tellsWhat(file string) bool {
	switch filepath.Base(file) {
	case "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt":
		return true
	}
	return slices.Contains(strings.Split(filepath.ToSlash(file), "/"), "vendor")
}

// linking adds the changed packages, and those that import one of them in their code or
// tests, directly or through others.
func (l *Listing) linking(changed, out map[string]bool) {
	links := map[*packages.Package]bool{}
	packages.Visit(l.pkgs, nil, func(p *packages.Package) {
		links[p] = changed[p.PkgPath]
		for _, imported := range p.Imports {
			links[p] = links[p] || links[imported]
		}
	})
	for _, p := range l.pkgs {
		if links[p] {
			out[owner(p)] = true
		}
	}
}

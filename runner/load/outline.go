package load

import (
	"bytes"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/isodelta/isodelta/internal/regular"
)

// The go command finds, and fetches, every module that a package imports which it lists. Of a large module most
// packages have nothing to do with a change, so what imports what within the module is read from its
// files before anything is listed.

// Outline is what packages two versions of one module have, base and head, and which of these import each other, as
// their files say; see ReadOutline.
type Outline struct {
	module   string
	versions [2]map[string]*sourcePackage // by import path
	dir      string                       // of the module in the trees, slash-separated, "." for the top
}

// sourcePackage is a folder with Go files.
type sourcePackage struct {
	code, tests map[string]bool // what of the module they import
	embeds      bool
	dir         string // slash-separated, relative to the module
}

// maxSource is how large a Go file may be whose imports are read.
const maxSource = 1 << 22

// ReadOutline reads the imports of both versions of a module, that lie at dirs, in trees at roots, both base and head. Files
// that build constraints leave out do not count. The result is nil where the module is not so large that
// List and Load leave anything out.
func ReadOutline(roots, dirs [2]string, tags []string) *Outline {
	o := &Outline{}
	ctx := build.Default
	ctx.BuildTags = tags
	for side, dir := range dirs {
		rel, err := filepath.Rel(roots[side], dir)
		if err != nil {
			return nil
		}
		o.dir = filepath.ToSlash(rel)
		text, err := regular.ReadFile(filepath.Join(dir, "go.mod"), maxSource)
		if err != nil {
			return nil
		}
		if o.module = modfile.ModulePath(text); o.module == "" {
			return nil
		}
		o.versions[side] = map[string]*sourcePackage{}
		if o.read(&ctx, dir, o.versions[side]) != nil {
			return nil
		}
	}
	if max(len(o.versions[0]), len(o.versions[1])) < narrowAbove {
		return nil
	}
	return o
}

// Module is the module's path.
func (o *Outline) Module() string { return o.module }

// read reads the packages below the folder of a module.
func (o *Outline) read(ctx *build.Context, dir string, to map[string]*sourcePackage) error {
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if file != dir && notListed(file, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !strings.HasSuffix(d.Name(), ".go") {
			return nil
		}
		if match, err := ctx.MatchFile(filepath.Dir(file), d.Name()); err != nil || !match {
			return nil
		}
		rel, err := filepath.Rel(dir, filepath.Dir(file))
		if err != nil {
			return err
		}
		o.file(file, filepath.ToSlash(rel), to)
		return nil
	})
}

// notListed reports whether ./... leaves a folder out.
func notListed(dir, name string) bool {
	if leftOut(name) {
		return true
	}
	_, err := regular.ReadFile(filepath.Join(dir, "go.mod"), maxSource)
	return err == nil
}

// leftOut reports whether the name of a folder says that the go command looks for no packages in it.
func leftOut(name string) bool {
	return name == "testdata" || name == "vendor" || name != "." && strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// file takes in what a Go file imports. What cannot be parsed imports nothing: listing it says why.
func (o *Outline) file(name, dir string, to map[string]*sourcePackage) {
	text, err := regular.ReadFile(name, maxSource)
	if err != nil {
		return
	}
	at := path.Join(o.module, dir)
	p := to[at]
	if p == nil {
		p = &sourcePackage{code: map[string]bool{}, tests: map[string]bool{}, dir: dir}
		to[at] = p
	}
	p.embeds = p.embeds || bytes.Contains(text, []byte("//go:embed"))
	f, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.SkipObjectResolution)
	if f == nil {
		return
	}
	imports := p.code
	if strings.HasSuffix(name, "_test.go") {
		imports = p.tests
	}
	for _, spec := range f.Imports {
		if to, err := strconv.Unquote(spec.Path.Value); err == nil && (to == o.module || strings.HasPrefix(to, o.module+"/")) {
			imports[to] = true
		}
	}
}

// Patterns returns what to list of base and of head, so that Reachable finds what it would find if all were
// listed: the packages that it wants, those that are asked for, and what of the module these import. The arguments
// are those of Reachable. Both are nil where all are to be listed.
func (o *Outline) Patterns(differing []string, asked func(path string) bool) [2][]string {
	wanted := map[string]bool{}
	for _, packages := range o.versions {
		for at := range packages {
			if asked != nil && asked(at) {
				wanted[at] = true
			}
		}
	}
	if slices.ContainsFunc(differing, tellsWhat) {
		if len(wanted) == 0 {
			return [2][]string{}
		}
	} else {
		changed, ok := o.changed(differing)
		if !ok || len(changed) == 0 {
			return [2][]string{}
		}
		for _, packages := range o.versions {
			linking(packages, changed, wanted)
		}
	}
	roots := slices.Sorted(maps.Keys(wanted))
	for _, packages := range o.versions {
		for _, at := range roots {
			needs(packages, at, true, wanted)
		}
	}
	var out [2][]string
	for side, packages := range o.versions {
		for _, at := range slices.Sorted(maps.Keys(wanted)) {
			if p := packages[at]; p != nil {
				out[side] = append(out[side], "./"+p.dir)
			}
		}
		if len(out[side]) == 0 {
			return [2][]string{}
		}
	}
	return out
}

// changed are the packages that differing files may belong to: that of their folder, and for what is no Go, the nearest
// above, and all above that embed files. It reports false where a Go file is none of the module's, for this one may be built
// with another that lies beside it.
func (o *Outline) changed(differing []string) (map[string]bool, bool) {
	var at [2]map[string]string // by folder
	for side, packages := range o.versions {
		at[side] = map[string]string{}
		for path, p := range packages {
			at[side][p.dir] = path
		}
	}
	out := map[string]bool{}
	for _, name := range differing {
		isGo := strings.HasSuffix(name, ".go")
		rel, ok := o.rel(name)
		if !ok {
			if isGo {
				return nil, false
			}
			continue
		}
		dir, known := path.Dir(rel), false
		for side := range at {
			if p := at[side][dir]; p != "" {
				out[p], known = true, true
			}
		}
		switch {
		case isGo && !known && !slices.ContainsFunc(strings.Split(dir, "/"), leftOut):
			return nil, false
		case !isGo:
			for side := range at {
				o.above(side, at[side], dir, out)
			}
		}
	}
	return out, true
}

// rel is the name of a file as seen from the module; it reports whether the file is in its folder.
func (o *Outline) rel(name string) (string, bool) {
	if o.dir == "." {
		return name, true
	}
	return strings.CutPrefix(name, o.dir+"/")
}

// above adds the nearest package at a folder or above it, and all there that embed files.
func (o *Outline) above(side int, at map[string]string, dir string, out map[string]bool) {
	found := false
	for ; ; dir = path.Dir(dir) {
		if p := at[dir]; p != "" {
			if !found || o.versions[side][p].embeds {
				out[p] = true
			}
			found = true
		}
		if dir == "." || dir == "/" {
			return
		}
	}
}

// linking adds the packages whose code or tests link one of those that changed.
func linking(packages map[string]*sourcePackage, changed, out map[string]bool) {
	known := map[string]bool{}
	var links func(at string) bool
	links = func(at string) bool {
		if yes, ok := known[at]; ok {
			return yes
		}
		known[at] = changed[at] // also while it is looked at: packages that import each other do not build
		if p := packages[at]; p != nil && !changed[at] {
			for to := range p.code {
				if links(to) {
					known[at] = true
				}
			}
		}
		return known[at]
	}
	for at, p := range packages {
		reaches := links(at)
		for to := range p.tests {
			reaches = reaches || links(to)
		}
		if reaches {
			out[at] = true
		}
	}
}

// needs adds what of the module a package imports, directly or through others, and what its own tests import.
func needs(packages map[string]*sourcePackage, at string, tests bool, out map[string]bool) {
	p := packages[at]
	if p == nil {
		return
	}
	follow := func(to string) {
		if !out[to] {
			out[to] = true
			needs(packages, to, false, out)
		}
	}
	for to := range p.code {
		follow(to)
	}
	if tests {
		for to := range p.tests {
			follow(to)
		}
	}
}

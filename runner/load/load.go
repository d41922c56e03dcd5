package load

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Options of one load.
type Options struct {
	Root     string   // of the materialised tree; file names are given relative to it
	Dir      string   // of the module, absolute, in Root
	Patterns []string // as for go list; none means ./...
	Tags     []string // build tags
	Env      []string // nil means os.Environ()
	// Listed is called as soon as it is known what imports what, before anything is
	// parsed; nil for nobody. See Outside.
	Listed func(Outside)

	// Partly says that packages which do not build are put into Tree.Broken, as long as
	// there are others. Otherwise they are an error.
	Partly bool

	sourceOnly bool // as where nothing was compiled before
}

// Tree is one loaded version of one module.
type Tree struct {
	Root, Dir string
	Module    string   // module path
	GoVersion string   // of the module's go line, such as "1.21"; "" where there is none
	Env       []string // of the go command that loaded it
	Fset      *token.FileSet
	Packages  []*Package // sorted by import path
	// Left are the import paths of packages that were not wanted, see Listing; nil where
	// all are.
	Left   map[string]bool
	Broken []Broken // packages that do not build, sorted by import path; see Options.Partly

	listed []*packages.Package // what was asked for, with all that it imports
	config *packages.Config    // of listing it
}

// Package is one package of the module with its tests.
type Package struct {
	Path string
	Dir  string            // absolute
	Code *packages.Package // without tests
	// Test is the package compiled with its _test.go files, nil where there
	// are none; XTest is the external package_test, likewise. Syntax trees of
	// non-test files are shared between Code and Test, type information is not.
	Test, XTest *packages.Package
	// Unfit are the test files of those that cannot be built, absolute, and Reason says why.
	Unfit  []string
	Reason string
}

// HideUnfit has the go command not see the test files that cannot be built: it is given an overlay, and the rest
// of the package is built without them.
func (t *Tree) HideUnfit(overlay map[string]string) {
	for _, p := range t.Packages {
		for _, file := range p.Unfit {
			overlay[file] = ""
		}
	}
}

// TestImports are the import paths that the package's test binary links
// directly: those of its code and of both kinds of tests.
func (p *Package) TestImports() map[string]bool {
	out := map[string]bool{}
	for _, q := range p.Variants() {
		for path := range q.Imports {
			out[path] = true
		}
	}
	return out
}

// Variants returns which of the package's code, the same with its tests, and its
// external test there are.
func (p *Package) Variants() []*packages.Package {
	return slices.DeleteFunc([]*packages.Package{p.Code, p.Test, p.XTest}, func(q *packages.Package) bool { return q == nil })
}

// Linked are the import paths of all packages that the tree's code and tests are built with, those of others among
// them, but for the distribution's.
func (t *Tree) Linked() map[string]bool {
	out := map[string]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		if out[p.PkgPath] {
			return
		}
		out[p.PkgPath] = true
		for _, q := range p.Imports {
			visit(q)
		}
	}
	for _, p := range t.Packages {
		for _, q := range p.Variants() {
			for _, r := range q.Imports {
				visit(r)
			}
		}
		out[p.Path] = true
	}
	maps.DeleteFunc(out, func(path string, _ bool) bool {
		first, _, _ := strings.Cut(path, "/")
		own := path == t.Module || strings.HasPrefix(path, t.Module+"/")
		return !own && !strings.Contains(first, ".")
	})
	return out
}

// Broken is a package whose code does not build.
type Broken struct {
	Path, Dir string
	Messages  []string // the compiler's complaints, at least one
}

// An Error says that a version cannot be loaded; Messages holds the
// compiler's first complaints, one each.
type Error struct {
	Dir      string
	Messages []string
}

func (e *Error) Error() string {
	return fmt.Sprintf("packages in %s do not build:\n\t%s", e.Dir, strings.Join(e.Messages, "\n\t"))
}

// mode is of packages without types: see typing.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
	packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedForTest | packages.NeedEmbedFiles |
	packages.NeedTypesSizes

// Load loads a module. Errors in non-test code are returned as *Error; a test
// package with errors is left nil.
func Load(ctx context.Context, opt Options) (*Tree, error) {
	l, err := List(ctx, opt)
	if err != nil {
		return nil, err
	}
	return l.Load(ctx, nil)
}

// everything is what is listed where nothing is asked for.
var everything = []string{"./..."}

// complete fills in what the zero values of options stand for.
func (opt Options) complete() Options {
	if len(opt.Patterns) == 0 {
		opt.Patterns = everything
	}
	if opt.Env == nil {
		opt.Env = os.Environ()
	}
	return opt
}

// Load loads what was listed, as the function of this name does. Where only some packages
// are wanted, by import path, the others are not in the tree: of these what the wanted ones
// import is declared, without the bodies of functions.
func (l *Listing) Load(ctx context.Context, wanted map[string]bool) (*Tree, error) {
	opt, cfg := l.opt, l.cfg
	pkgs := l.pkgs
	t := &Tree{Root: opt.Root, Dir: opt.Dir, Env: opt.Env, Fset: cfg.Fset, listed: pkgs, config: cfg}
	for _, p := range pkgs {
		if p.Module != nil && t.Module == "" {
			t.Module, t.GoVersion = p.Module.Path, p.Module.GoVersion
		}
	}
	if wanted != nil {
		t.Left = map[string]bool{}
		pkgs = slices.DeleteFunc(slices.Clone(pkgs), func(p *packages.Package) bool {
			left := !wanted[owner(p)]
			if left {
				t.Left[owner(p)] = true
			}
			return left
		})
	}
	if err := typeCheck(ctx, cfg, pkgs, extent{sourceOnly: opt.sourceOnly, wanted: wanted}); err != nil {
		return nil, fmt.Errorf("load %s: %w", opt.Dir, err)
	}
	byPath := map[string]*Package{}
	get := func(path string) *Package {
		p := byPath[path]
		if p == nil {
			p = &Package{Path: path}
			byPath[path] = p
		}
		return p
	}
	for _, p := range pkgs {
		switch {
		case isTestMain(p):
			continue
		case p.ForTest == "":
			if len(p.Errors) > 0 || p.IllTyped {
				t.Broken = append(t.Broken, brokenPackage(p, opt.Root))
				continue
			}
			if len(p.GoFiles) > 0 || len(p.CompiledGoFiles) > 0 {
				q := get(p.PkgPath)
				q.Code, q.Dir = p, p.Dir
				if q.Dir == "" && len(p.GoFiles) > 0 {
					q.Dir = filepath.Dir(p.GoFiles[0])
				}
			}
		case strings.HasSuffix(p.ID, ".test]") && unfit(p) != "":
			q := get(p.ForTest)
			for _, file := range p.GoFiles {
				if strings.HasSuffix(file, "_test.go") {
					q.Unfit = append(q.Unfit, file)
				}
			}
			q.Reason = cmp.Or(q.Reason, strings.ReplaceAll(unfit(p), opt.Root+string(filepath.Separator), ""))
		case strings.HasSuffix(p.ID, ".test]"):
			q := get(p.ForTest)
			if p.PkgPath == p.ForTest {
				q.Test = p
			} else if p.PkgPath == p.ForTest+"_test" {
				q.XTest = p
			}
			if q.Dir == "" && len(p.GoFiles) > 0 {
				q.Dir = filepath.Dir(p.GoFiles[0])
			}
		}
	}
	slices.SortFunc(t.Broken, func(a, b Broken) int { return strings.Compare(a.Path, b.Path) })
	for _, b := range t.Broken {
		delete(byPath, b.Path)
	}
	if len(t.Broken) > 0 && (!opt.Partly || len(byPath) == 0) {
		return nil, t.Refuse(t.Broken)
	}
	for _, p := range byPath {
		t.Packages = append(t.Packages, p)
	}
	sort.Slice(t.Packages, func(i, j int) bool { return t.Packages[i].Path < t.Packages[j].Path })
	if len(t.Packages) == 0 && len(t.Left) == 0 {
		return nil, &Error{Dir: opt.Dir, Messages: []string{"no Go packages match " + strings.Join(opt.Patterns, " ")}}
	}
	return t, nil
}

// Refuse returns the error of a tree that is of no use, since packages do not build.
func (t *Tree) Refuse(broken []Broken) *Error {
	const maxMessages = 10
	var messages []string
	for _, b := range broken {
		messages = append(messages, b.Messages...)
	}
	messages = eachReason(messages)
	if len(messages) > maxMessages {
		messages = append(messages[:maxMessages], fmt.Sprintf("and %d more", len(messages)-maxMessages))
	}
	return &Error{Dir: t.Dir, Messages: messages}
}

// brokenPackage says what is wrong with a package.
func brokenPackage(p *packages.Package, root string) Broken {
	b := Broken{Path: p.PkgPath, Dir: p.Dir, Messages: errorTexts(p, root)}
	if b.Dir == "" && len(p.GoFiles) > 0 {
		b.Dir = filepath.Dir(p.GoFiles[0])
	}
	if len(b.Messages) > 0 {
		return b
	}
	for path, q := range p.Imports {
		if q.IllTyped {
			b.Messages = append(b.Messages, p.PkgPath+" imports "+path+", which does not build")
		}
	}
	slices.Sort(b.Messages)
	return b
}

func list(ctx context.Context, opt Options) (*Listing, error) {
	cfg := &packages.Config{Context: ctx, Mode: mode, Dir: opt.Dir, Env: opt.Env, Fset: token.NewFileSet(), Tests: true}
	if len(opt.Tags) > 0 {
		cfg.BuildFlags = []string{"-tags=" + strings.Join(opt.Tags, ",")}
	}
	pkgs, err := packages.Load(cfg, opt.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", opt.Dir, err)
	}
	if opt.Listed != nil {
		opt.Listed(func(c Concern) []string { return outside(pkgs, c) })
	}
	return &Listing{opt: opt, pkgs: pkgs, cfg: cfg, part: !slices.Equal(opt.Patterns, everything)}, nil
}

// unfit says why tests cannot be built: an error in them, or an import that does not build; "" where they can. External
// tests may do without the others of their package.
func unfit(p *packages.Package) string {
	if len(p.Errors) > 0 {
		return p.Errors[0].Error()
	}
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		if q := p.Imports[path]; q.IllTyped && q.PkgPath != p.ForTest {
			return path + ", which it imports, does not build"
		}
	}
	return ""
}

func errorTexts(p *packages.Package, root string) []string {
	var out []string
	for _, e := range p.Errors {
		out = append(out, strings.ReplaceAll(e.Error(), root+string(filepath.Separator), ""))
	}
	return out
}

// Rel returns a file's slash-separated name relative to the tree's root.
func (t *Tree) Rel(file string) string {
	rel, err := filepath.Rel(t.Root, file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// Short strips the module's path from a qualified name, so that
// "(*example.com/m/pkg.T).Push" becomes "(*pkg.T).Push" and, at the module's
// root, "(*T).Push".
func (t *Tree) Short(name string) string {
	name = strings.ReplaceAll(name, t.Module+"/", "")
	return strings.ReplaceAll(name, t.Module+".", "")
}

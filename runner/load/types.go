package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
)

// typing parses and type-checks the packages of the main module from source. Package
// packages can do that, too, but asks the go command for export data of all packages
// then, which compiles each package of the module, and each of its tests, to no purpose.
// The others are read from export data if there is some for all, else from source
// without the bodies of functions: to compile them takes tens of seconds, of the
// distribution to no purpose, too, since tests are built against another run time.
type typing struct {
	fset   *token.FileSet
	source map[*packages.Package]bool // what is type-checked whole
	extent
	graph   []*packages.Package // that, imports before their importers
	outside []*packages.Package // what is not, likewise
	left    []*packages.Package // of outside, those that belong to the main module

	mu    sync.Mutex
	files map[string]func() (*ast.File, error) // parsed once: variants share files
}

// extent is what is type-checked whole.
type extent struct {
	wanted     map[string]bool // packages of the main module, by path; nil for all
	modules    map[string]bool // further modules
	sourceOnly bool            // nothing is read from export data that source tells
}

// typeCheck fills in the syntax, the types and the mistakes of the main module's packages
// among pkgs and what they import, to some extent.
func typeCheck(ctx context.Context, cfg *packages.Config, pkgs []*packages.Package, whole extent) error {
	t := &typing{extent: whole, fset: cfg.Fset, source: map[*packages.Package]bool{}, files: map[string]func() (*ast.File, error){}}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		switch t.source[p] = t.fromSource(p); {
		case p.PkgPath == "unsafe":
			p.Types = types.Unsafe
		case t.source[p]:
			t.graph = append(t.graph, p)
		case !isTestMain(p):
			t.outside = append(t.outside, p)
			if t.isLeft(p) {
				t.left = append(t.left, p)
			}
		}
	})
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error { return t.declared(gctx, cfg) })
	g.Go(func() error { return t.parse(gctx) })
	if err := g.Wait(); err != nil {
		return err
	}
	return inOrder(ctx, t.graph, t.one)
}

// declared fills in the types of the packages outside the main module. Where nobody has
// compiled them, or sourceOnly, source tells them; where it does not, as with some C,
// export data does.
func (t *typing) declared(ctx context.Context, cfg *packages.Config) error {
	wanted := map[string]bool{}
	for _, p := range slices.Concat(t.graph, t.left) {
		for _, imported := range p.Imports {
			if !t.source[imported] && !t.isLeft(imported) && imported.PkgPath != "unsafe" {
				wanted[imported.PkgPath] = true
			}
		}
	}
	paths := slices.Sorted(maps.Keys(wanted))
	if t.sourceOnly || stale(ctx, cfg, paths) {
		failed := make(chan struct{}, len(t.outside))
		missing := t.missing()
		if err := inOrder(ctx, t.outside, func(p *packages.Package) {
			if !missing[p] && !t.declarations(p) {
				failed <- struct{}{}
			}
		}); err != nil || len(failed) == 0 {
			return err
		}
	}
	others, err := compiled(ctx, cfg, paths)
	for _, p := range t.outside {
		p.Types = nil // not of two sources
		if q := others[p.PkgPath]; q != nil {
			p.Types, p.Errors = q.Types, q.Errors
		}
	}
	if err != nil {
		return err
	}
	// What is left of the module has no export data: it would have to be compiled first.
	return inOrder(ctx, t.left, func(p *packages.Package) { t.declarations(p) })
}

// missing returns the packages outside the main module that the go command does not find, or finds mistakes in, and
// those that import them. Nothing declares these: to compile the others helps them no more.
func (t *typing) missing() map[*packages.Package]bool {
	out := map[*packages.Package]bool{}
	packages.Visit(t.outside, nil, func(p *packages.Package) {
		out[p] = len(p.Errors) > 0
		for _, imported := range p.Imports {
			out[p] = out[p] || out[imported]
		}
	})
	return out
}

// isLeft reports whether a package belongs to the main module and is not wanted.
func (t *typing) isLeft(p *packages.Package) bool {
	return p.Module != nil && p.Module.Main && t.wanted != nil && !t.wanted[owner(p)]
}

// stale reports whether the go command would compile some of the packages, or what they
// import, before it had their export data. Mistakes are left to the one that asks for it.
func stale(ctx context.Context, cfg *packages.Config, paths []string) bool {
	if len(paths) == 0 {
		return false
	}
	args := slices.Concat([]string{"list", "-e", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, cfg.BuildFlags, []string{"--"}, paths)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	out, err := cmd.Output()
	return err == nil && len(bytes.TrimSpace(out)) > 0
}

// declarations type-checks a package without the bodies of functions, and reports whether
// there was no mistake.
func (t *typing) declarations(p *packages.Package) bool {
	var files []*ast.File
	for _, name := range p.CompiledGoFiles {
		f, err := parser.ParseFile(t.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		files = append(files, f)
	}
	conf := t.config(p)
	conf.IgnoreFuncBodies = true
	p.Types = types.NewPackage(p.PkgPath, p.Name)
	return types.NewChecker(&conf, t.fset, p.Types, nil).Files(files) == nil
}

// config is how a package is type-checked.
func (t *typing) config(p *packages.Package) types.Config {
	conf := types.Config{Importer: importer(func(path string) (*types.Package, error) { return imported(p, path) }), Sizes: p.TypesSizes}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	return conf
}

// compiled reads packages from export data, by import path.
func compiled(ctx context.Context, cfg *packages.Config, paths []string) (map[string]*packages.Package, error) {
	out := map[string]*packages.Package{}
	if len(paths) == 0 {
		return out, nil
	}
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Dir: cfg.Dir, Env: cfg.Env, BuildFlags: cfg.BuildFlags, Fset: cfg.Fset,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedExportFile}, paths...)
	for _, p := range pkgs {
		out[p.PkgPath] = p
	}
	return out, err
}

// fromSource reports whether a package, whose imports were asked about before, is
// type-checked from source: those of the main module or, in a workspace, modules, what
// is compiled for a test of them, and what imports one of these, since its export data
// has types of its own for it.
func (t *typing) fromSource(p *packages.Package) bool {
	if isTestMain(p) {
		return false
	}
	if p.Module != nil && (p.Module.Main && !t.isLeft(p) || t.modules[p.Module.Path]) || p.ForTest != "" {
		return true
	}
	for _, imported := range p.Imports {
		if t.source[imported] {
			return true
		}
	}
	return false
}

// isTestMain reports whether the go command makes the package up, to run tests.
func isTestMain(p *packages.Package) bool {
	return strings.HasSuffix(p.PkgPath, ".test") && p.Name == "main" && p.ForTest == ""
}

// parse parses all files, several at a time.
func (t *typing) parse(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range t.graph {
		for _, file := range p.CompiledGoFiles {
			g.Go(func() error {
				_, _ = t.file(file) // kept, with its mistakes
				return ctx.Err()
			})
		}
	}
	return g.Wait()
}

// file returns the syntax tree of a file; the error is a scanner.ErrorList or the file
// system's.
func (t *typing) file(name string) (*ast.File, error) {
	t.mu.Lock()
	once, ok := t.files[name]
	if !ok {
		once = sync.OnceValues(func() (*ast.File, error) {
			return parser.ParseFile(t.fset, name, nil, parser.AllErrors|parser.ParseComments)
		})
		t.files[name] = once
	}
	t.mu.Unlock()
	return once()
}

// inOrder does something for packages, for each after what it imports, several at a time.
func inOrder(ctx context.Context, graph []*packages.Package, do func(*packages.Package)) error {
	done := map[*packages.Package]chan struct{}{}
	for _, p := range graph {
		done[p] = make(chan struct{})
	}
	tokens := make(chan struct{}, runtime.GOMAXPROCS(0))
	g, ctx := errgroup.WithContext(ctx)
	for _, p := range graph {
		g.Go(func() error {
			for _, imported := range p.Imports {
				if wait := done[imported]; wait != nil {
					select {
					case <-wait:
					case <-ctx.Done():
						return ctx.Err()
					}
				}
			}
			tokens <- struct{}{}
			defer func() { <-tokens }()
			do(p)
			close(done[p])
			return ctx.Err()
		})
	}
	return g.Wait()
}

// one type-checks a package whose imports are complete.
func (t *typing) one(p *packages.Package) {
	p.Fset = t.fset
	for _, name := range p.CompiledGoFiles {
		f, err := t.file(name)
		if f != nil {
			p.Syntax = append(p.Syntax, f)
		}
		p.Errors = append(p.Errors, parseErrors(err)...)
	}
	p.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	conf := t.config(p)
	conf.Error = func(err error) {
		var e types.Error
		if !errors.As(err, &e) {
			p.Errors = append(p.Errors, packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.UnknownError})
			return
		}
		p.TypeErrors = append(p.TypeErrors, e)
		p.Errors = append(p.Errors, packages.Error{Pos: t.fset.Position(e.Pos).String(), Msg: e.Msg, Kind: packages.TypeError})
	}
	p.Types = types.NewPackage(p.PkgPath, p.Name)
	if err := types.NewChecker(&conf, t.fset, p.Types, p.TypesInfo).Files(p.Syntax); err != nil && len(p.Errors) == 0 {
		conf.Error(err)
	}
	p.IllTyped = len(p.Errors) > 0
	for _, imported := range p.Imports {
		p.IllTyped = p.IllTyped || imported.IllTyped
	}
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// imported returns what a package imports by a path.
func imported(p *packages.Package, path string) (*types.Package, error) {
	q := p.Imports[path]
	switch {
	case path == "unsafe":
		return types.Unsafe, nil
	case q == nil:
		return nil, fmt.Errorf("there is no %s", path)
	case q.Types != nil && q.Types.Complete():
		return q.Types, nil
	case len(q.Errors) > 0:
		return nil, errors.New(q.Errors[0].Msg)
	}
	return nil, errors.New("it does not compile")
}

// parseErrors returns the mistakes that reading a file came upon.
func parseErrors(err error) []packages.Error {
	var list scanner.ErrorList
	switch {
	case err == nil:
		return nil
	case errors.As(err, &list):
		var out []packages.Error
		for _, e := range list {
			out = append(out, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
		return out
	}
	return []packages.Error{{Pos: "-", Msg: err.Error(), Kind: packages.ParseError}}
}

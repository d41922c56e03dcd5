package isomorph

import (
	"context"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"sort"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// Program is one version in static single assignment form.
type Program struct {
	tree      *load.Tree
	names     *namer
	functions map[string]*function   // by key
	order     []string               // of keys, sorted
	leaves    map[*ssa.If]load.Place // the leaf condition that an If decides
	ifs       Unmapped
	variables *variables
	mentions  mentions

	graphOnce sync.Once
	graph     *graph // for Reach; built when first asked for
	graphErr  error

	aheadOnce sync.Once
	ahead     *aheadGraph // for Ahead; likewise
}

// function is a declared function with its closures, or a package initialiser.
type function struct {
	key         string // package path, receiver, name, signature
	family      string // the key without the signature
	name        string // short
	pkg         string // import path
	packageInit bool   // the synthesised initialiser of package variables
	init        bool   // packageInit, or a declared init function
	fn          *ssa.Function
	span        *Span             // nil for package initialisers
	canonical   [sha256.Size]byte // digest of the text of the body, see canonical.go
}

// newProgram builds the code of a tree, tests left out.
func newProgram(ctx context.Context, t *load.Tree) (*Program, error) {
	p := &Program{
		tree: t, names: newNamer(), functions: map[string]*function{}, leaves: map[*ssa.If]load.Place{},
		ifs: Unmapped{Unmapped: map[string]int{}}, variables: newVariables(), mentions: mentions{},
	}
	units := make([]unit, 0, len(t.Packages))
	for _, q := range t.Packages {
		if q.Code != nil && !q.Code.IllTyped && q.Code.Types != nil {
			units = append(units, unit{path: q.Path, types: q.Code.Types, files: q.Code.Syntax, info: q.Code.TypesInfo})
		}
	}
	prog, err := buildSSA(ctx, t.Fset, units)
	if err != nil {
		return nil, err
	}
	var at leafMap
	for _, u := range units {
		at = p.addPackage(prog, u, at)
	}
	at.resolve(p)
	for key := range p.functions {
		p.order = append(p.order, key)
	}
	sort.Strings(p.order)
	return p, nil
}

// unit is one type-checked package, in one of its variants.
type unit struct {
	path  string // import path of the package it belongs to
	types *types.Package
	files []*ast.File
	info  *types.Info
}

// functions yields the functions that the unit declares, with what prog has made of them.
func (u unit) functions(prog *ssa.Program) iter.Seq2[*ast.FuncDecl, *ssa.Function] {
	return func(yield func(*ast.FuncDecl, *ssa.Function) bool) {
		for _, file := range u.files {
			for _, decl := range file.Decls {
				d, ok := decl.(*ast.FuncDecl)
				if !ok || d.Name.Name == "_" {
					continue
				}
				obj, _ := u.info.Defs[d.Name].(*types.Func)
				if obj == nil {
					continue
				}
				if fn := prog.FuncValue(obj); fn != nil && !yield(d, fn) {
					return
				}
			}
		}
	}
}

// buildSSA builds packages together with declarations of all they import. The
// calls of imported packages' initialisers and the guards around them are left
// out (ssa.BareInits): which packages are imported is compared by itself. It gives up
// between two packages when ctx ends.
func buildSSA(ctx context.Context, fset *token.FileSet, units []unit) (prog *ssa.Program, err error) {
	prog = ssa.NewProgram(fset, ssa.GlobalDebug|ssa.BareInits)
	created := map[*types.Package]bool{}
	building := ""
	defer func() {
		// The builder panics on what it does not know. The module is then
		// beyond this analysis, but the program must end with a sentence.
		if r := recover(); r != nil {
			prog, err = nil, fmt.Errorf("package %s: cannot build its intermediate form: %v", building, r)
		}
	}()
	for _, u := range units {
		building = u.path
		created[u.types] = true
		prog.CreatePackage(u.types, u.files, u.info, false)
	}
	var declare func([]*types.Package)
	declare = func(imports []*types.Package) {
		for _, q := range imports {
			if !created[q] {
				created[q] = true
				prog.CreatePackage(q, nil, nil, false)
				declare(q.Imports())
			}
		}
	}
	for _, u := range units {
		building = u.path
		declare(u.types.Imports())
	}
	for _, u := range units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		building = u.path
		prog.Package(u.types).Build()
	}
	return prog, nil
}

// addPackage records a package's functions and adds its conditions to at.
func (p *Program) addPackage(prog *ssa.Program, u unit, at leafMap) leafMap {
	sp := prog.Package(u.types)
	init := sp.Func("init")
	p.add(&function{fn: init, pkg: u.path, packageInit: true, init: true})
	leaves := collectLeaves(u.files, u.info)
	at = at.add(p, init, leaves)
	p.variables.addInitialisers(u, prog)
	for d, fn := range u.functions(prog) {
		p.add(&function{
			fn: fn, pkg: u.path, span: p.span(d),
			init: d.Recv == nil && strings.HasPrefix(fn.Name(), "init#"),
		})
		at = at.add(p, fn, leaves)
	}
	return at
}

func (p *Program) add(f *function) {
	f.name = p.tree.Short(f.fn.String())
	f.family = f.pkg + "\x00" + f.fn.String()
	f.key = f.family + "\x00" + p.names.typ(f.fn.Signature)
	f.canonical = sha256.Sum256([]byte(canonicalText(p.names, f.fn)))
	p.functions[f.key] = f
	p.mentions.add(f)
	if f.init && !f.packageInit {
		p.variables.addInit(f.fn)
	}
	if !f.init {
		p.variables.addReads(f.fn, f.family)
	}
}

func (p *Program) span(d *ast.FuncDecl) *Span {
	return &Span{Place: p.tree.Place(d.Pos()), Line: p.tree.Line(d.Pos()), EndLine: p.tree.Line(d.End())}
}

// bodies lists a function and all closures in it.
func bodies(fn *ssa.Function) []*ssa.Function {
	list := []*ssa.Function{fn}
	for i := 0; i < len(list); i++ {
		list = append(list, list[i].AnonFuncs...)
	}
	return list
}

package isomorph

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// graph is the call graph of one version with its tests. Packages are loaded
// in several variants (alone, with tests, as others see them), each with types
// and objects of its own, so functions are known by where they are declared
// and types by their names. A body that occurs in several variants is analysed
// once.
type graph struct {
	tree   *load.Tree
	names  *namer
	bodies []*body
	at     map[load.Place]*body    // by start of the declaration, function literal or range statement
	byKey  map[string]*body        // declared functions, by funcKey
	byFn   map[*ssa.Function]*body // the analysed variant
	inits  map[string][]*body      // package initialisers by import path, that without tests first
	ifs    map[load.Place]branchAt

	sets   []*calleeSet          // all there are
	byIDs  map[string]*calleeSet // by their bodies
	unions map[string]*calleeSet // by what setOf made them of
	known  int                   // numbers of knownSets

	values    valueFlow
	unsound   string // why executions must not be left out, "" if they may
	ownImport map[string]bool
}

// body is one function, method or closure.
type body struct {
	id       int
	key      string // of a declared function, "" of others
	name     string
	fn       *ssa.Function
	sites    [][]site     // of each block, in order
	in       []*calleeSet // those that hold it
	deferred []*calleeSet // what its defer statements may call
	async    []*calleeSet // what it may set going on other goroutines, or later
	cleanup  []*calleeSet // what it leaves to the end of the test
	parallel bool         // calls (*testing.T).Parallel
	root     bool         // a test, benchmark, fuzz test or example
}

// site is a call with all that it may execute.
type site struct {
	callees *calleeSet
	// direct calls name their callee. Others execute a callee only where it
	// can be had as a value, see valueFlow.enablers.
	direct bool
	// again: more than one of the callees may run, in any order, as where a
	// function outside the module calls back.
	again bool
}

type caller struct{ body, block, site int }

type branchAt struct {
	body  *body
	block *ssa.BasicBlock
}

// newGraph analyses a version's code, already built, and its tests.
func newGraph(p *Program) (*graph, error) {
	g := &graph{
		tree: p.tree, names: p.names, at: map[load.Place]*body{}, byKey: map[string]*body{},
		byFn: map[*ssa.Function]*body{}, inits: map[string][]*body{}, ifs: map[load.Place]branchAt{},
		ownImport: map[string]bool{}, byIDs: map[string]*calleeSet{}, unions: map[string]*calleeSet{},
	}
	for _, q := range p.tree.Packages {
		g.ownImport[q.Path], g.ownImport[q.Path+"_test"] = true, true
	}
	for _, key := range p.order {
		f := p.functions[key]
		g.addFunction(f.fn, f.packageInit)
	}
	var units []unit
	for _, q := range p.tree.Packages {
		if q.Test != nil && !q.Test.IllTyped && q.Test.Types != nil {
			units = append(units, unit{path: q.Path, types: q.Test.Types, files: q.Test.Syntax, info: q.Test.TypesInfo})
		}
		if q.XTest != nil && !q.XTest.IllTyped && q.XTest.Types != nil {
			units = append(units, unit{path: q.Path, types: q.XTest.Types, files: q.XTest.Syntax, info: q.XTest.TypesInfo})
		}
	}
	// What is found is kept for all who ask, so that nobody's context ends it.
	tests, err := buildSSA(context.Background(), p.tree.Fset, units)
	if err != nil {
		return nil, err
	}
	for _, u := range units {
		g.addFunction(tests.Package(u.types).Func("init"), true)
		for _, fn := range u.functions(tests) {
			g.addFunction(fn, false)
		}
	}
	for i, at := range p.leaves {
		if b := g.byFn[i.Parent()]; b != nil {
			g.ifs[at] = branchAt{b, i.Block()}
		}
	}
	g.unsound = unsoundReason(p.tree)
	g.values.collect(g)
	for _, b := range g.bodies {
		g.resolveSites(b)
	}
	g.linkCallers()
	return g, nil
}

// addFunction adds a function and its closures, unless another variant of the
// same source is there.
func (g *graph) addFunction(fn *ssa.Function, packageInit bool) {
	if fn == nil {
		return
	}
	if !packageInit {
		if known := g.at[g.start(fn)]; known != nil {
			return
		}
	}
	for _, f := range bodies(fn) {
		if !packageInit || f != fn {
			at := g.start(f)
			if g.at[at] != nil {
				continue // a closure of an initialiser seen in another variant
			}
			b := g.newBody(f)
			g.at[at] = b
			continue
		}
		path := f.Pkg.Pkg.Path()
		g.inits[path] = append(g.inits[path], g.newBody(f))
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		b := g.byFn[fn]
		b.key = funcKey(obj)
		g.byKey[b.key] = b
		b.root = isTest(fn, g.tree)
	}
}

func (g *graph) newBody(f *ssa.Function) *body {
	b := &body{id: len(g.bodies), name: f.String(), fn: f}
	g.bodies = append(g.bodies, b)
	g.byFn[f] = b
	return b
}

// start of the syntax of a function: what tells it from all others in every
// variant.
func (g *graph) start(f *ssa.Function) load.Place {
	if s := f.Syntax(); s != nil {
		return g.tree.Place(s.Pos())
	}
	return load.Place{File: f.String(), Offset: -1} // no file has it
}

func isTest(fn *ssa.Function, t *load.Tree) bool {
	if fn.Signature.Recv() != nil || fn.Syntax() == nil ||
		!strings.HasSuffix(t.Place(fn.Syntax().Pos()).File, "_test.go") {
		return false
	}
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(prefix string) bool {
		return strings.HasPrefix(fn.Name(), prefix)
	})
}

// funcKey names a declared function or method alike in all variants.
func funcKey(obj *types.Func) string {
	obj = obj.Origin()
	recv := ""
	if r := obj.Signature().Recv(); r != nil {
		t := r.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			recv = n.Obj().Name()
		}
	}
	pkg := ""
	if obj.Pkg() != nil {
		pkg = obj.Pkg().Path()
	}
	return pkg + "." + recv + "." + obj.Name()
}

// resolveSites finds what each call of a body may execute.
func (g *graph) resolveSites(b *body) {
	b.sites = make([][]site, len(b.fn.Blocks))
	for k, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c := g.callees(call)
			if c.parallel {
				b.parallel = true
			}
			b.async = addSet(b.async, c.async)
			b.cleanup = addSet(b.cleanup, c.cleanup)
			switch call.(type) {
			case *ssa.Go:
				b.async = addSet(b.async, c.set)
			case *ssa.Defer:
				b.deferred = addSet(b.deferred, c.set)
			}
			if c.set != nil {
				b.sites[k] = append(b.sites[k], site{callees: c.set, direct: c.direct, again: c.again})
			}
		}
	}
}

func (g *graph) linkCallers() {
	for _, b := range g.bodies {
		for k, sites := range b.sites {
			for i, s := range sites {
				s.callees.callers = append(s.callees.callers, caller{b.id, k, i})
			}
		}
	}
	for _, s := range g.sets {
		for _, id := range s.ids {
			g.bodies[id].in = append(g.bodies[id].in, s)
		}
	}
}

// linked lists the packages of the module that are part of the test binary of
// a package, that package first.
func (g *graph) linked(path string) []string {
	out := []string{path}
	seen := map[string]bool{path: true}
	for i := 0; i < len(out); i++ {
		for _, q := range g.tree.Packages {
			if q.Path != out[i] {
				continue
			}
			variants := []*packages.Package{q.Code}
			if i == 0 {
				variants = append(variants, q.Test, q.XTest)
			}
			for _, v := range variants {
				if v == nil {
					continue
				}
				for imported := range v.Imports {
					if g.ownImport[imported] && !seen[imported] {
						seen[imported] = true
						out = append(out, imported)
					}
				}
			}
		}
	}
	return out
}

// unsoundReason names what the analysis cannot follow.
func unsoundReason(t *load.Tree) string {
	for _, q := range t.Packages {
		if q.Code == nil {
			continue
		}
		for _, bad := range []string{"unsafe", "plugin", "C"} {
			if q.Code.Imports[bad] != nil {
				return fmt.Sprintf("package %s imports %s", q.Path, bad)
			}
		}
		for _, f := range q.Code.OtherFiles {
			return fmt.Sprintf("package %s has a file not in Go, %s", q.Path, t.Rel(f))
		}
		for _, line := range directiveLines(q.Code) {
			if strings.HasPrefix(line, "//go:linkname ") {
				return fmt.Sprintf("package %s uses go:linkname", q.Path)
			}
		}
	}
	return ""
}

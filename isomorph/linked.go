package isomorph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/isodelta/isodelta/runner/load"
)

// linked is the code of a version together with its changed dependencies, in one
// universe of types, with who calls whom.
//
// The call graph follows types as they flow through variables (VTA). What packages
// without bodies call back is guessed: function values that a function mentions, and of
// the types that it turns into interfaces the methods that the distribution looks for, and those of
// the interface where such a package declares it.
type linked struct {
	names      *namer
	prog       *ssa.Program
	own        map[*ssa.Function]bool
	changed    map[*ssa.Function]string          // families of functions of Δ's part outside
	calls      map[*ssa.Function][]*ssa.Function // declared ones, closures counted to them
	outside    map[string]*outsideFunction       // of the packages that differ, by family
	holds      map[string]string                 // families of package variables that differ, by their names
	*variables                                   // of the packages that differ
}

// outsideFunction is a function of a package outside the module.
type outsideFunction struct {
	fn          *ssa.Function
	module, pkg string
	name        string
	digest      [sha256.Size]byte
}

func newLinked(ctx context.Context, s *load.Sources, bumps []load.Bump) (*linked, error) {
	l := &linked{names: newNamer(), own: map[*ssa.Function]bool{}, changed: map[*ssa.Function]string{}, calls: map[*ssa.Function][]*ssa.Function{},
		outside: map[string]*outsideFunction{}, holds: map[string]string{}, variables: newVariables()}
	moduleOf := map[string]string{}
	for _, b := range bumps {
		// All of its packages: a variable of one may be initialised by another.
		if b.Base != nil && b.Head != nil {
			for _, path := range b.Packages {
				moduleOf[path] = b.Path
			}
		}
	}
	own := map[string]bool{}
	var units []unit
	for _, list := range [][]*packages.Package{s.Outside, s.Own} {
		for _, p := range list {
			if !p.IllTyped && p.Types != nil && p.TypesInfo != nil {
				units = append(units, unit{path: p.PkgPath, types: p.Types, files: p.Syntax, info: p.TypesInfo})
			}
		}
	}
	for _, p := range s.Own {
		own[p.PkgPath] = true
	}
	bodies := map[string]bool{}
	for _, u := range units {
		bodies[u.path] = true
	}
	var err error
	if l.prog, err = buildSSA(ctx, s.Fset, units); err != nil {
		return nil, err
	}
	// Nothing ends this analysis before it is done, so that its goroutine is left to itself when ctx ends.
	linked := make(chan struct{})
	go func() {
		defer close(linked)
		l.linkCalls(ssautil.AllFunctions(l.prog), heldFunctions(l.prog, units), bodies)
	}()
	select {
	case <-linked:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for fn := range l.calls {
		if fn.Pkg != nil && own[fn.Pkg.Pkg.Path()] && (fn.Synthetic == "" || fn.Name() == "init") {
			l.own[fn] = true
		}
	}
	for _, u := range units {
		if module := moduleOf[u.path]; module != "" {
			l.addOutside(u, module, func(path string) bool { return moduleOf[path] == "" })
		}
	}
	return l, nil
}

// declaration returns the declared function that a closure, or an instance of a generic
// function, belongs to.
func declaration(fn *ssa.Function) *ssa.Function {
	fn = outermost(fn)
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// calledBack are the methods that the distribution calls on values that it is handed as
// some interface.
var calledBack = []string{"String", "Error", "Format", "GoString", "Unwrap", "Is", "As", "Len", "Less", "Swap", "Read", "Write", "Close", "ServeHTTP",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary", "MarshalXML", "UnmarshalXML", "Scan", "Value"}

// linkCalls notes which function may call which. A function that mentions a variable may call what the variable holds. bodies are the packages
// of which there are bodies.
func (l *linked) linkCalls(all map[*ssa.Function]bool, held map[*ssa.Global][]*ssa.Function, bodies map[string]bool) {
	edges := map[*ssa.Function]map[*ssa.Function]bool{}
	link := func(from, to *ssa.Function) {
		from, to = declaration(from), declaration(to)
		if edges[from] == nil {
			edges[from] = map[*ssa.Function]bool{}
		}
		if to != from {
			edges[from][to] = true
		}
	}
	graph := vta.CallGraph(all, cha.CallGraph(l.prog))
	_ = callgraph.GraphVisitEdges(graph, func(e *callgraph.Edge) error {
		if e.Caller.Func != nil && e.Callee.Func != nil {
			link(e.Caller.Func, e.Callee.Func)
		}
		return nil
	})
	for fn := range all {
		link(fn, fn)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if _, ok := instr.(*ssa.DebugRef); ok {
					continue
				}
				for _, operand := range instr.Operands(nil) {
					switch x := (*operand).(type) {
					case *ssa.Function:
						link(fn, x)
					case *ssa.Global:
						for _, f := range held[x] {
							link(fn, f)
						}
					}
				}
				if made, ok := instr.(*ssa.MakeInterface); ok {
					l.linkMethods(fn, made.X.Type(), calledBack, link)
					l.linkMethods(fn, made.X.Type(), l.calledElsewhere(made.Type(), bodies), link)
				}
			}
		}
	}
	for fn, to := range edges {
		l.calls[fn] = slices.SortedFunc(maps.Keys(to), func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	}
}

// calledElsewhere are the exported methods of an interface, given by its type, that a package without bodies declares: whoever is handed such a value
// calls them there.
func (l *linked) calledElsewhere(t types.Type, bodies map[string]bool) (names []string) {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || bodies[named.Obj().Pkg().Path()] {
		return nil
	}
	for method := range named.Underlying().(*types.Interface).Methods() {
		if method.Exported() {
			names = append(names, method.Name())
		}
	}
	return names
}

// linkMethods links a function to methods of a type, by their names.
func (l *linked) linkMethods(from *ssa.Function, t types.Type, names []string, link func(from, to *ssa.Function)) {
	methods := l.prog.MethodSets.MethodSet(t)
	for _, name := range names {
		if sel := methods.Lookup(nil, name); sel != nil {
			if fn := l.prog.MethodValue(sel); fn != nil {
				link(from, fn)
				if obj, ok := sel.Obj().(*types.Func); ok { // behind a wrapper
					if declared := l.prog.FuncValue(obj); declared != nil {
						link(from, declared)
					}
				}
			}
		}
	}
}

// addOutside records the functions and variables of a package of a changed module. same reports whether a package is of another module.
func (l *linked) addOutside(u unit, module string, same func(path string) bool) {
	for d, fn := range u.functions(l.prog) {
		family := u.path + "\x00" + fn.String()
		if d.Recv == nil && strings.HasPrefix(fn.Name(), "init#") {
			l.addInit(fn)
		}
		text := l.names.typ(fn.Signature) + canonicalText(l.names, fn) + l.names.handed(fn, same)
		name := strings.ReplaceAll(strings.ReplaceAll(fn.String(), u.path+".", ""), u.path+"/", "")
		l.outside[family] = &outsideFunction{fn: fn, module: module, pkg: u.path, name: name, digest: sha256.Sum256([]byte(text))}
		l.addReads(fn, family)
	}
	l.addInitialisers(u, l.prog)
}

// differing returns the functions outside the module that one version has and the other
// has not, or not so, and those that mention package variables with another value.
func (l *linked) differing(h *linked) map[string]*Outside {
	out := map[string]*Outside{}
	add := func(family string, f *outsideFunction, data string) {
		if out[family] == nil {
			d := &Outside{Module: f.module, Package: f.pkg, Name: f.name, Data: data, family: family}
			if now := h.outside[family]; now != nil {
				d.digest = hex.EncodeToString(now.digest[:]) + data
			}
			out[family] = d
		}
	}
	for family, hf := range h.outside {
		if bf := l.outside[family]; bf == nil || bf.digest != hf.digest {
			add(family, hf, "")
		}
	}
	for family, bf := range l.outside {
		if h.outside[family] == nil {
			add(family, bf, "")
		}
	}
	changed := changedVariables(l.variables, h.variables, func(family string) bool { return out[family] != nil })
	for _, side := range []*linked{h, l} {
		for _, name := range slices.Sorted(maps.Keys(changed)) {
			for _, family := range side.readers[name] {
				if f := side.outside[family]; f != nil {
					add(family, f, name[strings.LastIndexByte(name, '.')+1:])
				}
			}
		}
	}
	l.addHeld(out, h, changed)
	return out
}

// addHeld adds the exported package variables that differ: code of the module may use them without any function between.
func (l *linked) addHeld(out map[string]*Outside, h *linked, changed map[string]bool) {
	modules := map[string]string{}
	for _, side := range []*linked{l, h} {
		for _, f := range side.outside {
			modules[f.pkg] = f.module
		}
	}
	for name := range changed {
		at := strings.LastIndexByte(name, '.')
		if pkg, short := name[:at], name[at+1:]; modules[pkg] != "" && token.IsExported(short) {
			sum := sha256.Sum256([]byte(h.values[name]))
			family := pkg + "\x00var " + short
			out[family] = &Outside{Module: modules[pkg], Package: pkg, Name: short, family: family, digest: hex.EncodeToString(sum[:]), variable: name}
		}
	}
}

// mark notes which functions of the version differ.
func (l *linked) mark(differ map[string]*Outside) {
	for family, o := range differ {
		if o.variable != "" {
			l.holds[o.variable] = family
		}
		if f := l.outside[family]; f != nil {
			l.changed[f.fn] = family
		}
	}
}

// throughOwn returns, for each function of the module by its family, which functions that
// differ its calls into other modules may execute. Other functions of the module are not
// followed: the way through them is theirs.
func (l *linked) throughOwn() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	own := slices.SortedFunc(maps.Keys(l.own), func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	for _, fn := range own {
		seen := map[*ssa.Function]bool{fn: true}
		var reached []string
		for _, name := range mentionedVariables(fn) {
			if family, ok := l.holds[name]; ok {
				reached = append(reached, family)
			}
		}
		for work := []*ssa.Function{fn}; len(work) > 0; {
			f := work[len(work)-1]
			work = work[:len(work)-1]
			for _, g := range l.calls[f] {
				if seen[g] || l.own[g] {
					continue
				}
				seen[g] = true
				if family, ok := l.changed[g]; ok {
					reached = append(reached, family)
				}
				work = append(work, g)
			}
		}
		if len(reached) == 0 {
			continue
		}
		sort.Strings(reached)
		family := ownFamily(fn)
		out[family] = map[string]bool{}
		for _, x := range reached {
			out[family][x] = true
		}
	}
	return out
}

package isomorph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
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
// the types that it turns into interfaces the methods that the distribution looks for.
type linked struct {
	names   *namer
	prog    *ssa.Program
	own     map[*ssa.Function]bool
	changed map[*ssa.Function]string          // families of functions of Δ's part outside
	calls   map[*ssa.Function][]*ssa.Function // declared ones, closures counted to them
	outside map[string]*outsideFunction       // of the packages that differ, by family
	values  map[string]string                 // text of what initialises a package variable, by its name
	readers map[string][]string               // families of functions that mention a package variable
	uses    map[string][]string               // what the initialiser of a variable mentions, by names
	writes  map[string][]string               // variables that a declared init function assigns
}

// outsideFunction is a function of a package outside the module.
type outsideFunction struct {
	fn          *ssa.Function
	module, pkg string
	name        string
	digest      [sha256.Size]byte
}

func newLinked(s *load.Sources, bumps []load.Bump) (*linked, error) {
	l := &linked{names: newNamer(), own: map[*ssa.Function]bool{}, changed: map[*ssa.Function]string{}, calls: map[*ssa.Function][]*ssa.Function{},
		outside: map[string]*outsideFunction{}, values: map[string]string{}, readers: map[string][]string{}, uses: map[string][]string{}, writes: map[string][]string{}}
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
	var err error
	if l.prog, err = buildSSA(s.Fset, units); err != nil {
		return nil, err
	}
	l.linkCalls(ssautil.AllFunctions(l.prog))
	for fn := range l.calls {
		if fn.Pkg != nil && own[fn.Pkg.Pkg.Path()] && (fn.Synthetic == "" || fn.Name() == "init") {
			l.own[fn] = true
		}
	}
	for _, u := range units {
		if module := moduleOf[u.path]; module != "" {
			l.addOutside(u, module)
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

func (l *linked) linkCalls(all map[*ssa.Function]bool) {
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
					if f, ok := (*operand).(*ssa.Function); ok {
						link(fn, f)
					}
				}
				if made, ok := instr.(*ssa.MakeInterface); ok {
					l.linkMethods(fn, made.X.Type(), link)
				}
			}
		}
	}
	for fn, to := range edges {
		l.calls[fn] = slices.SortedFunc(maps.Keys(to), func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	}
}

func (l *linked) linkMethods(from *ssa.Function, t types.Type, link func(from, to *ssa.Function)) {
	methods := l.prog.MethodSets.MethodSet(t)
	for _, name := range calledBack {
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

// addOutside records the functions and variables of a package of a changed module.
func (l *linked) addOutside(u unit, module string) {
	for d, fn := range u.functions(l.prog) {
		family := u.path + "\x00" + fn.String()
		if d.Recv == nil && strings.HasPrefix(fn.Name(), "init#") {
			l.addWrites(fn, family)
		}
		text := l.names.typ(fn.Signature) + canonicalText(l.names, fn)
		name := strings.ReplaceAll(strings.ReplaceAll(fn.String(), u.path+".", ""), u.path+"/", "")
		l.outside[family] = &outsideFunction{fn: fn, module: module, pkg: u.path, name: name, digest: sha256.Sum256([]byte(text))}
		l.addReads(fn, family)
	}
	for _, init := range u.info.InitOrder {
		text := expressionText(u.info, init.Rhs)
		var uses []string
		ast.Inspect(init.Rhs, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				switch obj := u.info.Uses[id].(type) {
				case *types.Var:
					if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
						uses = append(uses, variable(obj))
					}
				case *types.Func:
					if fn := l.prog.FuncValue(obj); fn != nil && fn.Pkg != nil {
						uses = append(uses, fn.Pkg.Pkg.Path()+"\x00"+fn.String())
					}
				}
			}
			return true
		})
		for _, lhs := range init.Lhs {
			l.values[variable(lhs)] = text
			l.uses[variable(lhs)] = uses
		}
	}
}

func variable(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

// addReads notes which package variables a function mentions.
func (l *linked) addReads(fn *ssa.Function, family string) {
	seen := map[string]bool{}
	for _, f := range bodies(fn) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				for _, operand := range instr.Operands(nil) {
					if g, ok := (*operand).(*ssa.Global); ok && g.Object() != nil {
						name := g.Pkg.Pkg.Path() + "." + g.Name()
						if !seen[name] {
							seen[name] = true
							l.readers[name] = append(l.readers[name], family)
						}
					}
				}
			}
		}
	}
}

// addWrites notes which package variables a declared init function mentions: any of them
// it may assign, also through what it calls.
func (l *linked) addWrites(fn *ssa.Function, family string) {
	for _, f := range bodies(fn) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				for _, operand := range instr.Operands(nil) {
					if g, ok := (*operand).(*ssa.Global); ok && g.Object() != nil {
						l.writes[family] = append(l.writes[family], g.Pkg.Pkg.Path()+"."+g.Name())
					}
				}
			}
		}
	}
}

// expressionText writes an expression so that only what it means counts: constants by
// value, and neither places nor comments.
func expressionText(info *types.Info, e ast.Expr) string {
	var b strings.Builder
	ast.Inspect(e, func(n ast.Node) bool {
		if n == nil {
			b.WriteByte(')')
			return true
		}
		if x, ok := n.(ast.Expr); ok {
			if tv, ok := info.Types[x]; ok && tv.Value != nil {
				fmt.Fprintf(&b, "(%s)", tv.Value.ExactString())
				return false
			}
		}
		fmt.Fprintf(&b, "(%T", n)
		switch n := n.(type) {
		case *ast.Ident:
			b.WriteString(" " + n.Name)
		case *ast.BasicLit:
			b.WriteString(" " + n.Value)
		case *ast.BinaryExpr:
			b.WriteString(" " + n.Op.String())
		case *ast.UnaryExpr:
			b.WriteString(" " + n.Op.String())
		case *ast.AssignStmt:
			b.WriteString(" " + n.Tok.String())
		case *ast.IncDecStmt:
			b.WriteString(" " + n.Tok.String())
		case *ast.BranchStmt:
			b.WriteString(" " + n.Tok.String())
		case *ast.GenDecl:
			b.WriteString(" " + n.Tok.String())
		}
		return true
	})
	return b.String()
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
	changed := l.changedVariables(h, out)
	for _, side := range []*linked{h, l} {
		for _, name := range slices.Sorted(maps.Keys(changed)) {
			for _, family := range side.readers[name] {
				if f := side.outside[family]; f != nil {
					add(family, f, name[strings.LastIndexByte(name, '.')+1:])
				}
			}
		}
	}
	return out
}

// changedVariables are those that are initialised otherwise, or with the help of
// something that differs.
func (l *linked) changedVariables(h *linked, functions map[string]*Outside) map[string]bool {
	changed := map[string]bool{}
	for name, text := range h.values {
		if before, ok := l.values[name]; ok && before != text {
			changed[name] = true
		}
	}
	for _, side := range []*linked{l, h} {
		for family, names := range side.writes {
			if functions[family] != nil {
				for _, name := range names {
					changed[name] = true
				}
			}
		}
	}
	for moved := true; moved; {
		moved = false
		for _, side := range []*linked{l, h} {
			for name, uses := range side.uses {
				if !changed[name] && slices.ContainsFunc(uses, func(used string) bool { return changed[used] || functions[used] != nil }) {
					changed[name], moved = true, true
				}
			}
		}
	}
	return changed
}

// mark notes which functions of the version differ.
func (l *linked) mark(differ map[string]*Outside) {
	for family := range differ {
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
		family := fn.Pkg.Pkg.Path() + "\x00" + fn.String()
		out[family] = map[string]bool{}
		for _, x := range reached {
			out[family][x] = true
		}
	}
	return out
}

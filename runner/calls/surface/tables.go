package surface

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/isomorph"
)

// entry is a function that a package hands out as a value: of a dependency, or a literal
// that mentions one. No function of the module's own calls it, so that it is called where
// callers get hold of it.
type entry struct {
	place place
	sig   *types.Signature
	any   bool // the table holds values of an empty interface, so that callers assert the type
	leads bool // it is, or mentions, a function that leads to what differs
}

// place is where an entry is found: in a variable, or in a table by its key.
type place struct {
	root  string // the variable, or the function that gives the table
	given bool   // root is a function
	key   string // of the table, quoted; "" for the variable itself
}

// behind is what stands behind the name of root.
func (p place) behind() string {
	out := ""
	if p.given {
		out = "()"
	}
	if p.key != "" {
		out += "[" + p.key + "]"
	}
	return out
}

// tables registers the functions of dependencies that lead to what differs there and that
// the package hands out without calling them, as `"snake": strcase.ToSnake` in a table of
// functions for templates does.
func (w *writer) tables(seams []isomorph.Seam) {
	leading := map[string]bool{}
	for _, s := range seams {
		if s.Type == "" {
			leading[s.Package+"."+s.Name] = true
		}
	}
	if len(leading) == 0 {
		return
	}
	from := len(w.api.ops)
	was := entriesOf(w.base.pkg.Code, leading)
	now := entriesOf(w.head.pkg.Code, leading)
	for _, at := range slices.SortedFunc(maps.Keys(now), comparePlaces) {
		h := now[at]
		b, ok := was[at]
		if ok && h.any == b.any && (h.leads || b.leads) && signatureText(h.sig) == signatureText(b.sig) {
			w.entry(h)
		}
	}
	w.api.HandsOut = len(w.api.ops) > from && !w.initialisesBy(w.base.pkg.Code) && !w.initialisesBy(w.head.pkg.Code)
}

// initialisesBy reports whether an initialiser of a package calls a function of another module.
func (w *writer) initialisesBy(p *packages.Package) bool {
	found := false
	look := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				f := typeutil.StaticCallee(p.TypesInfo, n)
				if f == nil || f.Pkg() == nil {
					break
				}
				q := p.Imports[f.Pkg().Path()]
				found = found || !w.inModule(f.Pkg().Path()) && (q == nil || q.Module != nil)
			}
			return !found
		})
	}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					look(d)
				}
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" && d.Body != nil {
					look(d.Body)
				}
			}
		}
	}
	return found
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.root, b.root), cmp.Compare(a.key, b.key))
}

// entry registers one as a function that takes it out of its table and calls it.
func (w *writer) entry(e entry) {
	if untouchableParameters(e.sig) != "" || e.sig.TypeParams().Len() > 0 || w.hides(e.sig) || hidden(w, e.sig.Results()) {
		return
	}
	qualifier := func(p *types.Package) string { return strings.TrimSuffix(w.qualify(p), ".") }
	var params []*types.Var
	var args []string
	for i, v := range vars(e.sig.Params()) {
		params = append(params, types.NewParam(token.NoPos, nil, "p"+strconv.Itoa(i), v.Type()))
		args = append(args, "p"+strconv.Itoa(i))
		w.want(v.Type())
	}
	if e.sig.Variadic() {
		args[len(args)-1] += "..."
	}
	var results []*types.Var
	for _, v := range vars(e.sig.Results()) {
		results = append(results, newVar(v.Type()))
	}
	named := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), e.sig.Variadic())
	call := e.place.root + e.place.behind()
	if e.any {
		call += ".(" + types.TypeString(types.NewSignatureType(nil, nil, nil, e.sig.Params(), e.sig.Results(), e.sig.Variadic()), qualifier) + ")"
	}
	call += "(" + strings.Join(args, ", ") + ")"
	if len(results) > 0 {
		call = "return " + call
	}
	name := e.place.root + e.place.behind()
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Behind: %q, Asserted: %t, Package: %q, Exported: true, Hook: -1}, %s { %s })",
		name, e.place.root, e.place.behind(), e.any, w.api.Package, types.TypeString(named, qualifier), call)
	o := Operation{Name: name, Package: w.api.Package, Exported: true, Entry: true, hook: -1}
	for _, v := range results {
		o.results = append(o.results, v.Type())
	}
	for _, v := range params {
		o.params = append(o.params, v.Type())
	}
	w.api.ops = append(w.api.ops, o)
}

// entriesOf finds what a package hands out, where callers get hold of it; leading are the
// functions that lead to what differs, by package and name.
func entriesOf(p *packages.Package, leading map[string]bool) map[place]entry {
	t := tables{pkg: p, leading: leading, out: map[place]entry{}}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR && len(s.Names) == len(s.Values) {
						for i, name := range s.Names {
							t.variable(name, s.Values[i])
						}
					}
				}
			case *ast.FuncDecl:
				t.function(d)
			}
		}
	}
	return t.out
}

// tables are the entries of a package found so far.
type tables struct {
	pkg     *packages.Package
	leading map[string]bool
	out     map[place]entry
}

// variable takes in what a package-level variable is declared with.
func (t *tables) variable(name *ast.Ident, value ast.Expr) {
	if lit, ok := ast.Unparen(value).(*ast.CompositeLit); ok {
		if root, given := t.route(name); root != "" {
			t.literal(place{root: root, given: given}, lit)
		}
		return
	}
	if token.IsExported(name.Name) {
		t.add(place{root: name.Name}, value, false)
	}
}

// function takes in the tables that an exported function without parameters gives, and what
// functions put into package-level ones.
func (t *tables) function(d *ast.FuncDecl) {
	if d.Body == nil || d.Recv != nil {
		return
	}
	gives := token.IsExported(d.Name.Name) && t.givesTable(d)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			if gives {
				t.literal(place{root: d.Name.Name, given: true}, n)
			}
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				x, ok := ast.Unparen(e).(*ast.IndexExpr)
				if !ok || len(n.Lhs) != len(n.Rhs) {
					continue
				}
				at, ok := t.table(x.X, d, gives)
				if tab, isTable := tableOf(t.pkg.TypesInfo.TypeOf(x.X)); ok && isTable {
					t.keyed(at, x.Index, n.Rhs[i], tab)
				}
			}
		}
		return true
	})
}

// table returns how callers get the table that a statement of a function writes to.
func (t *tables) table(e ast.Expr, d *ast.FuncDecl, gives bool) (place, bool) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return place{}, false
	}
	v, ok := t.pkg.TypesInfo.Uses[id].(*types.Var)
	switch {
	case !ok:
	case v.Parent() != t.pkg.Types.Scope():
		return place{root: d.Name.Name, given: true}, gives
	case d.Name.Name == "init":
		root, given := t.route(id)
		return place{root: root, given: given}, root != ""
	}
	return place{}, false
}

// literal takes in the elements of a table.
func (t *tables) literal(at place, lit *ast.CompositeLit) {
	tab, ok := tableOf(t.pkg.TypesInfo.TypeOf(lit))
	if !ok {
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			t.keyed(at, kv.Key, kv.Value, tab)
		}
	}
}

// keyed takes in one element of a table.
func (t *tables) keyed(at place, key, value ast.Expr, tab *types.Map) {
	k := t.pkg.TypesInfo.Types[key].Value
	if k == nil || k.Kind() != constant.String {
		return
	}
	at.key = strconv.Quote(constant.StringVal(k))
	t.add(at, value, types.IsInterface(tab.Elem()))
}

// add takes in a value, if it is a function of others' or a literal.
func (t *tables) add(at place, value ast.Expr, asserted bool) {
	var leads bool
	switch v := ast.Unparen(value).(type) {
	case *ast.FuncLit:
		ast.Inspect(v.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				leads = leads || t.leadingFunc(id)
			}
			return true
		})
	case *ast.SelectorExpr:
		leads = t.leadingFunc(v.Sel)
		if _, ok := t.pkg.TypesInfo.Uses[v.Sel].(*types.Func); !ok {
			return
		}
	default:
		return
	}
	if sig, ok := t.pkg.TypesInfo.TypeOf(value).(*types.Signature); ok {
		t.out[at] = entry{place: at, sig: sig, any: asserted, leads: leads}
	}
}

func (t *tables) leadingFunc(id *ast.Ident) bool {
	f, ok := t.pkg.TypesInfo.Uses[id].(*types.Func)
	return ok && f.Pkg() != nil && f.Signature().Recv() == nil && t.leading[f.Pkg().Path()+"."+f.Name()]
}

// tableOf returns the map type of a table of functions: its keys are texts, and its values
// functions, or of an empty interface.
func tableOf(t types.Type) (*types.Map, bool) {
	if t == nil {
		return nil, false
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return nil, false
	}
	if b, ok := m.Key().Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
		return nil, false
	}
	switch e := m.Elem().Underlying().(type) {
	case *types.Signature:
		return m, true
	case *types.Interface:
		return m, e.Empty()
	}
	return nil, false
}

// givesTable reports whether a function takes nothing and gives a table of functions.
func (t *tables) givesTable(d *ast.FuncDecl) bool {
	f, ok := t.pkg.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok {
		return false
	}
	sig := f.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 || sig.TypeParams().Len() > 0 {
		return false
	}
	_, ok = tableOf(sig.Results().At(0).Type())
	return ok
}

// route returns by what callers get the table that a package-level variable holds: the
// variable itself, if it is exported, or an exported function that mentions it, the nearest
// one; "" where there is none.
func (t *tables) route(name *ast.Ident) (root string, given bool) {
	if token.IsExported(name.Name) {
		return name.Name, false
	}
	for _, file := range t.pkg.Syntax {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || f.Recv != nil || !token.IsExported(f.Name.Name) || !t.givesTable(f) || !t.mentions(f, name.Name) {
				continue
			}
			if root == "" || f.Name.Name < root {
				root = f.Name.Name
			}
		}
	}
	return root, root != ""
}

// mentions reports whether the body of a function names a package-level variable.
func (t *tables) mentions(f *ast.FuncDecl, name string) bool {
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			v := t.pkg.TypesInfo.Uses[id]
			found = found || v != nil && v.Parent() == t.pkg.Types.Scope()
		}
		return !found
	})
	return found
}

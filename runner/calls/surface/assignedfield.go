package surface

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A module's settings often stand in a variable that holds a struct, which a file fills when the program starts, and functions all over
// the module read. Its fields are set like variables of plain types.

// setting is a field of a variable of the module, as code names it.
type setting struct {
	of   *types.Var // exported, at the level of a package
	path string     // of fields, joined by dots
}

func (s setting) name() string { return s.of.Name() + "." + s.path }

// key is the name with the path of the package.
func (s setting) key() string { return s.of.Pkg().Path() + "." + s.name() }

// assignedFields registers the fields of plain types of the module's exported variables that the package's functions read, and none of its
// functions writes; at most so many.
func (w *writer) assignedFields(most int) {
	list, written := w.settings(w.head.pkg.Code)
	for _, s := range list {
		if most == 0 {
			return
		}
		if written[s.key()] || !w.alike(s) {
			continue
		}
		most--
		w.assign(w.head.tree.Short(s.key())+" =", s.of.Pkg().Path(), s.name(), "&"+w.qualify(s.of.Pkg())+s.name())
	}
}

// settings returns the fields that a package's functions read, in the order of their names, and the names of those that they write or
// take the address of.
func (w *writer) settings(p *packages.Package) (list []setting, written map[string]bool) {
	known := map[string]setting{}
	written = map[string]bool{}
	writes := func(e ast.Expr) {
		if s, ok := w.settingOf(p.TypesInfo, e); ok {
			written[s.key()] = true
		}
	}
	eachNode(p, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				writes(e)
			}
		case *ast.IncDecStmt:
			writes(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				writes(n.X)
			}
		case *ast.SelectorExpr:
			if s, ok := w.settingOf(p.TypesInfo, n); ok {
				known[s.key()] = s
			}
		}
	})
	for _, s := range known {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b setting) int {
		return strings.Compare(a.key(), b.key())
	})
	return list, written
}

// settingOf returns the setting that an expression names.
func (w *writer) settingOf(info *types.Info, e ast.Expr) (setting, bool) {
	t := info.TypeOf(e)
	if t == nil {
		return setting{}, false
	}
	if basic, ok := t.Underlying().(*types.Basic); !ok || basic.Info()&types.IsConstType == 0 {
		return setting{}, false
	}
	var fields []string
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			break
		}
		s := info.Selections[sel]
		if s == nil {
			e = sel.Sel // of a package
			break
		}
		if s.Kind() != types.FieldVal || s.Indirect() || !s.Obj().Exported() {
			return setting{}, false
		}
		fields = append([]string{sel.Sel.Name}, fields...)
		e = sel.X
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || len(fields) == 0 {
		return setting{}, false
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || !v.Exported() || isCommand(v.Pkg()) || !w.inModule(v.Pkg().Path()) || w.closed(v.Pkg().Path()) {
		return setting{}, false
	}
	return setting{v, strings.Join(fields, ".")}, true
}

// alike reports whether base has the same field of the same variable.
func (w *writer) alike(s setting) bool {
	p := find(w.base.tree, s.of.Pkg().Path())
	h := find(w.head.tree, s.of.Pkg().Path())
	if p == nil || p.Code == nil || h == nil || h.Code == nil {
		return false
	}
	typeIn := func(in *types.Package) string {
		v, ok := in.Scope().Lookup(s.of.Name()).(*types.Var)
		if !ok {
			return ""
		}
		t := v.Type()
		for _, name := range strings.Split(s.path, ".") {
			f, _, indirect := types.LookupFieldOrMethod(t, true, in, name)
			field, ok := f.(*types.Var)
			if !ok || indirect {
				return ""
			}
			t = field.Type()
		}
		return types.TypeString(t, nil)
	}
	base, head := typeIn(p.Code.Types), typeIn(h.Code.Types)
	return base != "" && base == head
}

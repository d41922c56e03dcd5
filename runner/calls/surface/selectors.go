package surface

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// maxSelectors bounds the fields that are read, of one package under test.
const maxSelectors = 64

// selectors registers the reading of exported fields that lead to methods, of the structs that functions give, and of the first
// elements of slices: users of a client call client.Repositories.List, and nothing else gives them what has that method. What is
// read has fields, too.
func (w *writer) selectors() {
	s := selecting{writer: w}
	for _, o := range w.api.ops {
		if o.IsMethod() && o.Exported {
			s.receivers.Set(behindPointer(o.Function.Signature().Recv().Type()), true)
		}
	}
	// Each reading is an operation itself, so the list grows.
	for i := 0; i < len(w.api.ops); i++ {
		for _, t := range w.api.ops[i].results {
			s.read(t)
		}
	}
}

// inField are the functions, as in Δ, that may stand in a field of a type.
type inField struct {
	t  types.Type
	by []string
}

type selecting struct {
	*writer
	done      typeutil.Map
	receivers typeutil.Map            // types with methods, without their pointers
	n         int                     // registered
	functions map[*types.Var][]string // see filled
}

// read registers what is read of values of a type.
func (s *selecting) read(t types.Type) {
	if s.done.At(t) != nil {
		return
	}
	s.done.Set(t, true)
	if list, ok := t.Underlying().(*types.Slice); ok {
		if expr, ok := s.named(t); ok && s.leads(list.Elem()) {
			s.register(expr+"[0]", fmt.Sprintf("isodeltaH.First(isodeltaH.Operation{Name: %%q, Exported: true, Hook: -1}, (*%s)(nil))", expr), t, list.Elem())
		}
		return
	}
	of, ok := behindPointer(t).(*types.Named)
	if !ok {
		return
	}
	expr, ok := s.named(of)
	if !ok {
		return
	}
	for _, f := range s.fieldsToRead(of) {
		by := s.filled()[f]
		if by != nil {
			s.inFields = append(s.inFields, inField{f.Type(), by})
		}
		if by != nil || s.leads(f.Type()) {
			s.register(expr+"."+f.Name(), fmt.Sprintf("isodeltaH.Selector(isodeltaH.Operation{Name: %%q, Exported: true, Hook: -1}, (*%s)(nil), %q)", expr, f.Name()),
				types.NewPointer(of), f.Type())
		}
	}
}

// leads reports whether values of a type, or their elements, may have methods that are compared, or hold functions.
func (s *selecting) leads(t types.Type) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Slice:
		_, nested := u.Elem().Underlying().(*types.Slice)
		return !nested && s.leads(u.Elem())
	case *types.Pointer, *types.Struct:
		return s.receivers.At(behindPointer(t)) != nil || s.holdsFunctions(behindPointer(t))
	case *types.Interface:
		n, ok := types.Unalias(t).(*types.Named)
		return ok && n.Obj().Pkg() != nil && n.TypeArgs().Len() == 0 && u.NumMethods() > 0 && len(s.implementing(u, nil, u.Method(0).Name())) > 0
	}
	return false
}

// holdsFunctions reports whether a type is a struct to which functions are given.
func (s *selecting) holdsFunctions(t types.Type) bool {
	of, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(of.Fields()), func(f *types.Var) bool { return s.filled()[f] != nil })
}

// filled are the fields to which code of the package, or of one of the module that it imports, gives functions where it writes
// structs down, each with the functions that do so and those that are given, as in Δ.
func (s *selecting) filled() map[*types.Var][]string {
	if s.functions != nil {
		return s.functions
	}
	s.functions = map[*types.Var][]string{}
	for _, p := range s.head.tree.Packages {
		if p.Code == nil || p.Path != s.api.Package && s.head.pkg.Code.Imports[p.Path] == nil {
			continue
		}
		for _, file := range p.Code.Syntax {
			for _, d := range file.Decls {
				s.filledIn(p.Code.TypesInfo, d)
			}
		}
	}
	return s.functions
}

func (s *selecting) filledIn(info *types.Info, d ast.Decl) {
	ast.Inspect(d, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok || isNil(info, kv.Value) {
			return true
		}
		f, ok := info.Uses[key].(*types.Var)
		if !ok || !f.IsField() {
			return true
		}
		if _, ok := f.Type().Underlying().(*types.Signature); !ok {
			return true
		}
		if s.functions[f] == nil {
			s.functions[f] = []string{} // an unnamed function has none
		}
		if decl, ok := d.(*ast.FuncDecl); ok {
			if by, ok := info.Defs[decl.Name].(*types.Func); ok {
				s.functions[f] = append(s.functions[f], s.short(by))
			}
		}
		if id, ok := ast.Unparen(kv.Value).(*ast.Ident); ok {
			if given, ok := info.Uses[id].(*types.Func); ok {
				s.functions[f] = append(s.functions[f], s.short(given))
			}
		}
		return true
	})
}

// named returns how the registering file names a type of the module, or slices of such types and of pointers to them, and reports
// whether it can.
func (s *selecting) named(t types.Type) (string, bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		o := t.Obj()
		if t.TypeArgs().Len() > 0 || t.TypeParams().Len() > 0 || o.Pkg() == nil || !s.inModule(o.Pkg().Path()) || s.closed(o.Pkg().Path()) ||
			!o.Exported() && o.Pkg().Path() != s.api.Package || o.Parent() != o.Pkg().Scope() {
			return "", false
		}
		return s.qualify(o.Pkg()) + o.Name(), true
	case *types.Pointer:
		expr, ok := s.named(t.Elem())
		return "*" + expr, ok
	case *types.Slice:
		expr, ok := s.named(t.Elem())
		return "[]" + expr, ok
	}
	return "", false
}

// register registers one reading. Of a struct a pointer is given.
func (s *selecting) register(name, text string, from, to types.Type) {
	if _, ok := to.Underlying().(*types.Struct); ok {
		to = types.NewPointer(to)
	}
	if s.n >= maxSelectors {
		return
	}
	s.n++
	s.line(len(s.api.ops), text, name)
	s.api.ops = append(s.api.ops, Operation{Name: name, Package: s.api.Package, Exported: true, OfTest: true, hook: -1,
		params: []types.Type{from}, results: []types.Type{to}})
}

// behindPointer returns what a type points to, and other types as they are.
func behindPointer(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return types.Unalias(t)
}

// fieldsToRead are the exported fields of a struct of the module that both versions have alike.
func (w *writer) fieldsToRead(n *types.Named) []*types.Var {
	head, ok := n.Underlying().(*types.Struct)
	base := w.structOfBase(n.Obj())
	if !ok || base == nil {
		return nil
	}
	was := map[string]string{}
	for f := range base.Fields() {
		was[f.Name()] = signature(f)
	}
	var out []*types.Var
	for f := range head.Fields() {
		if f.Exported() && was[f.Name()] == signature(f) {
			out = append(out, f)
		}
	}
	return out
}

// structOfBase returns base's struct of the same name, nil without one.
func (w *writer) structOfBase(name *types.TypeName) *types.Struct {
	p := find(w.base.tree, name.Pkg().Path())
	if p == nil || p.Code == nil {
		return nil
	}
	o := p.Code.Types.Scope().Lookup(name.Name())
	if o == nil {
		return nil
	}
	s, _ := o.Type().Underlying().(*types.Struct)
	return s
}

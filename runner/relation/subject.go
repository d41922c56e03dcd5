package relation

import (
	"go/token"
	"go/types"
	"strings"
)

// A Subject is a function or a method as it is called: type parameters are
// replaced, and a receiver is the first parameter.
type Subject struct {
	Name     string // as in Δ: "Sin", "geo.(*Ring).Area"
	Expr     string // Go expression, seen from within the package: "Sin", "(*Ring).Area", "Max[int]"
	Short    string // for notation: "Sin", "Area"
	Package  *types.Package
	Sig      *types.Signature
	Receiver bool // the first parameter is one
}

// NewSubject is a function or method of a package under a name as in Δ, called
// with type arguments where it, or the type that it is a method of, has
// parameters. It gives nil if the arguments do not fit.
func NewSubject(fn *types.Func, name string, args []types.Type) *Subject {
	sig := fn.Type().(*types.Signature)
	s := &Subject{Name: name, Short: fn.Name(), Package: fn.Pkg(), Expr: fn.Name() + typeArgs(args, fn.Pkg())}
	if sig.Recv() == nil {
		if len(args) != sig.TypeParams().Len() {
			return nil
		}
		s.Sig = sig
		if len(args) > 0 {
			t, err := types.Instantiate(nil, sig, args, true)
			if err != nil {
				return nil
			}
			s.Sig = t.(*types.Signature)
		}
		return s
	}
	recv := sig.Recv().Type()
	p, pointer := recv.(*types.Pointer)
	if pointer {
		recv = p.Elem()
	}
	named, ok := types.Unalias(recv).(*types.Named)
	if !ok || len(args) != named.Origin().TypeParams().Len() {
		return nil
	}
	on := types.Type(named.Origin())
	if len(args) > 0 {
		t, err := types.Instantiate(nil, named.Origin(), args, true)
		if err != nil {
			return nil
		}
		on = t
	}
	expr := named.Obj().Name() + typeArgs(args, fn.Pkg())
	if pointer {
		expr, on = "(*"+expr+")", types.NewPointer(on)
	}
	obj, _, _ := types.LookupFieldOrMethod(on, true, fn.Pkg(), fn.Name())
	m, ok := obj.(*types.Func)
	if !ok {
		return nil
	}
	ms := m.Type().(*types.Signature)
	params := []*types.Var{types.NewParam(token.NoPos, fn.Pkg(), sig.Recv().Name(), on)}
	for v := range ms.Params().Variables() {
		params = append(params, v)
	}
	s.Expr, s.Receiver = expr+"."+fn.Name(), true
	s.Sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), ms.Results(), ms.Variadic())
	return s
}

// Note writes a call of the subject for people, with arguments as they are written
// for people.
func (s *Subject) Note(args []string) string {
	if s.Receiver && len(args) > 0 {
		recv := args[0]
		if isCompound(recv) {
			recv = "(" + recv + ")"
		}
		return recv + "." + s.Short + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return s.Short + "(" + strings.Join(args, ", ") + ")"
}

// isCompound reports whether an expression has an operator outside of parentheses.
func isCompound(expr string) bool {
	depth := 0
	for _, r := range expr {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ' ', '·', '-', '−', '+':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

func typeArgs(args []types.Type, pkg *types.Package) string {
	if len(args) == 0 {
		return ""
	}
	var list []string
	for _, a := range args {
		list = append(list, types.TypeString(a, types.RelativeTo(pkg)))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// Writable reports whether a file of the package can name all parameter types.
func (s *Subject) Writable() bool {
	for v := range s.Sig.Params().Variables() {
		if !writable(v.Type(), s.Package.Path(), map[types.Type]bool{}) {
			return false
		}
	}
	return true
}

func writable(t types.Type, pkg string, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.TypeParam:
		return false
	case *types.Named:
		o := t.Obj()
		if o.Pkg() != nil && o.Pkg().Path() != pkg && !o.Exported() || o.Parent() != nil && o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			return false
		}
		for a := range t.TypeArgs().Types() {
			if !writable(a, pkg, seen) {
				return false
			}
		}
	case *types.Alias:
		o := t.Obj()
		return (o.Pkg() == nil || o.Pkg().Path() == pkg || o.Exported()) && writable(types.Unalias(t), pkg, seen)
	case *types.Struct:
		for f := range t.Fields() {
			if !f.Exported() && f.Pkg() != nil && f.Pkg().Path() != pkg || !writable(f.Type(), pkg, seen) {
				return false
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				if !writable(v.Type(), pkg, seen) {
					return false
				}
			}
		}
	case *types.Map:
		return writable(t.Key(), pkg, seen) && writable(t.Elem(), pkg, seen)
	case interface{ Elem() types.Type }:
		return writable(t.Elem(), pkg, seen)
	}
	return true
}

// shares reports whether two variables with the same value of a type can share
// memory that one of them changes.
func shares(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Signature:
		return false
	case *types.Struct:
		for f := range u.Fields() {
			if shares(f.Type(), seen) {
				return true
			}
		}
		return false
	case *types.Array:
		return shares(u.Elem(), seen)
	}
	return true
}

package surface

import (
	"go/types"
	"strings"
)

func plainArgs(args []types.Type) string {
	if len(args) == 0 {
		return ""
	}
	var s []string
	for _, a := range args {
		s = append(s, types.TypeString(a, nil))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// instance are the type arguments that a generic function or type is called with.
type instance struct {
	base, head []types.Type
	named, own string // with brackets: as the registering file names them, and as the package of the function does
}

// instances chooses the type arguments for what a package of the module declares: predeclared types, or, where none of
// these fits, types that the package or the one under test declares. There is one instance without arguments for what is not generic.
func (w *writer) instances(pkg *types.Package, base, head *types.TypeParamList) []instance {
	var out []instance
	for _, args := range predeclared(head) {
		out = append(out, instance{args, args, plainArgs(args), plainArgs(args)})
	}
	if len(out) > 0 {
		return out
	}
	fit := make([][]instance, head.Len()) // of one argument each, without brackets
	for i := range fit {
		if fit[i] = w.fitting(pkg, base, head, i); len(fit[i]) == 0 {
			return nil
		}
	}
	for k := range maxDeclared {
		var whole instance
		var named, own []string
		for _, f := range fit {
			a := f[min(k, len(f)-1)]
			whole.base, whole.head = append(whole.base, a.base...), append(whole.head, a.head...)
			named, own = append(named, a.named), append(own, a.own)
		}
		whole.named, whole.own = "["+strings.Join(named, ", ")+"]", "["+strings.Join(own, ", ")+"]"
		if k == 0 || whole.named != out[0].named {
			out = append(out, whole)
		}
	}
	return out
}

// maxDeclared bounds the instances with types that the module declares.
const maxDeclared = 2

// fitting returns arguments for the ith parameter: a predeclared type, or some that the module declares.
func (w *writer) fitting(pkg *types.Package, base, head *types.TypeParamList, i int) []instance {
	for _, t := range choices() {
		if satisfies(t, head, i) && satisfies(t, base, i) {
			text := types.TypeString(t, nil)
			return []instance{{[]types.Type{t}, []types.Type{t}, text, text}}
		}
	}
	var out []instance
	for _, p := range []*types.Package{pkg, w.head.pkg.Code.Types} {
		was := find(w.base.tree, p.Path())
		if was == nil || was.Code == nil || len(out) > 0 {
			continue
		}
		for _, name := range p.Scope().Names() {
			h, b := plainType(p, name), plainType(was.Code.Types, name)
			if h == nil || b == nil || !h.Obj().Exported() && p.Path() != w.api.Package {
				continue
			}
			star := ""
			th, tb := types.Type(h), types.Type(b)
			if !satisfies(th, head, i) {
				star, th, tb = "*", types.NewPointer(h), types.NewPointer(b)
			}
			if !satisfies(th, head, i) || !satisfies(tb, base, i) {
				continue
			}
			own := star + name
			if p != pkg {
				own = star + p.Name() + "." + name
			}
			if out = append(out, instance{[]types.Type{tb}, []types.Type{th}, star + w.qualify(p) + name, own}); len(out) == maxDeclared {
				return out
			}
		}
	}
	return out
}

// plainType is a type that a package declares and that is neither generic nor an interface; nil where there is none of the name.
func plainType(p *types.Package, name string) *types.Named {
	t, ok := p.Scope().Lookup(name).(*types.TypeName)
	if !ok || t.IsAlias() {
		return nil
	}
	n, ok := t.Type().(*types.Named)
	if !ok || n.TypeParams().Len() > 0 || types.IsInterface(n) {
		return nil
	}
	return n
}

// choices are the types that are tried as arguments first.
func choices() []types.Type {
	basic := func(k types.BasicKind) types.Type { return types.Typ[k] }
	return []types.Type{
		basic(types.Int), basic(types.String), basic(types.Float64), types.NewSlice(basic(types.Int)),
		types.NewMap(basic(types.String), basic(types.Int)), types.Universe.Lookup("error").Type(),
	}
}

// predeclared chooses type arguments that no package declares: none for what is not generic.
func predeclared(params *types.TypeParamList) [][]types.Type {
	n := params.Len()
	if n == 0 {
		return [][]types.Type{nil}
	}
	fit := make([][]types.Type, n)
	for i := range n {
		for _, t := range choices() {
			if len(fit[i]) < 2 && satisfies(t, params, i) {
				fit[i] = append(fit[i], t)
			}
		}
	}
	var out [][]types.Type
	add := func(args []types.Type) {
		for _, a := range args {
			if a == nil {
				return
			}
		}
		key := plainArgs(args)
		for _, o := range out {
			if plainArgs(o) == key {
				return
			}
		}
		out = append(out, args)
	}
	at := func(i, k int) types.Type {
		if k < len(fit[i]) {
			return fit[i][k]
		}
		if len(fit[i]) > 0 {
			return fit[i][0]
		}
		return nil // its constraint speaks of other parameters: see complete
	}
	for _, first := range []int{0, 1} {
		for _, rest := range []int{first, 1 - first} {
			args := make([]types.Type, n)
			for i := range n {
				k := rest
				if i == 0 {
					k = first
				}
				args[i] = at(i, k)
			}
			add(complete(params, args))
			if len(out) == 3 {
				return out
			}
		}
	}
	return out
}

// satisfies reports whether t fits parameter i, taken for itself.
func satisfies(t types.Type, params *types.TypeParamList, i int) bool {
	c, ok := params.At(i).Constraint().Underlying().(*types.Interface)
	if !ok || mentions(c, params) {
		return false
	}
	return types.Satisfies(t, c)
}

// complete fills in arguments whose constraint speaks of other parameters:
// ~[]E, ~map[K]V.
func complete(params *types.TypeParamList, args []types.Type) []types.Type {
	for range params.Len() {
		for i, a := range args {
			if a != nil {
				continue
			}
			c, ok := params.At(i).Constraint().Underlying().(*types.Interface)
			if !ok || c.NumEmbeddeds() != 1 {
				continue
			}
			t := c.EmbeddedType(0)
			if u, ok := t.(*types.Union); ok && u.Len() == 1 {
				t = u.Term(0).Type()
			}
			args[i] = substitute(t, params, args)
		}
	}
	return args
}

func substitute(t types.Type, params *types.TypeParamList, args []types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		for i := range params.Len() {
			if params.At(i) == t {
				return args[i]
			}
		}
	case *types.Slice:
		if e := substitute(t.Elem(), params, args); e != nil {
			return types.NewSlice(e)
		}
	case *types.Map:
		k, e := substitute(t.Key(), params, args), substitute(t.Elem(), params, args)
		if k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case *types.Basic:
		return t
	}
	return nil
}

func mentions(c *types.Interface, params *types.TypeParamList) bool {
	text := types.TypeString(c, nil)
	for i := range params.Len() {
		name := params.At(i).Obj().Name()
		for _, f := range strings.FieldsFunc(text, func(r rune) bool {
			return !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
		}) {
			if f == name {
				return true
			}
		}
	}
	return false
}

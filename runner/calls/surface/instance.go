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

// instances chooses type arguments: none for what is not generic.
func instances(params *types.TypeParamList) [][]types.Type {
	n := params.Len()
	if n == 0 {
		return [][]types.Type{nil}
	}
	basic := func(k types.BasicKind) types.Type { return types.Typ[k] }
	choices := [][]types.Type{
		{basic(types.Int)}, {basic(types.String)}, {basic(types.Float64)}, {types.NewSlice(basic(types.Int))},
		{types.NewMap(basic(types.String), basic(types.Int))}, {types.Universe.Lookup("error").Type()},
	}
	fit := make([][]types.Type, n)
	for i := range n {
		for _, c := range choices {
			if len(fit[i]) < 2 && satisfies(c[0], params, i) {
				fit[i] = append(fit[i], c[0])
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

package surface

import (
	"go/types"

	"github.com/isodelta/isodelta/runner/load"
)

// names finds the named types of one version.
type names struct {
	packages map[string]*types.Package
}

// namesOf knows the packages of a tree, and what these import.
func namesOf(t *load.Tree) *names {
	n := &names{map[string]*types.Package{}}
	for _, p := range t.Packages {
		if p.Code == nil || p.Code.Types == nil {
			continue
		}
		n.packages[p.Path] = p.Code.Types
		for path, imported := range p.Code.Imports {
			if n.packages[path] == nil && imported != nil && imported.Types != nil {
				n.packages[path] = imported.Types
			}
		}
	}
	return n
}

// twin returns the type of a version that is written like t, which may be one of the other
// version. It returns nil if the version has no such type.
func (n *names) twin(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Basic:
		return t
	case *types.Alias:
		return n.twin(types.Unalias(t))
	case *types.Pointer:
		if e := n.twin(t.Elem()); e != nil {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := n.twin(t.Elem()); e != nil {
			return types.NewSlice(e)
		}
	case *types.Map:
		if k, e := n.twin(t.Key()), n.twin(t.Elem()); k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case *types.Interface:
		if t.Empty() {
			return t
		}
	case *types.Signature:
		if p, r := n.tuple(t.Params()), n.tuple(t.Results()); p != nil && r != nil && t.TypeParams().Len() == 0 {
			return types.NewSignatureType(nil, nil, nil, p, r, t.Variadic())
		}
	case *types.Named:
		return n.named(t)
	}
	return nil
}

func (n *names) named(t *types.Named) types.Type {
	o := t.Obj()
	if o.Pkg() == nil {
		return t
	}
	p := n.packages[o.Pkg().Path()]
	if p == nil || t.TypeArgs().Len() > 0 {
		return nil
	}
	if other, ok := p.Scope().Lookup(o.Name()).(*types.TypeName); ok && other.Type() != nil {
		return other.Type()
	}
	return nil
}

func (n *names) tuple(t *types.Tuple) *types.Tuple {
	var out []*types.Var
	for v := range t.Variables() {
		e := n.twin(v.Type())
		if e == nil {
			return nil
		}
		out = append(out, newVar(e))
	}
	return types.NewTuple(out...)
}

package isomorph

import (
	"fmt"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// namer writes types so that equal texts mean equal types in both versions:
// packages by path, type parameters by index (their names do not matter), and
// types declared inside functions with their definition.
//
// A namer remembers what it wrote and so is not for several goroutines at once.
type namer struct {
	cache      map[types.Type]string
	attributes map[ssa.Instruction]string
	open       map[*types.TypeName]bool // local types being written
}

func newNamer() *namer {
	return &namer{cache: map[types.Type]string{}, attributes: map[ssa.Instruction]string{}, open: map[*types.TypeName]bool{}}
}

func (n *namer) typ(t types.Type) string {
	if t == nil {
		return "<nil>"
	}
	if s, ok := n.cache[t]; ok {
		return s
	}
	var b strings.Builder
	n.write(&b, t)
	s := b.String()
	if len(n.open) == 0 { // else it may hold the short form of a recursive local type
		n.cache[t] = s
	}
	return s
}

func (n *namer) write(b *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(t.Name())
	case *types.Pointer:
		b.WriteString("*" + n.typ(t.Elem()))
	case *types.Slice:
		b.WriteString("[]" + n.typ(t.Elem()))
	case *types.Array:
		fmt.Fprintf(b, "[%d]%s", t.Len(), n.typ(t.Elem()))
	case *types.Map:
		b.WriteString("map[" + n.typ(t.Key()) + "]" + n.typ(t.Elem()))
	case *types.Chan:
		b.WriteString([]string{"chan ", "chan<- ", "<-chan "}[t.Dir()] + "(" + n.typ(t.Elem()) + ")")
	case *types.Tuple:
		n.writeTuple(b, t, false)
	case *types.Signature:
		b.WriteString("func")
		n.writeTypeParams(b, t.TypeParams())
		n.writeTuple(b, t.Params(), t.Variadic())
		n.writeTuple(b, t.Results(), false)
	case *types.Struct:
		b.WriteString("struct{")
		for i := range t.NumFields() {
			f := t.Field(i)
			if f.Embedded() {
				b.WriteString("embedded ")
			}
			if !f.Exported() && f.Pkg() != nil {
				b.WriteString(f.Pkg().Path() + ".")
			}
			fmt.Fprintf(b, "%s %s %q;", f.Name(), n.typ(f.Type()), t.Tag(i))
		}
		b.WriteString("}")
	case *types.Interface:
		b.WriteString("interface{")
		for m := range t.Methods() { // complete and sorted
			b.WriteString(m.Name() + n.typ(m.Type()) + ";")
		}
		for e := range t.EmbeddedTypes() {
			if _, ok := e.Underlying().(*types.Interface); !ok {
				b.WriteString(n.typ(e) + ";")
			} else if !types.NewInterfaceType(nil, []types.Type{e}).Complete().IsMethodSet() {
				b.WriteString(n.typ(e) + ";")
			}
		}
		b.WriteString("}")
	case *types.Union:
		for i := range t.Len() {
			if t.Term(i).Tilde() {
				b.WriteString("~")
			}
			b.WriteString(n.typ(t.Term(i).Type()) + "|")
		}
	case *types.TypeParam:
		fmt.Fprintf(b, "$%d", t.Index())
	case *types.Named:
		n.writeNamed(b, t)
	default:
		b.WriteString(t.String()) // types internal to ssa, such as that of an iterator
	}
}

func (n *namer) writeNamed(b *strings.Builder, t *types.Named) {
	obj := t.Obj()
	if obj.Pkg() != nil {
		b.WriteString(obj.Pkg().Path() + ".")
	}
	b.WriteString(obj.Name())
	if args := t.TypeArgs(); args.Len() > 0 {
		b.WriteString("[")
		for a := range args.Types() {
			b.WriteString(n.typ(a) + ",")
		}
		b.WriteString("]")
	}
	local := obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope()
	if local && obj.Parent() != nil && !n.open[obj] {
		n.open[obj] = true
		b.WriteString("=" + n.typ(t.Underlying()))
		delete(n.open, obj)
	}
}

func (n *namer) writeTuple(b *strings.Builder, t *types.Tuple, variadic bool) {
	b.WriteString("(")
	for i := range t.Len() {
		if variadic && i == t.Len()-1 {
			b.WriteString("...")
		}
		b.WriteString(n.typ(t.At(i).Type()) + ",")
	}
	b.WriteString(")")
}

func (n *namer) writeTypeParams(b *strings.Builder, list *types.TypeParamList) {
	if list.Len() == 0 {
		return
	}
	b.WriteString("[")
	for p := range list.TypeParams() {
		b.WriteString(n.typ(p.Constraint().Underlying()) + ",")
	}
	b.WriteString("]")
}

// constant writes a constant with its type.
func (n *namer) constant(c *ssa.Const) string {
	v := "zero"
	if c.Value != nil {
		v = c.Value.ExactString()
		if c.Value.Kind() == constant.String {
			v = fmt.Sprintf("%q", constant.StringVal(c.Value))
		}
	}
	return v + ":" + n.typ(c.Type())
}

package planted

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Go writes a literal of a type of the same package as a Go expression. What it cannot
// write is the zero value.
func Go(l wire.Lit, t types.Type) string {
	name := types.TypeString(t, func(*types.Package) string { return "" })
	elem := func() types.Type {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			return u.Elem()
		case *types.Array:
			return u.Elem()
		}
		return nil
	}
	switch l.Form {
	case wire.Bool:
		return fmt.Sprintf("%s(%t)", name, l.N == 1)
	case wire.Int:
		return fmt.Sprintf("%s(%d)", name, l.N)
	case wire.Uint:
		return fmt.Sprintf("%s(%d)", name, uint64(l.N))
	case wire.Text:
		return fmt.Sprintf("%s(%q)", name, l.S)
	case wire.Pointer:
		e := t.Underlying().(*types.Pointer).Elem()
		return fmt.Sprintf("func() %s { v := %s; return &v }()", name, Go(l.E[0], e))
	case wire.Struct, wire.Seq:
		s, isStruct := t.Underlying().(*types.Struct)
		var list []string
		for i, e := range l.E {
			if isStruct {
				if e.Form != wire.Zero && e.Form != wire.Hole {
					list = append(list, s.Field(i).Name()+": "+Go(e, s.Field(i).Type()))
				}
				continue
			}
			list = append(list, Go(e, elem()))
		}
		return name + "{" + strings.Join(list, ", ") + "}"
	}
	return fmt.Sprintf("*new(%s)", name)
}

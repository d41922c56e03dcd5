package surface

import (
	"go/ast"
	"go/types"
)

// leastLiterals is the minimum number of literals of a type that set a field, before a literal without it is unusual.
const leastLiterals = 2

// settings count which fields the literals of a struct type set.
type settings struct {
	literals int
	fields   map[int]int // how many of them set a field
}

// set notes which fields a literal of a struct sets. An empty literal counts, too.
func (u *Usage) set(info *types.Info, x *ast.CompositeLit) {
	t := info.TypeOf(x)
	if t == nil {
		return
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok { // an element of a list of pointers
		t = pointer.Elem()
	}
	under, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	name := ReflectName(t)
	s := u.settings[name]
	if s == nil {
		s = &settings{fields: map[int]int{}}
		u.settings[name] = s
	}
	s.literals++
	for i, e := range x.Elts {
		if kv, keyed := e.(*ast.KeyValueExpr); keyed {
			i = fieldNamed(under, kv.Key)
		}
		if i >= 0 {
			s.fields[i]++
		}
	}
}

// fieldNamed returns the index of the field that an expression names, -1 for none.
func fieldNamed(t *types.Struct, key ast.Expr) int {
	id, ok := key.(*ast.Ident)
	for i := range t.NumFields() {
		if ok && t.Field(i).Name() == id.Name {
			return i
		}
	}
	return -1
}

// AlwaysSets reports whether all literals of a struct type set its ith field. The type is named as in package reflect. A type that is
// also made empty, to set its fields later, has no such field.
func (u *Usage) AlwaysSets(name string, i int) bool {
	s := u.settings[name]
	return s != nil && s.literals >= leastLiterals && s.fields[i] == s.literals && !u.empty[name]
}

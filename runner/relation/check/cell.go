package check

import (
	"fmt"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// cell is an argument or a result, or a part of it, that package law has a kind for.
type cell struct {
	at      int     // number of the argument or result
	path    []place // to the field or element that the cell is; none for all of it
	pointer bool    // the argument or result points to what the path begins in
	readOff readOff // what of it is looked at
	name    string  // of the field with a dot, of the element with brackets
	typ     types.Type
	kind    law.Kind
	basic   *types.Basic // the type, or that of elements
}

// place is a field of a struct or an element of an array.
type place struct {
	index, of int
	form      wire.Form // Struct or Seq
}

// readOff says what a cell tells of a value.
type readOff byte

const (
	itself readOff = iota
	itsLength
	itsKeys // ascending
)

const (
	// maxFields bounds the fields and elements of one argument or result that are cells.
	maxFields = 6
	// maxNested is how deep fields and elements lie in one another.
	maxNested = 3
)

// cellsOf returns the cells of an argument or result: one, or those of its exported fields
// and elements. Of a result that is a list or map of what has no kind there are the length
// and the keys; what is read off like that cannot be put into an argument.
func cellsOf(at int, t types.Type, isResult bool) []cell {
	root := cell{at: at}
	if isResult {
		switch u := t.Underlying().(type) {
		case *types.Slice, *types.Map:
			if kind, _ := kindOf(t); kind == law.None {
				return readOffs(root, u)
			}
		case *types.Pointer:
			t, root.pointer = u.Elem(), true
			if _, isStruct := t.Underlying().(*types.Struct); !isStruct {
				return nil
			}
		}
	}
	out := root.within(t)
	return out[:min(len(out), maxFields)]
}

// within returns the cells of what is at a cell's path.
func (c cell) within(t types.Type) []cell {
	if kind, basic := kindOf(t); kind != law.None {
		c.typ, c.kind, c.basic = t, kind, basic
		return []cell{c}
	}
	if len(c.path) == maxNested {
		return nil
	}
	var out []cell
	step := func(index, of int, form wire.Form, name string, t types.Type) {
		to := c
		to.path, to.name = append(slices.Clone(c.path), place{index, of, form}), c.name+name
		out = append(out, to.within(t)...)
	}
	_, named := types.Unalias(t).(*types.Named)
	switch u := t.Underlying().(type) {
	case *types.Array:
		for i := range min(int(u.Len()), maxFields+1) {
			step(i, int(u.Len()), wire.Seq, fmt.Sprintf("[%d]", i), u.Elem())
		}
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Exported() && named {
				step(i, u.NumFields(), wire.Struct, "."+f.Name(), f.Type())
			}
		}
	}
	return out
}

// isPart reports whether a cell is not all of an argument or result.
func (c cell) isPart() bool { return len(c.path) > 0 }

// readOffs are the length of a list or map, and the keys of a map.
func readOffs(root cell, t types.Type) []cell {
	out := []cell{{at: root.at, readOff: itsLength, typ: types.Typ[types.Int], kind: law.Int, basic: types.Typ[types.Int]}}
	m, ok := t.(*types.Map)
	if !ok {
		return out
	}
	if basic, ok := m.Key().(*types.Basic); ok {
		switch kind, _ := kindOf(basic); kind {
		case law.Int:
			out = append(out, cell{at: root.at, readOff: itsKeys, typ: types.NewSlice(basic), kind: law.Ints, basic: basic})
		case law.Text:
			out = append(out, cell{at: root.at, readOff: itsKeys, typ: types.NewSlice(basic), kind: law.Texts, basic: basic})
		}
	}
	return out
}

// math writes the cell of a value in mathematical notation.
func (c cell) math(of string) string {
	switch c.readOff {
	case itsLength:
		return "len(" + of + ")"
	case itsKeys:
		return "keys(" + of + ")"
	}
	return of + c.name
}

// code writes the cell of a value as Go.
func (c cell) code(of string) string {
	if c.readOff == itsKeys {
		return "slices.Sorted(maps.Keys(" + of + "))"
	}
	return c.math(of)
}

// get returns what a literal of the argument or result has in the cell, nil if it has
// nothing there that can be told.
func (c cell) get(list []wire.Lit) any {
	if c.at >= len(list) {
		return nil
	}
	l := list[c.at]
	switch c.readOff {
	case itsLength:
		return lengthOf(l)
	case itsKeys:
		return keysOf(l, c.kind)
	}
	if c.pointer {
		if l.Form != wire.Pointer || len(l.E) != 1 {
			return nil
		}
		l = l.E[0]
	}
	for _, p := range c.path {
		switch {
		case l.Form == wire.Zero: // and so is what lies in it
		case l.Form == p.form && p.index < len(l.E):
			l = l.E[p.index]
		default:
			return nil
		}
	}
	return valueOf(l, c.kind)
}

// set puts a value into the cell of an argument, and reports whether it could: not into
// what an earlier call gave, and not what its type does not hold.
func (c cell) set(list []wire.Lit, v any) bool {
	if !c.fits(v) || c.readOff != itself || c.pointer {
		return false
	}
	at := &list[c.at]
	for _, p := range c.path {
		if at.Form == wire.Zero {
			*at = wire.Lit{Form: p.form, E: make([]wire.Lit, p.of)}
		}
		if at.Form != p.form || p.index >= len(at.E) {
			return false
		}
		at = &at.E[p.index]
	}
	*at = literal(v, c.basic)
	return true
}

// lengthOf returns how many elements a list or map has, nil where that is not known.
func lengthOf(l wire.Lit) any {
	switch l.Form {
	case wire.Zero:
		return int64(0)
	case wire.Seq:
		return int64(len(l.E))
	case wire.Map:
		return int64(len(l.E) / 2)
	case wire.Text:
		return int64(len(l.S))
	}
	return nil
}

// keysOf returns the keys of a map, ascending, nil where they are not known.
func keysOf(l wire.Lit, kind law.Kind) any {
	if l.Form != wire.Zero && l.Form != wire.Map {
		return nil
	}
	list := wire.Lit{Form: wire.Seq}
	for i := 0; i < len(l.E); i += 2 {
		list.E = append(list.E, l.E[i])
	}
	switch all := valueOf(list, kind).(type) {
	case []int64:
		slices.Sort(all)
		return all
	case []string:
		slices.Sort(all)
		return all
	}
	return nil
}

// kindOf returns the kind of a type, and its basic type or that of its elements.
func kindOf(t types.Type) (law.Kind, *types.Basic) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return law.Bool, u
		case info&types.IsInteger != 0 && u.Kind() != types.Uintptr:
			return law.Int, u
		case info&types.IsFloat != 0:
			return law.Float, u
		case info&types.IsString != 0:
			return law.Text, u
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() != types.Uint8 {
			switch kind, _ := kindOf(b); kind {
			case law.Bool:
				return law.Bools, b
			case law.Int:
				return law.Ints, b
			case law.Float:
				return law.Floats, b
			case law.Text:
				return law.Texts, b
			}
		}
	}
	return law.None, nil
}

func fitsIn(x int64, b *types.Basic) bool {
	bits := map[types.BasicKind]uint{types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32}[b.Kind()]
	if b.Info()&types.IsUnsigned != 0 {
		return x >= 0 && (bits == 0 || x < 1<<bits)
	}
	return bits == 0 || x >= -1<<(bits-1) && x < 1<<(bits-1)
}

func literal(v any, b *types.Basic) wire.Lit {
	list := func(n int, element func(i int) any) wire.Lit {
		l := wire.Lit{Form: wire.Seq}
		for i := range n {
			l.E = append(l.E, literal(element(i), b))
		}
		return l
	}
	switch v := v.(type) {
	case bool:
		if v {
			return wire.Lit{Form: wire.Bool, N: 1}
		}
		return wire.Lit{Form: wire.Bool}
	case int64:
		if b.Info()&types.IsUnsigned != 0 {
			return wire.Lit{Form: wire.Uint, N: v}
		}
		return wire.Lit{Form: wire.Int, N: v}
	case float64:
		return wire.FloatLit(v)
	case string:
		return wire.Lit{Form: wire.Text, S: v}
	case []bool:
		return list(len(v), func(i int) any { return v[i] })
	case []int64:
		return list(len(v), func(i int) any { return v[i] })
	case []float64:
		return list(len(v), func(i int) any { return v[i] })
	case []string:
		return list(len(v), func(i int) any { return v[i] })
	}
	return wire.Lit{Form: wire.Hole}
}

// valueOf returns what a literal stands for, nil where that is not of the kind.
func valueOf(l wire.Lit, kind law.Kind) any {
	if l.Form == wire.Zero {
		return map[law.Kind]any{law.Bool: false, law.Int: int64(0), law.Float: 0.0, law.Text: "",
			law.Bools: []bool{}, law.Ints: []int64{}, law.Floats: []float64{}, law.Texts: []string{}}[kind]
	}
	switch {
	case kind == law.Bool && l.Form == wire.Bool:
		return l.N != 0
	case kind == law.Int && (l.Form == wire.Int || l.Form == wire.Uint && l.N >= 0):
		return l.N
	case kind == law.Float && l.Form == wire.Float:
		if x := l.Float64(); !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x
		}
	case kind == law.Text && l.Form == wire.Text:
		return l.S
	case kind == law.Bools && l.Form == wire.Seq:
		return elements[bool](l, law.Bool)
	case kind == law.Ints && l.Form == wire.Seq:
		return elements[int64](l, law.Int)
	case kind == law.Floats && l.Form == wire.Seq:
		return elements[float64](l, law.Float)
	case kind == law.Texts && l.Form == wire.Seq:
		return elements[string](l, law.Text)
	}
	return nil
}

func elements[T any](l wire.Lit, kind law.Kind) any {
	out := make([]T, len(l.E))
	for i, e := range l.E {
		v, ok := valueOf(e, kind).(T)
		if !ok {
			return nil
		}
		out[i] = v
	}
	return out
}

// fits reports whether a cell's type holds a value.
func (c cell) fits(v any) bool {
	switch v := v.(type) {
	case int64:
		return fitsIn(v, c.basic)
	case []int64:
		return !slices.ContainsFunc(v, func(x int64) bool { return !fitsIn(x, c.basic) })
	}
	return true
}

// valueText writes a value of a kind as Go does.
func valueText(v any) string {
	if text, ok := v.(string); ok {
		return strconv.Quote(text)
	}
	return strings.ReplaceAll(fmt.Sprintf("%#v", v), "int64", "int")
}

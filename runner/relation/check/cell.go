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
	at      int    // number of the argument or result
	part    part   // of it
	field   int    // of a field or element, its number
	fields  int    // that the struct or array has
	pointer bool   // it points to the struct
	name    string // of the field with a dot, of the element with brackets
	typ     types.Type
	kind    law.Kind
	basic   *types.Basic // the type, or that of elements
}

// part says which part of a value a cell is.
type part byte

const (
	partWhole part = iota
	partField      // of a struct, or an element of an array
	partSize       // of a list or map whose elements have no kind
	partKeys       // of a map, ascending
)

// maxFields bounds the fields of one struct, and the elements of one array, that are cells.
const maxFields = 6

// cellsOf returns the cells of an argument or result: one, or those of its exported fields
// or elements. Of a result that is a list or map of what has no kind there are the length
// and the keys; what is read off like that cannot be put into an argument.
func cellsOf(at int, t types.Type, isResult bool) []cell {
	if kind, basic := kindOf(t); kind != law.None {
		return []cell{{at: at, typ: t, kind: kind, basic: basic}}
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return elementsOf(at, u)
	case *types.Slice, *types.Map:
		if isResult {
			return readOff(at, u)
		}
	}
	p, pointer := t.Underlying().(*types.Pointer)
	if pointer && isResult {
		t = p.Elem()
	}
	if _, named := types.Unalias(t).(*types.Named); !named {
		return nil
	}
	fields, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []cell
	for i := range fields.NumFields() {
		f := fields.Field(i)
		if kind, basic := kindOf(f.Type()); f.Exported() && kind != law.None && len(out) < maxFields {
			out = append(out, cell{at, partField, i, fields.NumFields(), pointer, "." + f.Name(), f.Type(), kind, basic})
		}
	}
	return out
}

// elementsOf returns the cells of an array.
func elementsOf(at int, t *types.Array) []cell {
	kind, basic := kindOf(t.Elem())
	if kind == law.None || t.Len() > maxFields {
		return nil
	}
	var out []cell
	for i := range int(t.Len()) {
		out = append(out, cell{at: at, part: partField, field: i, fields: int(t.Len()), name: fmt.Sprintf("[%d]", i), typ: t.Elem(), kind: kind, basic: basic})
	}
	return out
}

// readOff returns the length of a list or map, and the keys of a map.
func readOff(at int, t types.Type) []cell {
	out := []cell{{at: at, part: partSize, typ: types.Typ[types.Int], kind: law.Int, basic: types.Typ[types.Int]}}
	m, ok := t.(*types.Map)
	if !ok {
		return out
	}
	if basic, ok := m.Key().(*types.Basic); ok {
		switch kind, _ := kindOf(basic); kind {
		case law.Int:
			out = append(out, cell{at: at, part: partKeys, typ: types.NewSlice(basic), kind: law.Ints, basic: basic})
		case law.Text:
			out = append(out, cell{at: at, part: partKeys, typ: types.NewSlice(basic), kind: law.Texts, basic: basic})
		}
	}
	return out
}

// math writes the cell of a value in mathematical notation.
func (c cell) math(of string) string {
	switch c.part {
	case partSize:
		return "len(" + of + ")"
	case partKeys:
		return "keys(" + of + ")"
	}
	return of + c.name
}

// code writes the cell of a value as Go.
func (c cell) code(of string) string {
	if c.part == partKeys {
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
	switch c.part {
	case partWhole:
		return valueOf(l, c.kind)
	case partSize:
		return lengthOf(l)
	case partKeys:
		return keysOf(l, c.kind)
	}
	if c.pointer {
		if l.Form != wire.Pointer || len(l.E) != 1 {
			return nil
		}
		l = l.E[0]
	}
	switch {
	case (l.Form == wire.Struct || l.Form == wire.Seq) && c.field < len(l.E):
		return valueOf(l.E[c.field], c.kind)
	case l.Form == wire.Zero:
		return valueOf(l, c.kind)
	}
	return nil
}

// set puts a value into the cell of an argument, and reports whether it could: not into
// what an earlier call gave, and not what its type does not hold.
func (c cell) set(list []wire.Lit, v any) bool {
	if !c.fits(v) {
		return false
	}
	l := literal(v, c.basic)
	if c.part == partWhole {
		list[c.at] = l
		return true
	}
	form := wire.Struct
	if strings.HasPrefix(c.name, "[") {
		form = wire.Seq
	}
	of := &list[c.at]
	if of.Form == wire.Zero {
		*of = wire.Lit{Form: form, E: make([]wire.Lit, c.fields)}
	}
	if c.part != partField || of.Form != form || c.field >= len(of.E) {
		return false
	}
	of.E[c.field] = l
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

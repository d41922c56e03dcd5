package symbolic

import (
	"fmt"
	"go/constant"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// value is what a variable holds on a path: a *Term for integers and booleans, or one of
// the types below. Values never change; memory is changed by putting another one there.
type value any

// text is a string: a part of an endless row of bytes, of which those that are asked for
// come into being.
type text struct {
	at          func(i int) *Term
	known       int // how many bytes the row has; -1 if endless
	off, length *Term
}

// slice is a part of what a pointer points to: a row or an array.
type slice struct {
	isNil, off, length, capacity *Term
	base                         pointer
}

// pointer leads to an object, or to something in it.
type pointer struct {
	isNil *Term
	obj   int
	path  []step
}

// step leads from a value into it.
type step struct {
	field int
	index *Term // of an element, else nil
}

// group has the fields of a struct, the elements of an array or the parts of a tuple.
type group []value

// row has the elements behind a slice, of which those that are asked for come into being.
type row struct {
	at      func(i int) value
	written map[int]value
}

func (r row) get(i int) value {
	if v, ok := r.written[i]; ok {
		return v
	}
	return r.at(i)
}

func (r row) with(i int, v value) row {
	out := row{r.at, map[int]value{i: v}}
	for k, x := range r.written {
		if k != i {
			out.written[k] = x
		}
	}
	return out
}

// boxed is a value of an interface; typ is nil where its dynamic type is not known.
type boxed struct {
	isNil *Term
	typ   types.Type
	v     value
}

// cursor is how far a range over a string has come.
type cursor struct {
	over text
	next int
}

// opaque is what there is no model of. It may be copied, and nothing else.
type opaque struct{}

const (
	// elements is how many elements of strings and slices are told apart where the index
	// is not known. Elements at known indexes are all told apart.
	elements = 24
	// maxArray bounds arrays, and texts that are compared in full.
	maxArray = 256
	// maxIndirect bounds the pointers behind each other that are followed.
	maxIndirect = 8
)

// longest bounds lengths: no memory holds more.
const longest = 1 << 56

func wordSize() int { return strconv.IntSize }

// integer says how wide an integer or boolean type is, and whether it has a sign.
func integer(t types.Type) (width int, sign, ok bool) {
	b, is := t.Underlying().(*types.Basic)
	if !is {
		return 0, false, false
	}
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		return 1, false, true
	case types.Int, types.UntypedInt:
		return wordSize(), true, true
	case types.Int8:
		return 8, true, true
	case types.Int16:
		return 16, true, true
	case types.Int32, types.UntypedRune:
		return 32, true, true
	case types.Int64:
		return 64, true, true
	case types.Uint, types.Uintptr:
		return wordSize(), false, true
	case types.Uint8:
		return 8, false, true
	case types.Uint16:
		return 16, false, true
	case types.Uint32:
		return 32, false, true
	case types.Uint64:
		return 64, false, true
	}
	return 0, false, false
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// word is a number of Go's int.
func (w *walk) word(n int) *Term { return w.terms.Const(wordSize(), uint64(n)) }

func (w *walk) constantText(s string) text {
	return text{at: func(i int) *Term {
		if i < len(s) {
			return w.terms.Const(8, uint64(s[i]))
		}
		return w.terms.Const(8, 0)
	}, known: len(s), off: w.word(0), length: w.word(len(s))}
}

// object is what pointers point to.
type object struct {
	first func() value // before anything was written
	owner owner
}

// owner says who may lead to an object.
type owner int

const (
	ours     owner = iota // made on the way
	argument              // an argument leads there
	variable              // it is a package variable
)

func (w *walk) newObject(first func() value, by owner) int {
	w.objects = append(w.objects, object{first, by})
	return len(w.objects) - 1
}

// first is what an object holds before anything was written.
func (w *walk) first(obj int) value {
	v, ok := w.firsts[obj]
	if !ok {
		v = w.objects[obj].first()
		w.firsts[obj] = v
	}
	return v
}

// unknown is any value of a type. hidden says that it is in a field that only the type's
// own package can set.
func (w *walk) unknown(t types.Type, name string, depth int, hidden bool) value {
	if v, ok := w.unknowns[name]; ok {
		return v
	}
	v := w.newUnknown(t, name, depth, hidden)
	w.unknowns[name] = v
	return v
}

func (w *walk) variable(width int, name string, hidden bool) *Term {
	t := w.terms.Var(width, name)
	if hidden {
		w.hidden = append(w.hidden, t)
	}
	return t
}

func (w *walk) newUnknown(t types.Type, name string, depth int, hidden bool) value {
	if width, _, ok := integer(t); ok {
		return w.variable(width, name, hidden)
	}
	if _, ok := t.(*types.TypeParam); ok {
		return opaque{}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if isText(t) {
			length := w.length(name+".len", true, hidden)
			return text{at: func(i int) *Term { return w.variable(8, fmt.Sprintf("%s[%d]", name, i), false) }, known: -1, off: w.word(0), length: length}
		}
	case *types.Struct:
		g := make(group, u.NumFields())
		for i := range g {
			f := u.Field(i)
			g[i] = w.unknown(f.Type(), name+"."+strconv.Itoa(i), depth, hidden || !f.Exported())
		}
		return g
	case *types.Array:
		if u.Len() > maxArray {
			return opaque{}
		}
		g := make(group, u.Len())
		for i := range g {
			g[i] = w.unknown(u.Elem(), fmt.Sprintf("%s[%d]", name, i), depth, hidden)
		}
		return g
	case *types.Tuple:
		g := make(group, u.Len())
		for i := range g {
			g[i] = w.unknown(u.At(i).Type(), name+"."+strconv.Itoa(i), depth, hidden)
		}
		return g
	case *types.Pointer:
		if depth >= maxIndirect {
			return opaque{}
		}
		obj := w.newObject(func() value { return w.unknown(u.Elem(), name+".to", depth+1, hidden) }, argument)
		return pointer{isNil: w.variable(1, name+".nil", false), obj: obj}
	case *types.Slice:
		if depth >= maxIndirect {
			return opaque{}
		}
		bounded := w.sizes.Sizeof(u.Elem()) > 0
		s := slice{isNil: w.variable(1, name+".nil", false), off: w.word(0),
			length: w.length(name+".len", bounded, hidden), capacity: w.length(name+".cap", bounded, false)}
		w.axioms = append(w.axioms, w.terms.Not(w.terms.Binary(SLt, s.capacity, s.length)),
			w.terms.Binary(Or, w.terms.Not(s.isNil), w.terms.Binary(Eq, s.capacity, w.word(0))))
		s.base.isNil = w.terms.Bool(false)
		s.base.obj = w.newObject(func() value {
			return row{at: func(i int) value { return w.unknown(u.Elem(), fmt.Sprintf("%s[%d]", name, i), depth+1, hidden) }}
		}, argument)
		return s
	case *types.Interface:
		return boxed{isNil: w.variable(1, name+".nil", false)}
	}
	return opaque{}
}

// length is an unknown length, which is never negative.
func (w *walk) length(name string, bounded, hidden bool) *Term {
	t := w.variable(wordSize(), name, hidden)
	w.axioms = append(w.axioms, w.terms.Not(w.terms.Binary(SLt, t, w.word(0))))
	if bounded && wordSize() == 64 {
		w.axioms = append(w.axioms, w.terms.Binary(SLt, t, w.word(longest)))
	}
	w.lengths = append(w.lengths, t)
	return t
}

// zero is the zero value of a type.
func (w *walk) zero(t types.Type) value {
	if width, _, ok := integer(t); ok {
		return w.terms.Const(width, 0)
	}
	if _, ok := t.(*types.TypeParam); ok {
		return opaque{}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if isText(t) {
			return w.constantText("")
		}
	case *types.Struct:
		g := make(group, u.NumFields())
		for i := range g {
			g[i] = w.zero(u.Field(i).Type())
		}
		return g
	case *types.Array:
		if u.Len() > maxArray {
			return opaque{}
		}
		g := make(group, u.Len())
		for i := range g {
			g[i] = w.zero(u.Elem())
		}
		return g
	case *types.Pointer:
		return pointer{isNil: w.terms.Bool(true)}
	case *types.Slice:
		s := w.made(u.Elem(), w.word(0), w.word(0))
		s.isNil = w.terms.Bool(true)
		return s
	case *types.Interface:
		return boxed{isNil: w.terms.Bool(true)}
	}
	return opaque{}
}

// made is a slice of its own, of zeros.
func (w *walk) made(elem types.Type, length, capacity *Term) slice {
	obj := w.newObject(func() value { return row{at: func(int) value { return w.zero(elem) }} }, ours)
	return slice{isNil: w.terms.Bool(false), off: w.word(0), length: length, capacity: capacity, base: pointer{isNil: w.terms.Bool(false), obj: obj}}
}

// choose is a where c holds, else b. It is false where there is no value for both.
func (w *walk) choose(c *Term, a, b value) (value, bool) {
	switch {
	case c.isConst(1):
		return a, true
	case c.isConst(0):
		return b, true
	}
	switch a := a.(type) {
	case *Term:
		if b, ok := b.(*Term); ok && a.Width == b.Width {
			return w.terms.Ite(c, a, b), true
		}
	case text:
		b, ok := b.(text)
		if !ok || a.off.Op != Const || b.off.Op != Const {
			return nil, false
		}
		return text{at: func(i int) *Term {
			return w.terms.Ite(c, a.at(i+int(a.off.Value)), b.at(i+int(b.off.Value)))
		}, known: -1, off: w.word(0), length: w.terms.Ite(c, a.length, b.length)}, true
	case group:
		b, ok := b.(group)
		if !ok || len(a) != len(b) {
			return nil, false
		}
		out := make(group, len(a))
		for i := range a {
			if out[i], ok = w.choose(c, a[i], b[i]); !ok {
				return nil, false
			}
		}
		return out, true
	}
	return nil, false
}

// references counts the ways by which a value of a type leads to memory that others may
// lead to as well; 2 stands for more.
func references(t types.Type, depth int) int {
	if depth > maxIndirect {
		return 2
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return 1 + references(u.Elem(), depth+1)
	case *types.Slice:
		return 1 + 2*references(u.Elem(), depth+1)
	case *types.Array:
		return 2 * references(u.Elem(), depth+1)
	case *types.Struct:
		n := 0
		for i := 0; i < u.NumFields() && n < 2; i++ {
			n += references(u.Field(i).Type(), depth+1)
		}
		return n
	}
	return 0
}

// constant is the value of a constant.
func (w *walk) constant(c *ssa.Const) value {
	if c.Value == nil {
		return w.zero(c.Type())
	}
	if width, sign, ok := integer(c.Type()); ok {
		switch {
		case width == 1:
			return w.terms.Bool(constant.BoolVal(c.Value))
		case sign:
			return w.terms.Const(width, uint64(c.Int64()))
		}
		return w.terms.Const(width, c.Uint64())
	}
	if isText(c.Type()) {
		return w.constantText(constant.StringVal(c.Value))
	}
	return opaque{}
}

package symbolic

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// value is what an operand holds.
func (w *walk) value(s *state, v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Const:
		return w.constant(v)
	case *ssa.Global:
		return w.global(v)
	case *ssa.Function, *ssa.Builtin:
		return opaque{}
	}
	if x, ok := s.top().values[v]; ok {
		return x
	}
	return opaque{}
}

// global leads to a package variable, which may hold anything.
func (w *walk) global(g *ssa.Global) value {
	name := "g " + g.String()
	if v, ok := w.unknowns[name]; ok {
		return v
	}
	elem := g.Type().Underlying().(*types.Pointer).Elem()
	obj := w.newObject(func() value {
		w.limit("the package variable " + g.Name() + " may hold anything")
		return w.unknown(elem, name+".to", 1, false)
	}, variable)
	v := pointer{isNil: w.terms.Bool(false), obj: obj}
	w.unknowns[name] = v
	return v
}

// advance executes one instruction. It reports whether the path goes on; states that go on
// instead of it stand in the queue.
func (w *walk) advance(s *state) bool {
	f := s.top()
	i := f.block.Instrs[f.at]
	f.at++
	switch i := i.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.If:
		return w.decide(s, i)
	case *ssa.Jump:
		return w.enter(s, f.block.Succs[0])
	case *ssa.Return:
		return w.leave(s, i)
	case *ssa.Panic:
		return false
	case *ssa.Store:
		return w.storeAt(s, i)
	case *ssa.Defer:
		// What is deferred in the entry happens behind everything that matters.
		if len(s.frames) > 1 {
			w.unmodelled("a deferred call", i)
		}
		return true
	case *ssa.RunDefers:
		return true
	case *ssa.Go, *ssa.Send, *ssa.MapUpdate:
		w.unmodelled("a statement on goroutines, channels or maps", i)
		return true
	case *ssa.Call:
		return w.call(s, i)
	}
	v, ok := i.(ssa.Value)
	if !ok {
		w.unmodelled("an instruction", i)
		return false
	}
	got, on := w.compute(s, v)
	if !on {
		return false
	}
	if got == nil {
		w.unmodelled(kindOf(v), i)
		got = w.anything(v.Type())
	}
	f.values[v] = got
	return true
}

// kindOf names an instruction for people.
func kindOf(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.BinOp:
		return "the operator " + v.Op.String()
	case *ssa.UnOp:
		return "the operator " + v.Op.String()
	case *ssa.Convert:
		return "a conversion to " + v.Type().String()
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			return "a call of " + fn.String()
		}
		return "a dynamic call"
	case *ssa.Lookup, *ssa.Range, *ssa.Next:
		return "a map"
	case *ssa.TypeAssert:
		return "a type assertion"
	}
	return "an expression"
}

// leave returns to the caller. It reports whether there is one.
func (w *walk) leave(s *state, i *ssa.Return) bool {
	if len(s.frames) == 1 {
		return false
	}
	var got value
	if len(i.Results) == 1 {
		got = w.value(s, i.Results[0])
	} else {
		g := make(group, len(i.Results))
		for k, r := range i.Results {
			g[k] = w.value(s, r)
		}
		got = g
	}
	result := s.top().result
	s.frames = s.frames[:len(s.frames)-1]
	s.top().values[result] = got
	return true
}

func (w *walk) storeAt(s *state, i *ssa.Store) bool {
	p, ok := w.value(s, i.Addr).(pointer)
	if !ok {
		w.unmodelled("what is written", i)
		return true
	}
	if !w.assume(s, w.terms.Not(p.isNil)) {
		return false
	}
	w.store(s, p, w.value(s, i.Val), i)
	return true
}

// compute is the value of an instruction; nil where there is no model of it. on is false
// where the path ends: what would panic, or is not possible.
func (w *walk) compute(s *state, v ssa.Value) (got value, on bool) {
	switch v := v.(type) {
	case *ssa.Alloc:
		elem := v.Type().Underlying().(*types.Pointer).Elem()
		obj := w.newObject(func() value { return w.zero(elem) }, ours)
		return pointer{isNil: w.terms.Bool(false), obj: obj}, true
	case *ssa.BinOp:
		return w.binary(s, v)
	case *ssa.UnOp:
		return w.unary(s, v)
	case *ssa.ChangeType, *ssa.ChangeInterface:
		var ops [1]*ssa.Value
		return w.value(s, *v.(ssa.Instruction).Operands(ops[:0])[0]), true
	case *ssa.Convert:
		return w.convert(s, v), true
	case *ssa.MakeInterface:
		return boxed{isNil: w.terms.Bool(false), typ: v.X.Type(), v: w.value(s, v.X)}, true
	case *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeChan:
		return opaque{}, true
	case *ssa.MakeSlice:
		return w.makeSlice(s, v)
	case *ssa.FieldAddr:
		p, ok := w.value(s, v.X).(pointer)
		if !ok {
			return nil, true
		}
		return p.to(step{field: v.Field}), w.assume(s, w.terms.Not(p.isNil))
	case *ssa.Field:
		g, ok := w.value(s, v.X).(group)
		if !ok {
			return nil, true
		}
		return g[v.Field], true
	case *ssa.Extract:
		g, ok := w.value(s, v.Tuple).(group)
		if !ok {
			return nil, true
		}
		return g[v.Index], true
	case *ssa.IndexAddr:
		return w.indexAddr(s, v)
	case *ssa.Index:
		return w.index(s, v.X, v.Index)
	case *ssa.Lookup:
		if !isText(v.X.Type()) {
			return nil, true
		}
		return w.index(s, v.X, v.Index)
	case *ssa.Slice:
		return w.slice(s, v)
	case *ssa.Range:
		if t, ok := w.value(s, v.X).(text); ok {
			obj := w.newObject(func() value { return cursor{over: t} }, ours)
			return pointer{isNil: w.terms.Bool(false), obj: obj}, true
		}
	case *ssa.Next:
		return w.next(s, v)
	case *ssa.TypeAssert:
		return w.typeAssert(s, v)
	}
	return nil, true
}

// to is a pointer into what p leads to.
func (p pointer) to(x step) pointer {
	return pointer{isNil: p.isNil, obj: p.obj, path: append(append([]step(nil), p.path...), x)}
}

func (w *walk) unary(s *state, v *ssa.UnOp) (value, bool) {
	x := w.value(s, v.X)
	if v.Op == token.MUL {
		p, ok := x.(pointer)
		if !ok {
			return nil, true
		}
		if !w.assume(s, w.terms.Not(p.isNil)) {
			return nil, false
		}
		got, _ := w.load(s, p, v)
		return got, true
	}
	t, ok := x.(*Term)
	if !ok || v.CommaOk {
		return nil, true
	}
	switch v.Op {
	case token.NOT, token.XOR:
		return w.terms.Not(t), true
	case token.SUB:
		return w.terms.Neg(t), true
	}
	return nil, true
}

// indexTerm is an index as a number of Go's int. What does not fit is out of every range.
func (w *walk) indexTerm(s *state, v ssa.Value) (*Term, bool) {
	t, ok := w.value(s, v).(*Term)
	if !ok {
		return nil, false
	}
	_, sign, known := integer(v.Type())
	if !known || t.Width > wordSize() {
		return nil, false
	}
	return w.terms.Resize(t, wordSize(), sign), true
}

// within says that 0 <= i < n. Of an unsigned number that is too large for an int, the
// sign is set.
func (w *walk) within(i, n *Term) *Term {
	return w.terms.All(w.terms.Not(w.terms.Binary(SLt, i, w.word(0))), w.terms.Binary(SLt, i, n))
}

func (w *walk) indexAddr(s *state, v *ssa.IndexAddr) (value, bool) {
	i, ok := w.indexTerm(s, v.Index)
	if !ok {
		return nil, true
	}
	switch x := w.value(s, v.X).(type) {
	case slice:
		if !w.assume(s, w.within(i, x.length)) {
			return nil, false
		}
		return x.base.to(step{index: w.terms.Binary(Add, x.off, i)}), true
	case pointer:
		p, ok := v.X.Type().Underlying().(*types.Pointer)
		if !ok {
			return nil, true
		}
		a, ok := p.Elem().Underlying().(*types.Array)
		if !ok {
			return nil, true
		}
		if !w.assume(s, w.terms.Not(x.isNil)) || !w.assume(s, w.within(i, w.word(int(a.Len())))) {
			return nil, false
		}
		return x.to(step{index: i}), true
	}
	return nil, true
}

func (w *walk) index(s *state, x, index ssa.Value) (value, bool) {
	i, ok := w.indexTerm(s, index)
	if !ok {
		return nil, true
	}
	switch x := w.value(s, x).(type) {
	case text:
		if !w.assume(s, w.within(i, x.length)) {
			return nil, false
		}
		if t, ok := w.byteAt(s, x, i); ok {
			return t, true
		}
	case group:
		if !w.assume(s, w.within(i, w.word(len(x)))) {
			return nil, false
		}
		if got, ok := w.into(s, x, step{index: i}); ok {
			return got, true
		}
	}
	return nil, true
}

func (w *walk) makeSlice(s *state, v *ssa.MakeSlice) (value, bool) {
	n, ok1 := w.indexTerm(s, v.Len)
	c, ok2 := w.indexTerm(s, v.Cap)
	u, ok3 := v.Type().Underlying().(*types.Slice)
	if !ok1 || !ok2 || !ok3 {
		return nil, true
	}
	fits := w.terms.All(w.terms.Not(w.terms.Binary(SLt, n, w.word(0))), w.terms.Not(w.terms.Binary(SLt, c, n)))
	if !w.assume(s, fits) {
		return nil, false
	}
	return w.made(u.Elem(), n, c), true
}

// slice cuts a part out of a text, a slice or an array.
func (w *walk) slice(s *state, v *ssa.Slice) (value, bool) {
	low, high, most := w.word(0), (*Term)(nil), (*Term)(nil)
	for _, x := range []struct {
		v  ssa.Value
		to **Term
	}{{v.Low, &low}, {v.High, &high}, {v.Max, &most}} {
		if x.v != nil {
			t, ok := w.indexTerm(s, x.v)
			if !ok {
				return nil, true
			}
			*x.to = t
		}
	}
	ordered := func(list ...*Term) *Term {
		out := w.terms.Bool(true)
		for i := 1; i < len(list); i++ {
			out = w.terms.Binary(And, out, w.terms.Not(w.terms.Binary(SLt, list[i], list[i-1])))
		}
		return out
	}
	var from slice
	switch x := w.value(s, v.X).(type) {
	case text:
		if high == nil {
			high = x.length
		}
		if !w.assume(s, ordered(w.word(0), low, high, x.length)) {
			return nil, false
		}
		return text{at: x.at, known: x.known, off: w.terms.Binary(Add, x.off, low), length: w.terms.Sub(high, low)}, true
	case slice:
		from = x
	case pointer:
		p, ok := v.X.Type().Underlying().(*types.Pointer)
		if !ok {
			return nil, true
		}
		a, ok := p.Elem().Underlying().(*types.Array)
		if !ok {
			return nil, true
		}
		if !w.assume(s, w.terms.Not(x.isNil)) {
			return nil, false
		}
		n := w.word(int(a.Len()))
		from = slice{isNil: w.terms.Bool(false), off: w.word(0), length: n, capacity: n, base: x}
	default:
		return nil, true
	}
	if high == nil {
		high = from.length
	}
	if most == nil {
		most = from.capacity
	}
	if !w.assume(s, ordered(w.word(0), low, high, most, from.capacity)) {
		return nil, false
	}
	return slice{isNil: from.isNil, base: from.base, off: w.terms.Binary(Add, from.off, low),
		length: w.terms.Sub(high, low), capacity: w.terms.Sub(most, low)}, true
}

// next goes on in a range over a string. Only characters of one byte have a model.
func (w *walk) next(s *state, v *ssa.Next) (value, bool) {
	p, ok := w.value(s, v.Iter).(pointer)
	if !ok || !v.IsString {
		return nil, true
	}
	c, ok := w.object(s, p.obj).(cursor)
	if !ok {
		return nil, true
	}
	i := w.word(c.next)
	more := w.terms.Binary(SLt, i, c.over.length)
	b := w.terms.Const(8, 0)
	if !more.isConst(0) {
		// Behind the end nothing is looked at, so any byte will do.
		if b, ok = w.inside(c.over, c.next); !ok {
			return nil, true
		}
		one := w.terms.Binary(Or, w.terms.Not(more), w.terms.Binary(ULt, b, w.terms.Const(8, 0x80)))
		if !w.restrict(s, one, "only texts of ASCII characters are ranged over") {
			return nil, false
		}
	}
	s.memory[p.obj] = cursor{over: c.over, next: c.next + 1}
	return group{more, i, w.terms.Resize(b, 32, false)}, true
}

func (w *walk) typeAssert(s *state, v *ssa.TypeAssert) (value, bool) {
	x, ok := w.value(s, v.X).(boxed)
	if !ok || x.typ == nil && !x.isNil.isConst(1) {
		return nil, true
	}
	holds := false
	var got value = w.zero(v.AssertedType)
	if x.typ != nil {
		if u, ok := v.AssertedType.Underlying().(*types.Interface); ok {
			if holds = types.Implements(x.typ, u); holds {
				got = x
			}
		} else if holds = types.Identical(x.typ, v.AssertedType); holds {
			got = x.v
		}
	}
	holds = holds && !x.isNil.isConst(1)
	if v.CommaOk {
		return group{got, w.terms.Bool(holds)}, true
	}
	return got, holds
}

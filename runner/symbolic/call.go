package symbolic

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call goes on in the function that is called where that has a body and is not too deep,
// or computes what a builtin function or a well-known one gives. It reports whether the
// path goes on.
func (w *walk) call(s *state, i *ssa.Call) bool {
	c := &i.Call
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if b.Name() == "panic" {
			return false
		}
		got, on := w.builtin(s, b.Name(), i)
		return on && w.give(s, i, got)
	}
	var args []value
	fn := c.StaticCallee()
	if c.IsInvoke() {
		x, ok := w.value(s, c.Value).(boxed)
		if ok && !w.assume(s, w.terms.Not(x.isNil)) {
			return false
		}
		if ok && x.typ != nil {
			fn = i.Parent().Prog.LookupMethod(x.typ, c.Method.Pkg(), c.Method.Name())
			args = append(args, x.v)
		}
	}
	if fn == nil {
		return w.give(s, i, nil)
	}
	for _, a := range c.Args {
		args = append(args, w.value(s, a))
	}
	if got, on, known := w.wellKnown(s, fn, args); known {
		return on && w.give(s, i, got)
	}
	if len(fn.Blocks) == 0 || len(fn.FreeVars) > 0 || len(args) != len(fn.Params) || fn.TypeParams().Len() > 0 {
		return w.give(s, i, nil)
	}
	if len(s.frames) > maxCalls {
		w.limit(fmt.Sprintf("more than %d calls in each other", maxCalls))
		return false
	}
	f := &frame{fn: fn, values: map[ssa.Value]value{}, rounds: map[*ssa.BasicBlock]round{}, result: i}
	for k, p := range fn.Params {
		f.values[p] = args[k]
	}
	s.frames = append(s.frames, f)
	return w.enter(s, fn.Blocks[0])
}

// give ends a call; nil stands for a result that there is no model of. It reports whether
// the path goes on, as it always does.
func (w *walk) give(s *state, i *ssa.Call, got value) bool {
	if got == nil {
		w.unmodelled(kindOf(i), i)
		got = w.anything(i.Type())
	}
	s.top().values[i] = got
	return true
}

// builtin computes a builtin function; nil where there is no model of it.
func (w *walk) builtin(s *state, name string, i *ssa.Call) (value, bool) {
	var args []value
	for _, a := range i.Call.Args {
		args = append(args, w.value(s, a))
	}
	switch name {
	case "len", "cap":
		switch x := args[0].(type) {
		case text:
			return x.length, true
		case slice:
			if name == "cap" {
				return x.capacity, true
			}
			return x.length, true
		case group:
			return w.word(len(x)), true
		}
	case "min", "max":
		return w.extreme(args, name == "min", i.Type()), true
	case "append":
		return w.appended(s, args, i), true
	case "print", "println":
		return group{}, true
	}
	return nil, true
}

func (w *walk) extreme(args []value, least bool, t types.Type) value {
	out, ok := args[0].(*Term)
	_, sign, known := integer(t)
	ok = ok && known
	for _, a := range args[1:] {
		x, is := a.(*Term)
		if !ok || !is {
			return nil
		}
		less := w.terms.Binary(pick(sign, SLt, ULt), x, out)
		if !least {
			less = w.terms.Binary(pick(sign, SLt, ULt), out, x)
		}
		out = w.terms.Ite(less, x, out)
	}
	if !ok {
		return nil
	}
	return out
}

// appended is a slice with elements behind it, in memory of its own. Where the first one
// may have room for them, Go writes there instead: that is left out.
func (w *walk) appended(s *state, args []value, i *ssa.Call) value {
	a, ok := args[0].(slice)
	if !ok || len(args) != 2 {
		return nil
	}
	u := i.Type().Underlying().(*types.Slice)
	var more text // bytes of a text
	var from value
	var n *Term
	var off *Term
	switch b := args[1].(type) {
	case slice:
		v, ok := w.load(s, b.base, i)
		if !ok {
			return nil
		}
		from, n, off = v, b.length, b.off
	case text:
		more, n, off = b, b.length, b.off
	default:
		return nil
	}
	if !a.capacity.isConst(0) && !w.sure(s, w.terms.Binary(Eq, a.capacity, a.length)) && !n.isConst(0) {
		w.limit("append may write into memory that others see")
	}
	old, ok := w.load(s, a.base, i)
	if !ok || off.Op != Const || a.off.Op != Const {
		return nil
	}
	second := func(k int) value {
		if from == nil {
			return more.at(k + int(off.Value))
		}
		return elementOf(from, k+int(off.Value), func() value { return w.zero(u.Elem()) })
	}
	first := func(k int) value {
		return elementOf(old, k+int(a.off.Value), func() value { return w.zero(u.Elem()) })
	}
	length := w.terms.Binary(Add, a.length, n)
	out := w.made(u.Elem(), length, w.capacity(length))
	if a.length.Op != Const && !w.restrict(s, w.terms.Binary(ULt, a.length, w.word(elements+1)), indexLimit) {
		return nil
	}
	out.base.obj = w.newObject(func() value {
		return row{at: func(k int) value { return w.joinedElement(a.length, k, first, second) }}
	}, ours)
	return out
}

// joinedElement is element k of one list behind another one.
func (w *walk) joinedElement(length *Term, k int, first, second func(int) value) value {
	if length.Op == Const {
		if n := int(length.Value); k >= n {
			return second(k - n)
		}
		return first(k)
	}
	v := first(k)
	for n := 0; n <= min(k, elements); n++ {
		var ok bool
		if v, ok = w.choose(w.terms.Binary(Eq, length, w.word(n)), second(k-n), v); !ok {
			w.limit("elements that have no equation")
			return opaque{}
		}
	}
	return v
}

func elementOf(v value, i int, none func() value) value {
	switch v := v.(type) {
	case row:
		return v.get(i)
	case group:
		if i < len(v) {
			return v[i]
		}
		return none()
	}
	return opaque{}
}

// sure reports whether a condition holds on every way along a path.
func (w *walk) sure(s *state, c *Term) bool {
	if c.Op == Const {
		return c.isConst(1)
	}
	w.questions++
	_, v := w.panel.Solve(w.ctx, w.conditions(s, w.terms.Not(c)))
	return v == Unsat
}

// wellKnown computes what a function of the standard library gives.
func (w *walk) wellKnown(s *state, fn *ssa.Function, args []value) (got value, on, known bool) {
	texts := func(n int) (list []text, ok bool) {
		for _, a := range args[:min(n, len(args))] {
			t, ok := a.(text)
			if !ok {
				return nil, false
			}
			list = append(list, t)
		}
		return list, len(list) == n
	}
	object := fn.Object()
	if object == nil || object.Pkg() == nil || fn.Signature.Recv() != nil {
		return nil, false, false
	}
	switch object.Pkg().Path() + "." + object.Name() {
	case "errors.New":
		return boxed{isNil: w.terms.Bool(false)}, true, true
	case "fmt.Errorf":
		if w.plain(s, args) {
			return boxed{isNil: w.terms.Bool(false)}, true, true
		}
		w.limit("fmt.Errorf may call methods")
		return boxed{isNil: w.terms.Bool(false)}, true, true
	case "strings.HasPrefix":
		if list, ok := texts(2); ok {
			if t, ok := w.begins(list[0], list[1]); ok {
				return t, true, true
			}
		}
	case "bytes.Equal":
		if a, b, ok := w.twoBytes(s, args); ok {
			if t, ok := w.sameText(s, a, b); ok {
				return t, true, true
			}
		}
	}
	return nil, false, false
}

func (w *walk) twoBytes(s *state, args []value) (a, b text, ok bool) {
	if len(args) != 2 {
		return a, b, false
	}
	x, ok1 := args[0].(slice)
	y, ok2 := args[1].(slice)
	if !ok1 || !ok2 {
		return a, b, false
	}
	a, ok1 = w.copied(s, x)
	b, ok2 = w.copied(s, y)
	return a, b, ok1 && ok2
}

// plain reports whether variadic arguments have no methods.
func (w *walk) plain(s *state, args []value) bool {
	if len(args) != 2 {
		return false
	}
	list, ok := args[1].(slice)
	if !ok || list.length.Op != Const {
		return false
	}
	v := w.object(s, list.base.obj)
	g, ok := v.(group)
	if !ok && list.length.isConst(0) {
		return true
	}
	for _, e := range g {
		b, isBoxed := e.(boxed)
		if !isBoxed || b.typ == nil {
			return false
		}
		if _, basic := b.typ.(*types.Basic); !basic {
			return false
		}
	}
	return ok
}

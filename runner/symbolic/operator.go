package symbolic

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// binary computes an operator of two operands.
func (w *walk) binary(s *state, v *ssa.BinOp) (value, bool) {
	a, b := w.value(s, v.X), w.value(s, v.Y)
	switch v.Op {
	case token.EQL, token.NEQ:
		t, ok := w.equal(s, a, b)
		if !ok || hasBlank(v.X.Type()) {
			return nil, true
		}
		if v.Op == token.NEQ {
			t = w.terms.Not(t)
		}
		return t, true
	}
	if x, ok := a.(text); ok {
		y, ok := b.(text)
		if !ok {
			return nil, true
		}
		return w.textOperator(s, v.Op, x, y), true
	}
	x, ok1 := a.(*Term)
	y, ok2 := b.(*Term)
	if !ok1 || !ok2 {
		return nil, true
	}
	_, sign, known := integer(v.X.Type())
	_, signedCount, knownCount := integer(v.Y.Type())
	if !known || !knownCount {
		return nil, true // of a type parameter
	}
	switch v.Op {
	case token.SHL, token.SHR:
		if signedCount {
			if !w.assume(s, w.terms.Not(w.terms.Binary(SLt, y, w.terms.Const(y.Width, 0)))) {
				return nil, false // it panics
			}
		}
		op := Shl
		if v.Op == token.SHR {
			op = pick(sign, AShr, LShr)
		}
		return w.terms.Shift(op, x, y), true
	case token.QUO, token.REM:
		if !w.assume(s, w.terms.Not(w.terms.Binary(Eq, y, w.terms.Const(y.Width, 0)))) {
			return nil, false
		}
		if v.Op == token.QUO {
			return w.terms.Binary(pick(sign, SDiv, UDiv), x, y), true
		}
		return w.terms.Binary(pick(sign, SRem, URem), x, y), true
	}
	if t := w.arithmetic(v.Op, x, y, pick(sign, SLt, ULt)); t != nil {
		return t, true
	}
	return nil, true
}

func pick(c bool, a, b Op) Op {
	if c {
		return a
	}
	return b
}

func (w *walk) arithmetic(op token.Token, x, y *Term, less Op) *Term {
	ts := w.terms
	switch op {
	case token.ADD:
		return ts.Binary(Add, x, y)
	case token.SUB:
		return ts.Sub(x, y)
	case token.MUL:
		return ts.Binary(Mul, x, y)
	case token.AND:
		return ts.Binary(And, x, y)
	case token.OR:
		return ts.Binary(Or, x, y)
	case token.XOR:
		return ts.Binary(Xor, x, y)
	case token.AND_NOT:
		return ts.Binary(And, x, ts.Not(y))
	case token.LSS:
		return ts.Binary(less, x, y)
	case token.GTR:
		return ts.Binary(less, y, x)
	case token.LEQ:
		return ts.Not(ts.Binary(less, y, x))
	case token.GEQ:
		return ts.Not(ts.Binary(less, x, y))
	}
	return nil
}

func (w *walk) textOperator(s *state, op token.Token, x, y text) value {
	var t *Term
	ok := false
	switch op {
	case token.ADD:
		if out, ok := w.joined(s, x, y); ok {
			return out
		}
		return nil
	case token.LSS:
		t, ok = w.lessText(s, x, y)
	case token.GTR:
		t, ok = w.lessText(s, y, x)
	case token.LEQ:
		if t, ok = w.lessText(s, y, x); ok {
			t = w.terms.Not(t)
		}
	case token.GEQ:
		if t, ok = w.lessText(s, x, y); ok {
			t = w.terms.Not(t)
		}
	}
	if !ok {
		return nil
	}
	return t
}

// equal is whether two values are equal. It is false where there is no model of that.
func (w *walk) equal(s *state, a, b value) (*Term, bool) {
	switch a := a.(type) {
	case *Term:
		if b, ok := b.(*Term); ok && a.Width == b.Width {
			return w.terms.Binary(Eq, a, b), true
		}
	case text:
		if b, ok := b.(text); ok {
			return w.sameText(s, a, b)
		}
	case group:
		b, ok := b.(group)
		if !ok || len(a) != len(b) {
			return nil, false
		}
		out := w.terms.Bool(true)
		for i := range a {
			t, ok := w.equal(s, a[i], b[i])
			if !ok {
				return nil, false
			}
			out = w.terms.Binary(And, out, t)
		}
		return out, true
	case slice:
		if b, ok := b.(slice); ok {
			return w.bothNil(a.isNil, b.isNil)
		}
	case pointer:
		if b, ok := b.(pointer); ok {
			return w.bothNil(a.isNil, b.isNil)
		}
	case boxed:
		b, ok := b.(boxed)
		if !ok {
			return nil, false
		}
		if t, ok := w.bothNil(a.isNil, b.isNil); ok {
			return t, true
		}
		if a.typ != nil && b.typ != nil && a.isNil.isConst(0) && b.isNil.isConst(0) {
			if !types.Identical(a.typ, b.typ) {
				return w.terms.Bool(false), true
			}
			if _, ok := a.typ.Underlying().(*types.Basic); ok {
				return w.equal(s, a.v, b.v)
			}
		}
	}
	return nil, false
}

// hasBlank reports whether values of a type have fields that == leaves out.
func hasBlank(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if u.Field(i).Name() == "_" || hasBlank(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return hasBlank(u.Elem())
	}
	return false
}

// bothNil compares with nil. Which memory two pointers lead to is not compared.
func (w *walk) bothNil(a, b *Term) (*Term, bool) {
	switch {
	case a.isConst(1):
		return b, true
	case b.isConst(1):
		return a, true
	}
	return nil, false
}

// convert converts between integers, and between texts and bytes; nil else.
func (w *walk) convert(s *state, v *ssa.Convert) value {
	to := v.Type()
	switch x := w.value(s, v.X).(type) {
	case *Term:
		width, _, ok := integer(to)
		_, sign, from := integer(v.X.Type())
		if ok && from && width > 1 {
			return w.terms.Resize(x, width, sign)
		}
	case text:
		if isText(to) {
			return x
		}
		if u, ok := to.Underlying().(*types.Slice); ok && isByte(u.Elem()) && x.off.Op == Const {
			out := w.made(u.Elem(), x.length, w.capacity(x.length))
			out.base.obj = w.newObject(func() value {
				return row{at: func(i int) value { t, _ := w.inside(x, i); return t }}
			}, ours)
			return out
		}
	case slice:
		u, ok := v.X.Type().Underlying().(*types.Slice)
		if ok && isText(to) && isByte(u.Elem()) {
			if t, ok := w.copied(s, x); ok {
				return t
			}
		}
	}
	return nil
}

func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// capacity is any capacity of a slice of some length: what Go takes is not promised.
func (w *walk) capacity(length *Term) *Term {
	c := w.anything(types.Typ[types.Int]).(*Term)
	w.axioms = append(w.axioms, w.terms.Not(w.terms.Binary(SLt, c, length)))
	return c
}

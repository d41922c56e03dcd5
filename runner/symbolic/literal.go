package symbolic

import (
	"go/types"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// maxLiteral bounds texts and lists that are written down.
const maxLiteral = 1024

// literal writes down what an argument is in a model. It is false where that cannot be.
func (w *walk) literal(m Model, t types.Type, v value) (wire.Lit, bool) {
	switch v := v.(type) {
	case *Term:
		width, sign, _ := integer(t)
		n := m.Eval(v)
		switch {
		case width == 1:
			return wire.Lit{Form: wire.Bool, N: int64(n)}, true
		case sign:
			return wire.Lit{Form: wire.Int, N: signed(width, n)}, true
		}
		return wire.Lit{Form: wire.Uint, N: int64(n)}, true
	case text:
		n := m.Eval(v.length)
		if n > maxLiteral {
			return wire.Lit{}, false
		}
		b := make([]byte, n)
		for i := range b {
			b[i] = w.letter(m, v.at(i))
		}
		return wire.Lit{Form: wire.Text, S: string(b)}, true
	case group:
		return w.groupLiteral(m, t, v)
	case slice:
		return w.sliceLiteral(m, t, v)
	case pointer:
		p, ok := t.Underlying().(*types.Pointer)
		if !ok || !w.asked(m, v.isNil) || m.Eval(v.isNil) == 1 {
			return wire.Lit{}, true
		}
		l, ok := w.literal(m, p.Elem(), w.first(v.obj))
		return wire.Lit{Form: wire.Pointer, E: []wire.Lit{l}}, ok
	case boxed:
		if m.Eval(v.isNil) == 1 {
			return wire.Lit{}, true
		}
	}
	return wire.Lit{Form: wire.Hole}, true
}

// asked reports whether a model says anything about an unknown.
func (w *walk) asked(m Model, t *Term) bool {
	_, ok := m[t.Name]
	return t.Op != Var || ok
}

// letter is a byte; one that does not matter is a letter.
func (w *walk) letter(m Model, t *Term) byte {
	if !w.asked(m, t) {
		return 'a'
	}
	return byte(m.Eval(t))
}

func (w *walk) groupLiteral(m Model, t types.Type, g group) (wire.Lit, bool) {
	s, isStruct := t.Underlying().(*types.Struct)
	l := wire.Lit{Form: wire.Seq}
	if isStruct {
		l.Form = wire.Struct
	}
	for i, v := range g {
		var et types.Type
		if isStruct {
			et = s.Field(i).Type()
		} else if a, ok := t.Underlying().(*types.Array); ok {
			et = a.Elem()
		} else {
			return l, false
		}
		e, ok := w.literal(m, et, v)
		if !ok {
			return l, false
		}
		if isStruct && !s.Field(i).Exported() {
			if !empty(e) {
				return l, false
			}
			e = wire.Lit{}
		}
		l.E = append(l.E, e)
	}
	return l, true
}

// empty reports whether a literal is the zero value, or may be.
func empty(l wire.Lit) bool {
	switch l.Form {
	case wire.Zero, wire.Hole:
		return true
	case wire.Bool, wire.Int, wire.Uint, wire.Text:
		return l.N == 0 && l.S == ""
	case wire.Struct:
		for _, e := range l.E {
			if !empty(e) {
				return false
			}
		}
		return true
	}
	return false
}

func (w *walk) sliceLiteral(m Model, t types.Type, v slice) (wire.Lit, bool) {
	u, ok := t.Underlying().(*types.Slice)
	n := m.Eval(v.length)
	switch {
	case !ok || n > maxLiteral:
		return wire.Lit{}, false
	case m.Eval(v.isNil) == 1, n == 0 && !w.asked(m, v.isNil):
		return wire.Lit{}, true
	}
	r, ok := w.first(v.base.obj).(row)
	if !ok {
		return wire.Lit{}, false
	}
	if width, _, ok := integer(u.Elem()); ok && width == 8 {
		b := make([]byte, n)
		for i := range b {
			if t, ok := r.get(i).(*Term); ok {
				b[i] = w.letter(m, t)
			}
		}
		if _, sign, _ := integer(u.Elem()); !sign {
			return wire.Lit{Form: wire.Text, S: string(b)}, true
		}
	}
	l := wire.Lit{Form: wire.Seq}
	for i := range int(n) {
		e, ok := w.literal(m, u.Elem(), r.get(i))
		if !ok {
			return l, false
		}
		l.E = append(l.E, e)
	}
	return l, true
}

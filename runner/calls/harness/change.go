//go:build go1.21

package harness

import (
	"math"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// node is a literal with its type.
type node struct {
	l *wire.Lit
	t reflect.Type
}

// nodes lists the literals below l that can be changed.
func (b *builder) nodes(l *wire.Lit, t reflect.Type, out []node) []node {
	if t == nil || len(out) > 200 || l.Form == wire.Hidden {
		return out
	}
	if l.Form == wire.Special && l.S == wire.SpecialRequest {
		for i := range l.E {
			out = append(out, node{&l.E[i], nil})
		}
		return append(out, node{l, t})
	}
	if l.Form == wire.Special && (l.S == wire.SpecialFiles || l.S == wire.SpecialPath) {
		for i := 2; i < len(l.E); i += 2 {
			out = append(out, node{&l.E[i], nil})
		}
		return append(out, node{l, t}, node{l, t})
	}
	if l.Form == wire.Special {
		if len(l.E) > 0 && (l.E[0].Form == wire.Text || l.E[0].Form == wire.Int) && t.Kind() != reflect.Func && t.Kind() != reflect.Chan {
			out = append(out, node{&l.E[0], nil})
			if slices.Contains(readerKinds(), l.S) && readerType == t && b.g.r.Chance(25) {
				out = append(out, node{l, nil}) // another way of reading the same
			}
			return out
		}
		return append(out, node{l, t})
	}
	out = append(out, node{l, t})
	for i := range l.E {
		out = b.nodes(&l.E[i], elementType(b.g.m.Registry, l, t, i), out)
	}
	return out
}

// elementType is the type of element i of a literal of type t; nil where it is
// none of the reflected kinds.
func elementType(r *Registry, l *wire.Lit, t reflect.Type, i int) reflect.Type {
	switch l.Form {
	case wire.Dynamic:
		if l.T < len(r.Types) {
			return r.Types[l.T]
		}
	case wire.Pointer:
		if t.Kind() == reflect.Pointer {
			return t.Elem()
		}
	case wire.Seq:
		if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
			return t.Elem()
		}
	case wire.Map:
		if t.Kind() == reflect.Map {
			if i%2 == 0 {
				return t.Key()
			}
			return t.Elem()
		}
	case wire.Struct:
		if t.Kind() == reflect.Struct && i < r.Fields(t) {
			return t.Field(r.Field(t, i)).Type
		}
	case wire.Special:
		if l.S == wire.SpecialCalling || l.S == wire.SpecialSetting || l.S == wire.SpecialPanic || l.S == wire.SpecialNamed {
			return nil // it refers to nothing
		}
		if l.S == wire.SpecialBack {
			c, ok := r.Back(*l)
			switch {
			case ok && c.Op.Method && i == 1:
				return c.Op.In[0]
			case t.Kind() == reflect.Func && i == backOperands+t.NumOut():
				return ListType
			}
			return nil
		}
		if l.S == wire.SpecialReplies {
			if i == 0 {
				return ListType
			}
			return nil
		}
		if t.Kind() == reflect.Func && i < t.NumOut() {
			return t.Out(i)
		}
		if t.Kind() == reflect.Func && l.S == wire.SpecialTelling && i == t.NumOut() {
			return ListType
		}
		if t.Kind() == reflect.Chan {
			return t.Elem()
		}
	}
	return nil
}

// mutate changes one literal of the sequence.
func (b *builder) mutate() {
	r := b.g.r
	if len(b.p) == 0 {
		return
	}
	for try := 0; try < 6; try++ {
		i := r.Intn(len(b.p))
		s := &b.p[i]
		if len(s.Args) == 0 || b.g.m.isList(*s) || b.g.m.Ops[s.Op].Role < wire.Caller && r.Chance(40) {
			continue
		}
		k := r.Intn(len(s.Args))
		if r.Chance(15) && b.name(i) {
			return
		}
		if len(b.g.plain.kinds) > 0 && r.Chance(kindly) && b.ofKind(i) {
			return
		}
		if r.Chance(measuredChanged) && b.measure(i) {
			if most, ok := b.g.caps[s.Op]; ok {
				b.cap(i, most)
			}
			return
		}
		if s.Op.Builtin() {
			if s.Op == wire.OpLet && s.Args[0].Form == wire.Dynamic && s.Args[0].T < len(b.g.m.Types) && len(s.Args[0].E) == 1 {
				b.mutateAt(i, &s.Args[0].E[0], b.g.m.Types[s.Args[0].T], spot{-1, -1})
				return
			}
			continue
		}
		if k >= len(b.g.m.Ops[s.Op].In) || s.Args[k].Form == wire.Ref && !r.Chance(10) || b.g.careful(s.Op) {
			continue
		}
		restore := b.within(wire.Lit{})
		if b.g.m.Ops[s.Op].Method && k > 0 {
			b.receiver = s.Args[0]
		}
		b.mutateAt(i, &s.Args[k], b.g.m.Ops[s.Op].In[k], spot{s.Op, k})
		restore()
		if most, ok := b.g.caps[s.Op]; ok {
			b.cap(i, most)
		}
		return
	}
}

// mutateAt changes a literal of step i; what is new may only refer to steps
// before it.
func (b *builder) mutateAt(i int, l *wire.Lit, t reflect.Type, at spot) {
	whole := b.vars
	n := 0
	for n < len(whole) && whole[n].step < i {
		n++
	}
	size := len(b.p)
	b.vars, b.changing = whole[:n:n], i+1
	x := wire.CloneLits([]wire.Lit{*l})[0]
	b.mutateLit(&x, t, at)
	if len(b.p) == size {
		*l = x
	}
	// Steps added on the way would stand behind their use.
	b.p, b.vars, b.changing = b.p[:size], whole, 0
}

// mutateLit changes one part of a literal of type t.
func (b *builder) mutateLit(l *wire.Lit, t reflect.Type, at spot) {
	r, plain := b.g.r, b.g.plain
	list := b.nodes(l, t, nil)
	if len(list) == 0 {
		return
	}
	n := list[r.Intn(len(list))]
	switch n.l.Form {
	case wire.Bool:
		n.l.N ^= 1
	case wire.Int, wire.Uint:
		bits := 64
		if n.t != nil && basic(n.t) {
			bits = n.t.Bits()
			if list := b.g.m.Constants[n.t]; len(list) > 0 && r.Chance(70) {
				*n.l = litOf(list[r.Intn(len(list))].Value)
				return
			}
		}
		n.l.N = plain.Int(r, n.l.N, bits)
	case wire.Float:
		n.l.N = int64(math.Float64bits(plain.Float(r, n.l.Float64())))
	case wire.Text:
		if n.t != nil && n.t.Kind() == reflect.Slice && r.Chance(buffersLikely) {
			n.l.S = b.g.buffer()
			return
		}
		if looksLikeDocument(n.l.S) {
			if s := b.documentOr(n.l.S); s != "" {
				n.l.S = s
				return
			}
		}
		n.l.S = plain.String(r, n.l.S)
		if r.Chance(5) && !utf8.ValidString(n.l.S) {
			n.l.S = plain.known(r)
		}
	case wire.Seq:
		if n.t != nil && (n.t.Kind() == reflect.Slice || n.t.Kind() == reflect.Array) {
			b.mutateSeq(n, at)
		}
	case wire.Map:
		if n.t == nil || n.t.Kind() != reflect.Map {
			return
		}
		if k := len(n.l.E) / 2; k > 0 && r.Chance(40) {
			i := 2 * r.Intn(k)
			n.l.E = append(n.l.E[:i:i], n.l.E[i+2:]...)
			return
		}
		key, ok := b.fresh(n.t.Key(), spot{-1, -1}, deepest-1)
		e, ok2 := b.fresh(n.t.Elem(), spot{-1, -1}, deepest-1)
		if ok && ok2 {
			n.l.E = append(n.l.E, key, e)
		}
	case wire.Ref:
		if x, ok := b.live(n.t); ok {
			*n.l = x
		}
	case wire.Special:
		if n.t == nil {
			n.l.S = readerKinds()[r.Intn(len(readerKinds()))]
			return
		}
		if n.l.S == wire.SpecialRequest && r.Chance(60) {
			b.changeFields(n.l)
			return
		}
		if n.l.S == wire.SpecialFiles && len(n.l.E) > 0 && r.Chance(80) {
			b.changeFiles(n.l)
			return
		}
		if n.l.S == wire.SpecialPath && r.Chance(80) {
			b.changePath(n.l)
			return
		}
		if n.l.S == wire.SpecialReplies && len(n.l.E) > 1 && r.Chance(60) {
			b.changeReplies(n.l)
			return
		}
		if x, ok := b.fresh(n.t, at, 2); ok {
			*n.l = x
		}
	default:
		if n.t != nil {
			if x, ok := b.fresh(n.t, at, 2); ok {
				*n.l = x
			}
		}
	}
}

func (b *builder) mutateSeq(n node, at spot) {
	r := b.g.r
	k := len(n.l.E)
	array := n.t.Kind() == reflect.Array
	if !array && n.t.Elem().Kind() == reflect.String && r.Chance(40) {
		n.l.E = b.insertWord(n.l.E)
		return
	}
	switch x := r.Intn(6); {
	case k > 0 && x == 0 && !array: // drop
		i := r.Intn(k)
		n.l.E = append(n.l.E[:i:i], n.l.E[i+1:]...)
	case k > 0 && x == 1 && !array: // double
		i := r.Intn(k)
		n.l.E = append(n.l.E, wire.CloneLits(n.l.E[i:i+1])...)
	case k > 1 && x == 2: // swap
		i, j := r.Intn(k), r.Intn(k)
		n.l.E[i], n.l.E[j] = n.l.E[j], n.l.E[i]
	case k > 0 && x == 3 && !array: // cut
		n.l.E = n.l.E[:r.Intn(k):k]
	case k > 0 && x == 4: // equal neighbours
		i, j := r.Intn(k), r.Intn(k)
		n.l.E[i] = wire.CloneLits(n.l.E[j : j+1])[0]
	default:
		if array {
			return
		}
		for c := 1 + r.few(3); c > 0; c-- {
			if e, ok := b.fresh(n.t.Elem(), spot{-1, -1}, deepest-1); ok {
				n.l.E = append(n.l.E, e)
			}
		}
	}
}

// scribble gives a slice argument a place of its own where it has none, writes
// to a slice that the sequence holds, and reports whether it did.
func (b *builder) scribble() bool {
	r := b.g.r
	// A literal slice argument becomes a variable, so that it can be looked at
	// and written to afterwards.
	for try := 0; try < 4 && len(b.p) > 0 && len(b.p) < longest; try++ {
		i := r.Intn(len(b.p))
		s := b.p[i]
		if s.Op.Builtin() || len(s.Args) == 0 {
			continue
		}
		k := r.Intn(len(s.Args))
		t := b.g.m.Ops[s.Op].In[k]
		ti, ok := b.g.m.byType[t]
		if !ok || t.Kind() != reflect.Slice && t.Kind() != reflect.Map || !self(s.Args[k]) || s.Args[k].Form == wire.Zero {
			continue
		}
		lit := wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: ti, E: []wire.Lit{s.Args[k]}}}}
		q := wire.Sequence{lit}.Append(b.p)
		q[i+1].Args[k] = wire.RefTo(0, 0)
		*b = *b.g.builder(q)
		break
	}
	var at []variable
	for _, v := range b.vars {
		if t := v.t; t.Kind() == reflect.Slice {
			at = append(at, v)
		}
	}
	if len(at) == 0 || len(b.p) > longest {
		return false
	}
	v := at[r.Intn(len(at))]
	t := v.t
	for t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Slice {
		t = t.Elem()
	}
	e, ok := b.fresh(t.Elem(), spot{-1, -1}, deepest)
	if !ok || !self(e) {
		return false
	}
	op := wire.OpWrite
	if r.Chance(60) {
		op = wire.OpExtend
	}
	b.add(wire.Step{Op: op, Args: []wire.Lit{wire.RefTo(v.step, v.result), e}})
	return true
}

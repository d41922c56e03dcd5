//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// codec is a function that writes anything down and one that reads that into a place: what
// the one gives, the other takes.
type codec struct {
	write, read    wire.Op
	from, in, into int // arguments: of write what is written; of read the text and the place
}

const (
	maxCodecs = 64
	maxTypes  = 20 // tries to find a type with fields
)

// codecs returns pairs of functions. At least one of each pair shows the change.
func (g *generator) codecs() []codec {
	if g.paired {
		return g.pairs
	}
	g.paired = true
	anyOf := func(op *Operation) int {
		at := -1
		for i, t := range op.In {
			if t.Kind() == reflect.Interface && t.NumMethod() == 0 {
				at = i
			}
		}
		return at
	}
	var writers, readers []codec
	for i := wire.Builtins; i < g.m.end(); i++ {
		op := &g.m.Ops[i]
		from := anyOf(op)
		if from < 0 || op.Variable || op.excluded || op.Variadic {
			continue
		}
		if len(op.Out) > 0 && textual(op.Out[0]) {
			writers = append(writers, codec{write: i, from: from})
		}
		for k, t := range op.In {
			if k != from && textual(t) {
				readers = append(readers, codec{read: i, in: k, into: from})
				break
			}
		}
	}
	for _, w := range writers {
		for _, r := range readers {
			if max(g.m.Ops[w.write].Role, g.m.Ops[r.read].Role) < wire.Caller || g.m.Ops[w.write].Out[0] != g.m.Ops[r.read].In[r.in] ||
				len(g.pairs) >= maxCodecs {
				continue
			}
			g.pairs = append(g.pairs, codec{write: w.write, from: w.from, read: r.read, in: r.in, into: r.into})
		}
	}
	return g.pairs
}

// textual reports whether a type is a text, or bytes.
func textual(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// returned writes a value down and reads it into a place that holds another one of its
// type, most often: what is left of that shows.
func (g *generator) returned() wire.Sequence {
	pairs := g.codecs()
	if len(pairs) == 0 {
		return nil
	}
	c := pairs[g.r.Intn(len(pairs))]
	t := g.someStruct()
	if t == nil {
		return nil
	}
	b := g.builder(nil)
	given, ok := b.held(t)
	if !ok || !b.callWith(c.write, c.from, given) {
		return nil
	}
	written := wire.RefTo(len(b.p)-1, 0)
	if g.r.Chance(15) {
		if o := g.someStruct(); o != nil {
			t = o
		}
	}
	place, ok := b.placed(t)
	if !ok || !b.callWith(c.read, c.into, place) {
		return nil
	}
	last := len(b.p) - 1
	b.p[last].Args[c.in] = written
	return b.p
}

// someStruct is a registered struct type with fields that have names; nil where there is
// none.
func (g *generator) someStruct() reflect.Type {
	for try := 0; try < maxTypes && len(g.m.Types) > g.m.basic; try++ {
		t := g.m.Types[g.m.basic+g.r.Intn(len(g.m.Types)-g.m.basic)]
		if t.Kind() == reflect.Struct && t != timeType && !IsStub(t) && !reveals(t) && len(g.namesOf(t)) > 0 {
			return t
		}
	}
	return nil
}

// held is a struct of type t as anything: as such, or what points to it.
func (b *builder) held(t reflect.Type) (wire.Lit, bool) {
	l, ok := b.literal(t)
	if !ok {
		return wire.Lit{}, false
	}
	if p, known := b.g.m.byType[reflect.PointerTo(t)]; known && b.g.r.Chance(40) {
		return wire.Lit{Form: wire.Dynamic, T: p, E: []wire.Lit{{Form: wire.Pointer, E: []wire.Lit{l}}}}, true
	}
	return wire.Lit{Form: wire.Dynamic, T: b.g.m.byType[t], E: []wire.Lit{l}}, true
}

// placed is what points to a struct of type t, in a step of its own, so that it is looked at
// afterwards.
func (b *builder) placed(t reflect.Type) (wire.Lit, bool) {
	l, ok := b.literal(t)
	p, known := b.g.m.byType[reflect.PointerTo(t)]
	if !ok || !known {
		return wire.Lit{}, false
	}
	x := wire.Lit{Form: wire.Dynamic, T: p, E: []wire.Lit{{Form: wire.Pointer, E: []wire.Lit{l}}}}
	b.add(wire.Step{Op: wire.OpLet, Args: []wire.Lit{x}})
	return wire.RefTo(len(b.p)-1, 0), true
}

// literal is a struct of type t written down, some of its fields left empty; in half of the
// cases all that can be nil is.
func (b *builder) literal(t reflect.Type) (wire.Lit, bool) {
	r := b.g.r
	l := wire.Lit{Form: wire.Struct, E: make([]wire.Lit, b.g.m.Fields(t))}
	bare := r.Chance(50)
	for i := range l.E {
		f := t.Field(b.g.m.Field(t, i))
		if !f.IsExported() {
			continue
		}
		switch f.Type.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
			if bare {
				continue
			}
		}
		if e, ok := b.fresh(f.Type, spot{-1, -1}, 2); ok && self(e) {
			l.E[i] = e
		}
	}
	return l, true
}

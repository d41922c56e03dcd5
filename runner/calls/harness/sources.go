//go:build go1.21

package harness

import (
	"encoding/json"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// sources makes them and runs each, see EncodeBatch.
func (s *server) sources(payload []byte) {
	var q wire.SourceQuestion
	if json.Unmarshal(payload, &q) != nil || s.g == nil || q.Op.Builtin() || !s.m.Has(q.Op) {
		return
	}
	done := map[uint64]bool{}
	try := func(p wire.Sequence) {
		if len(p) == 0 || len(p) > wire.MaxSteps || len(done) >= q.Most || s.g.banned[p.Hash()] || done[p.Hash()] || !s.g.tame(p) || s.g.wrapped(p) {
			return
		}
		done[p.Hash()] = true
		s.execute(p)
	}
	for _, b := range q.Kept {
		p, _, err := wire.Decode(b)
		if err != nil {
			continue
		}
		for i := range p {
			if p[i].Op == q.Op {
				q, _ := p.Slice(i)
				try(q)
			}
		}
	}
	for n := 0; n < 4*q.Most && len(done) < q.Most; n++ {
		try(s.g.source(q.Op))
	}
}

// source is a call of an operation with what it needs, from scratch or with
// other literals; nil where there is no idea.
func (g *generator) source(op wire.Op) (made wire.Sequence) {
	defer func() {
		if r := recover(); r != nil {
			made = nil
		}
	}()
	b := g.builder(nil)
	if !b.call(op, 0) {
		return nil
	}
	p, _ := b.p.Slice(len(b.p) - 1)
	if g.r.Chance(40) {
		b = g.builder(p)
		b.mutate()
		if n := len(b.p) - 1; n >= 0 && b.p[n].Op == op {
			p = b.p
		}
	}
	return p
}

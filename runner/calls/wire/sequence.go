//go:build go1.21

package wire

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
)

// A Sequence is a list of calls. It names no memory, so that both versions
// can run it, and it can be written down and replayed.
type Sequence []Step

// Step is one call. Its results can be referred to by later steps.
type Step struct {
	Op   Op
	Args []Lit
}

// Encode appends p's encoding to b.
func (p Sequence) Encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(p)))
	for _, s := range p {
		b = binary.AppendUvarint(b, uint64(s.Op))
		b = binary.AppendUvarint(b, uint64(len(s.Args)))
		for _, a := range s.Args {
			b = a.Encode(b)
		}
	}
	return b
}

var errSequence = errors.New("damaged sequence")

const (
	MaxSteps = 64
	MaxArgs  = 64
	maxDepth = 64
	maxOp    = 1 << 20
)

// Decode reads one sequence off the front of b and gives the rest.
func Decode(b []byte) (Sequence, []byte, error) {
	r := reader{b: b}
	n := r.count(MaxSteps)
	p := make(Sequence, 0, n)
	for i := 0; i < n; i++ {
		s := Step{Op: Op(r.count(maxOp))}
		for k := r.count(MaxArgs); k > 0 && !r.bad; k-- {
			s.Args = append(s.Args, r.lit(0))
		}
		p = append(p, s)
	}
	if r.bad {
		return nil, nil, errSequence
	}
	return p, r.b, nil
}

// Walk calls f for every literal of p but the Hidden ones, outer ones first; f may change
// it.
func (p Sequence) Walk(f func(step int, l *Lit)) {
	var visit func(step int, l *Lit)
	visit = func(step int, l *Lit) {
		if l.Form == Hidden {
			return
		}
		f(step, l)
		for i := range l.E {
			visit(step, &l.E[i])
		}
	}
	for i := range p {
		for j := range p[i].Args {
			visit(i, &p[i].Args[j])
		}
	}
}

// Clone copies p deeply.
func (p Sequence) Clone() Sequence {
	q := make(Sequence, len(p))
	for i, s := range p {
		q[i] = Step{s.Op, CloneLits(s.Args)}
	}
	return q
}

// Slice keeps what the steps in keep need: the steps themselves and those they
// refer to, renumbered. at maps old step numbers to new ones, -1 for dropped.
func (p Sequence) Slice(keep ...int) (q Sequence, at []int) {
	need := make([]bool, len(p))
	for _, k := range keep {
		need[k] = true
	}
	for i := len(p) - 1; i >= 0; i-- {
		if !need[i] {
			continue
		}
		Sequence{p[i]}.Walk(func(_ int, l *Lit) {
			if l.Form == Ref && l.N >= 0 && int(l.N) < i {
				need[l.N] = true
			}
		})
	}
	at = make([]int, len(p))
	for i := range p {
		at[i] = -1
		if need[i] {
			at[i] = len(q)
			q = append(q, Step{p[i].Op, CloneLits(p[i].Args)})
		}
	}
	q.renumber(at)
	return q, at
}

func (p Sequence) renumber(at []int) {
	p.Walk(func(_ int, l *Lit) {
		if l.Form == Ref && l.N >= 0 && int(l.N) < len(at) {
			l.N = int64(at[l.N])
		}
	})
}

// Append puts q behind p, with its references moved along.
func (p Sequence) Append(q Sequence) Sequence {
	by := int64(len(p))
	q = q.Clone()
	q.Walk(func(_ int, l *Lit) {
		if l.Form == Ref {
			l.N += by
		}
	})
	return append(p, q...)
}

// Hash identifies a sequence.
func (p Sequence) Hash() uint64 {
	h := fnv.New64a()
	h.Write(p.Encode(nil))
	return h.Sum64()
}

//go:build go1.21

package harness

import (
	"encoding/binary"
	"errors"
	"math"
)

// A Program is a sequence of calls. It names no memory, so that both versions
// can run it, and it can be written down and replayed.
type Program []Step

// Step is one call. Its results can be referred to by later steps.
type Step struct {
	Op   int // index of the operation, see Registry
	Args []Lit
}

// Form of a Lit.
type Form byte

const (
	Zero    Form = iota // of the type; nil for what can be nil
	Bool                // N is 0 or 1
	Int                 // N
	Uint                // N, as bits
	Float               // N, as bits
	Complex             // E: real and imaginary part
	Text                // S: a string or []byte
	Seq                 // E: elements of a slice or array
	Map                 // E: keys and values by turns
	Struct              // E: fields by index, Zero where unset
	Pointer             // to E[0]
	Dynamic             // E[0], of the registered type T, in an interface
	Ref                 // result U of step N
	Special             // made by the builder named S from E: a reader, a closure, a context …
	Hole                // not known: to be filled by the generator; never run
	forms
)

// Lit is a value written down, to be built for a type.
type Lit struct {
	Form Form
	N    int64
	U    int // result number of a Ref
	T    int // type number of a Dynamic
	S    string
	E    []Lit
}

// RefTo refers to a result of an earlier step.
func RefTo(step, result int) Lit { return Lit{Form: Ref, N: int64(step), U: result} }

// FloatLit writes down a floating-point number.
func FloatLit(f float64) Lit { return Lit{Form: Float, N: int64(math.Float64bits(f))} }

// Encode appends p's encoding to b.
func (p Program) Encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(p)))
	for _, s := range p {
		b = binary.AppendUvarint(b, uint64(s.Op))
		b = binary.AppendUvarint(b, uint64(len(s.Args)))
		for _, a := range s.Args {
			b = a.encode(b)
		}
	}
	return b
}

func (l Lit) encode(b []byte) []byte {
	b = append(b, byte(l.Form))
	switch l.Form {
	case Bool, Int, Uint, Float:
		return binary.AppendVarint(b, l.N)
	case Ref:
		b = binary.AppendVarint(b, l.N)
		return binary.AppendUvarint(b, uint64(l.U))
	case Text:
		b = binary.AppendUvarint(b, uint64(len(l.S)))
		return append(b, l.S...)
	case Special:
		b = binary.AppendUvarint(b, uint64(len(l.S)))
		b = append(b, l.S...)
	case Dynamic:
		b = binary.AppendUvarint(b, uint64(l.T))
	case Zero, Hole:
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(l.E)))
	for _, e := range l.E {
		b = e.encode(b)
	}
	return b
}

var errProgram = errors.New("damaged program")

const (
	maxSteps = 64
	maxArgs  = 64
	maxDepth = 64
)

// Decode reads one program off the front of b and gives the rest.
func Decode(b []byte) (Program, []byte, error) {
	r := reader{b: b}
	n := r.count(maxSteps)
	p := make(Program, 0, n)
	for i := 0; i < n; i++ {
		s := Step{Op: r.count(1 << 20)}
		for k := r.count(maxArgs); k > 0; k-- {
			s.Args = append(s.Args, r.lit(0))
		}
		p = append(p, s)
	}
	if r.bad {
		return nil, nil, errProgram
	}
	return p, r.b, nil
}

// reader takes fields off the front of b; past its end it gives zeros and
// remembers.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uvarint() uint64 {
	n, k := binary.Uvarint(r.b)
	if k <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[k:]
	return n
}

func (r *reader) varint() int64 {
	n, k := binary.Varint(r.b)
	if k <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[k:]
	return n
}

func (r *reader) count(most int) int {
	n := r.uvarint()
	if n > uint64(most) {
		r.b, r.bad = nil, true
		return 0
	}
	return int(n)
}

func (r *reader) str() string {
	n := r.count(len(r.b))
	if n > len(r.b) {
		r.b, r.bad = nil, true
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) lit(depth int) Lit {
	if len(r.b) == 0 || depth > maxDepth {
		r.b, r.bad = nil, true
		return Lit{}
	}
	l := Lit{Form: Form(r.b[0])}
	r.b = r.b[1:]
	switch l.Form {
	case Bool, Int, Uint, Float:
		l.N = r.varint()
		return l
	case Ref:
		l.N, l.U = r.varint(), r.count(maxArgs)
		return l
	case Text:
		l.S = r.str()
		return l
	case Special:
		l.S = r.str()
	case Dynamic:
		l.T = r.count(1 << 20)
	case Zero, Hole:
		return l
	case Complex, Seq, Map, Struct, Pointer:
	default:
		r.b, r.bad = nil, true
		return l
	}
	for k := r.count(len(r.b)); k > 0; k-- {
		l.E = append(l.E, r.lit(depth+1))
	}
	return l
}

// Walk calls f for every literal of p, outer ones first; f may change it.
func (p Program) Walk(f func(step int, l *Lit)) {
	var visit func(step int, l *Lit)
	visit = func(step int, l *Lit) {
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
func (p Program) Clone() Program {
	q := make(Program, len(p))
	for i, s := range p {
		q[i] = Step{s.Op, cloneLits(s.Args)}
	}
	return q
}

func cloneLits(in []Lit) []Lit {
	if in == nil {
		return nil
	}
	out := make([]Lit, len(in))
	for i, l := range in {
		out[i] = l
		out[i].E = cloneLits(l.E)
	}
	return out
}

// Slice keeps what the steps in keep need: the steps themselves and those they
// refer to, renumbered. at maps old step numbers to new ones, -1 for dropped.
func (p Program) Slice(keep ...int) (q Program, at []int) {
	need := make([]bool, len(p))
	for _, k := range keep {
		need[k] = true
	}
	for i := len(p) - 1; i >= 0; i-- {
		if !need[i] {
			continue
		}
		Program{p[i]}.Walk(func(_ int, l *Lit) {
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
			q = append(q, Step{p[i].Op, cloneLits(p[i].Args)})
		}
	}
	q.renumber(at)
	return q, at
}

func (p Program) renumber(at []int) {
	p.Walk(func(_ int, l *Lit) {
		if l.Form == Ref && l.N >= 0 && int(l.N) < len(at) {
			l.N = int64(at[l.N])
		}
	})
}

// Append puts q behind p, with its references moved along.
func (p Program) Append(q Program) Program {
	by := int64(len(p))
	q = q.Clone()
	q.Walk(func(_ int, l *Lit) {
		if l.Form == Ref {
			l.N += by
		}
	})
	return append(p, q...)
}

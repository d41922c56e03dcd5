//go:build go1.21

package wire

import (
	"encoding/binary"
	"math"
)

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
	// Hidden is E[0] in an unexported field of a struct, as it was seen. It is one with the
	// other hidden fields there: nothing in it is changed on its own.
	Hidden
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

// RefersBack reports whether l is, or holds, a result of an earlier step.
func (l Lit) RefersBack() bool {
	if l.Form == Ref {
		return true
	}
	for _, e := range l.E {
		if e.RefersBack() {
			return true
		}
	}
	return false
}

// FloatLit writes down a floating-point number.
func FloatLit(f float64) Lit { return Lit{Form: Float, N: int64(math.Float64bits(f))} }

// Float64 returns the number that l stands for.
func (l Lit) Float64() float64 {
	if l.Form == Int {
		return float64(l.N)
	}
	return math.Float64frombits(uint64(l.N))
}

// Encode appends the encoding of l to b.
func (l Lit) Encode(b []byte) []byte {
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
		b = e.Encode(b)
	}
	return b
}

// CloneLits copies literals deeply.
func CloneLits(in []Lit) []Lit {
	if in == nil {
		return nil
	}
	out := make([]Lit, len(in))
	for i, l := range in {
		out[i] = l
		out[i].E = CloneLits(l.E)
	}
	return out
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
		l.N, l.U = r.varint(), r.count(MaxArgs)
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
	case Complex, Seq, Map, Struct, Pointer, Hidden:
	default:
		r.b, r.bad = nil, true
		return l
	}
	for k := r.count(len(r.b)); k > 0 && !r.bad; k-- {
		l.E = append(l.E, r.lit(depth+1))
	}
	return l
}

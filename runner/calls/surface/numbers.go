package surface

import (
	"go/types"
	"math"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// NumbersOf reads a sequence of one call with numbers only; false if it is not
// of this kind.
func (a *API) NumbersOf(n Numeric, p wire.Sequence) ([]float64, bool) {
	if len(p) != 1 {
		return nil, false
	}
	var out []float64
	for i, l := range p[0].Args {
		switch {
		case i < len(n.Slices) && n.Slices[i] > 0:
			if l.Form != wire.Seq || len(l.E) != n.Slices[i] {
				return nil, false
			}
			for _, e := range l.E {
				x, ok := numberOf(e)
				if !ok {
					return nil, false
				}
				out = append(out, x)
			}
		default:
			x, ok := numberOf(l)
			if !ok {
				return nil, false
			}
			out = append(out, x)
		}
	}
	return out, len(out) == len(n.Params)
}

func numberOf(l wire.Lit) (float64, bool) {
	switch l.Form {
	case wire.Zero:
		return 0, true
	case wire.Int:
		return float64(l.N), true
	case wire.Uint:
		return float64(uint64(l.N)), true
	case wire.Float:
		return math.Float64frombits(uint64(l.N)), true
	}
	return 0, false
}

// SequenceOf is the call of an operation on numbers with one input.
func (a *API) SequenceOf(n Numeric, in []float64) wire.Sequence {
	var args []wire.Lit
	at := 0
	o := a.Op(n.Op)
	for i := range o.sig.Params().Len() {
		t := o.sig.Params().At(i).Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			l := wire.Lit{Form: wire.Seq}
			for range n.Slices[i] {
				l.E = append(l.E, numberLit(in[at], s.Elem()))
				at++
			}
			args = append(args, l)
			continue
		}
		args = append(args, numberLit(in[at], t))
		at++
	}
	return wire.Sequence{{Op: n.Op, Args: args}}
}

func numberLit(x float64, t types.Type) wire.Lit {
	b, _ := number(t)
	switch {
	case b.Info()&types.IsUnsigned != 0:
		return wire.Lit{Form: wire.Uint, N: int64(uint64(x))}
	case b.Info()&types.IsInteger != 0:
		return wire.Lit{Form: wire.Int, N: int64(x)}
	}
	return wire.FloatLit(x)
}

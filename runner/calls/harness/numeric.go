//go:build go1.21

package harness

import (
	"encoding/binary"
	"math"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// adapter is one with what it calls.
type adapter struct {
	wire.Adapter
	call func(in, out []float64)
}

// Numeric registers an adapter of the operation registered as name and expr. It
// reads in numbers and writes out numbers; one that is not a number says that
// there is no output.
func Numeric(name, expr string, in, out int, call func(in, out []float64)) {
	for i := wire.Builtins; i < registry.end(); i++ {
		if o := &registry.Ops[i]; o.Name == name && o.Expr == expr && !o.Variable {
			registry.adapters = append(registry.adapters, adapter{wire.Adapter{Op: i, In: in, Out: out}, call})
			return
		}
	}
}

// Whole gives back a number that a parameter of an integer type can have, and
// panics on others: the call has no output then.
func Whole(x float64, min, max float64) float64 {
	if x != math.Trunc(x) || x < min || x > max {
		panic(noNumber{})
	}
	return x
}

type noNumber struct{}

// None says that a call has no output.
func None(out []float64) {
	for i := range out {
		out[i] = math.NaN()
	}
}

// numbers calls an adapter for each input; a call that panics or does not end
// has no output. In front of the inputs stands a byte: 1 for calls that may hang
// on those before them.
func (s *server) numbers(payload []byte) {
	n, k := binary.Uvarint(payload)
	if k <= 0 || n >= uint64(len(registry.adapters)) {
		return
	}
	a := registry.adapters[n]
	if payload = payload[k:]; len(payload) == 0 {
		return
	}
	// What is drawn at random in one call is not to hang on the calls before it;
	// or just that, to see whether it does.
	reseed := payload[0] == 0
	payload = payload[1:]
	in, out := make([]float64, a.In), make([]float64, a.Out)
	width := 8 * a.In
	for len(payload) >= width && width > 0 {
		for i := range in {
			in[i] = math.Float64frombits(binary.LittleEndian.Uint64(payload[8*i:]))
		}
		payload = payload[width:]
		if reseed {
			probe.Reseed()
		}
		if e, _, _ := probe.Guard(CallFuel, func() { a.call(in, out) }); e != probe.Returned {
			None(out)
		}
		for _, x := range out {
			s.buf = binary.LittleEndian.AppendUint64(s.buf, math.Float64bits(x))
		}
	}
}

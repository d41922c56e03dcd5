//go:build go1.21

package wire

import (
	"encoding/binary"
	"errors"
	"math"
)

// Adapter is a function of numbers that can be called in batches and without
// reflection.
type Adapter struct {
	Op      Op
	In, Out int // numbers of one call
}

// Numbers asks for calls of an adapter, one after another.
type Numbers struct {
	Adapter int // number of it, in Ready
	// Unseeded leaves the seeded run time as it is between the calls, so that one
	// may hang on those before it.
	Unseeded bool
	In       []float64 // of all calls
}

var errNumbers = errors.New("damaged numbers")

// Encode returns the payload of a FrameNumbers.
func (n Numbers) Encode() []byte {
	b := binary.AppendUvarint(nil, uint64(n.Adapter))
	if n.Unseeded {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	return AppendFloats(b, n.In)
}

// maxAdapter bounds the number of an adapter.
const maxAdapter = 1 << 20

// DecodeNumbers reads what Numbers.Encode wrote.
func DecodeNumbers(b []byte) (Numbers, error) {
	r := reader{b: b}
	n := Numbers{Adapter: r.count(maxAdapter), Unseeded: r.count(1) == 1}
	if r.bad {
		return Numbers{}, errNumbers
	}
	var err error
	n.In, err = DecodeFloats(r.b)
	return n, err
}

// AppendFloats appends numbers to b, eight bytes each.
func AppendFloats(b []byte, list []float64) []byte {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// DecodeFloats reads what AppendFloats wrote, and nothing else.
func DecodeFloats(b []byte) ([]float64, error) {
	if len(b)%8 != 0 {
		return nil, errNumbers
	}
	out := make([]float64, len(b)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return out, nil
}

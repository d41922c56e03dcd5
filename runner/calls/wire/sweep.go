//go:build go1.21

package wire

import "encoding/binary"

// Sweep asks for so many sequences that go on from one and look at a value of
// it: a component of a step.
type Sweep struct {
	Count, Step, Component int
	Sequence               Sequence
}

// maxSweep bounds the sequences of one Sweep.
const maxSweep = 1000

// Encode returns the payload of a FrameSweep.
func (s Sweep) Encode() []byte {
	b := binary.AppendUvarint(nil, uint64(s.Count))
	b = binary.AppendUvarint(b, uint64(s.Step))
	b = binary.AppendUvarint(b, uint64(s.Component))
	return s.Sequence.Encode(b)
}

// DecodeSweep reads what Sweep.Encode wrote.
func DecodeSweep(b []byte) (Sweep, error) {
	r := reader{b: b}
	s := Sweep{Count: r.count(maxSweep), Step: r.count(MaxSteps), Component: r.count(MaxArgs)}
	p, rest, err := Decode(r.b)
	if err != nil || r.bad || len(rest) > 0 || s.Step >= len(p) {
		return Sweep{}, errSequence
	}
	s.Sequence = p
	return s, nil
}

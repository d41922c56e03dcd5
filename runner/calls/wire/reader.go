//go:build go1.21

package wire

import "encoding/binary"

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

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) u32() uint32 {
	if len(r.b) < 4 {
		r.b, r.bad = nil, true
		return 0
	}
	n := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return n
}

func (r *reader) u64() uint64 {
	low := uint64(r.u32())
	return low | uint64(r.u32())<<32
}

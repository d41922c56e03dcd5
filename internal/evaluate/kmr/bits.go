package kmr

import mathbits "math/bits"

// bits is a set of mutants. The empty set may be nil.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(n int) { b[n/64] |= 1 << (n % 64) }

func (b bits) has(n int) bool { return b[n/64]&(1<<(n%64)) != 0 }

// join adds all of o.
func (b bits) join(o bits) {
	for i, w := range o {
		b[i] |= w
	}
}

func (b bits) count() int {
	n := 0
	for _, w := range b {
		n += mathbits.OnesCount64(w)
	}
	return n
}

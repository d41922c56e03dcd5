package outcome

import "math/bits"

// Bits is a set of small numbers, eight to the byte, lowest bit first.
type Bits []byte

// NewBits makes room for n numbers.
func NewBits(n int) Bits { return make(Bits, (n+7)/8) }

// Has reports whether i is in the set.
func (b Bits) Has(i int) bool { return i>>3 < len(b) && b[i>>3]&(1<<(i&7)) != 0 }

// Add puts i in.
func (b Bits) Add(i int) { b[i>>3] |= 1 << (i & 7) }

// Union puts all of other in. Both must be made for the same numbers.
func (b Bits) Union(other Bits) {
	for i, x := range other {
		b[i] |= x
	}
}

// Count is the number of members.
func (b Bits) Count() int {
	n := 0
	for _, x := range b {
		n += bits.OnesCount8(x)
	}
	return n
}

// Empty reports whether nothing is in.
func (b Bits) Empty() bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

// Members lists the set in ascending order.
func (b Bits) Members() []int {
	var out []int
	for i := range len(b) * 8 {
		if b.Has(i) {
			out = append(out, i)
		}
	}
	return out
}

// Join is a union of sets that need not be made for as many numbers. Neither is
// changed.
func Join(a, b Bits) Bits {
	if len(b) > len(a) {
		a, b = b, a
	}
	out := append(Bits(nil), a...)
	out.Union(b)
	return out
}

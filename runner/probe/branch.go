//go:build go1.21

package probe

// One cache-friendly byte for each condition and branch. They are arrays of
// constant size so that an inlined access by constant needs no bounds check, and
// larger than programs are, so that this package is the same for all of them and
// compiled once. What a program does not use stays untouched, and costs no memory.
var (
	negated [maxConditions]bool
	covered [2 * maxConditions]uint8
	armed   [maxArms]uint8
	entered [maxEntries]uint8
	fuel    = int64(1) << 62
)

// B decides the condition numbered i: it reports whether v holds, or its negation
// where asked for. It is small enough to be inlined.
//
//go:norace
func B(i int, v bool) bool {
	fuel--
	if fuel < 0 {
		exhaust()
	}
	if v != negated[i] {
		covered[2*i+1] = 1
		return true
	}
	covered[2*i] = 1
	return false
}

// C reports whether v holds, or its negation, as B does, for a condition that consumes
// no fuel, since nothing can go on for ever there without consuming some elsewhere.
// Counting takes longer than all the rest that B does: each count waits for the one
// before it.
//
//go:norace
func C(i int, v bool) bool {
	if v != negated[i] {
		covered[2*i+1] = 1
		return true
	}
	covered[2*i] = 1
	return false
}

// N is B for named boolean types.
//
//go:norace
func N[T ~bool](i int, v T) T { return T(B(i, bool(v))) }

// A marks the arm numbered i: a branch without a condition to negate.
//
//go:norace
func A(i int) {
	fuel--
	if fuel < 0 {
		exhaust()
	}
	armed[i] = 1
}

// F marks the entry of the changed function numbered k.
//
//go:norace
func F(k int) { entered[k] = 1 }

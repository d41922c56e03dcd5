package law

import (
	"math"
	"math/bits"
)

// addInts adds; not ok if the sum overflows.
func addInts(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

// subInts subtracts; not ok if the difference overflows.
func subInts(a, b int64) (int64, bool) {
	difference := a - b
	return difference, (difference < a) == (b > 0)
}

// mulInts multiplies; not ok if the product overflows.
func mulInts(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	if a == math.MinInt64 || b == math.MinInt64 {
		return a * b, a == 1 || b == 1
	}
	product := a * b
	return product, product/b == a && product != math.MinInt64
}

// sumInts adds all; not ok if the total overflows, whatever the order. Only the total
// counts, so that a list and its reverse have the same sum.
func sumInts(all []int64) (int64, bool) {
	var high, low uint64 // of a number of 128 bits
	for _, v := range all {
		var carry uint64
		low, carry = bits.Add64(low, uint64(v), 0)
		high, _ = bits.Add64(high, uint64(v>>63), carry)
	}
	sum := int64(low)
	return sum, high == uint64(sum>>63)
}

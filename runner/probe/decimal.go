//go:build go1.21

package probe

import (
	"strconv"
	"strings"
	"sync/atomic"
)

// decimalDigits is how many digits the address of something on the heap has in decimal, as
// the verb %d of package fmt writes pointers.
const decimalDigits = 12

// maskDecimals replaces what look like addresses of the heap in decimal.
func maskDecimals(s string, from int) string {
	const lowest, highest = 0xc000000000, 0xc100000000
	var b strings.Builder
	b.WriteString(s[:from])
	for i := from; i < len(s); {
		n := 0
		for i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '9' {
			n++
		}
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		word := s[i : i+n]
		if n == decimalDigits && (i == 0 || s[i-1] < '0' || s[i-1] > '9') {
			if v, err := strconv.ParseUint(word, 10, 64); err == nil && v >= lowest && v < highest {
				word = "ADDRESS"
			}
		}
		b.WriteString(word)
		i += n
	}
	return b.String()
}

// functionsGiven says that a call was given functions as values of any type, which may be printed in
// any way: see MaskFunctions.
var functionsGiven atomic.Bool

// MaskFunctions has digests leave out numbers that may be the address of a function, written with
// any verb, until restore is called.
func MaskFunctions() (restore func()) {
	functionsGiven.Store(true)
	return func() { functionsGiven.Store(false) }
}

// maskCode replaces what may be, or begin with, the address of code or of data: six and more digits in
// a row, be they hexadecimal.
func maskCode(s string) string {
	const leastDigits = 6
	var b strings.Builder
	for i := 0; i < len(s); {
		n, digits := 0, 0
		for i+n < len(s) && (isHex(s[i+n]) || s[i+n] >= 'A' && s[i+n] <= 'F') {
			if s[i+n] <= '9' {
				digits++
			}
			n++
		}
		switch {
		case n == 0:
			b.WriteByte(s[i])
			n = 1
		case n >= leastDigits && digits > 0:
			b.WriteString("ADDRESS")
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

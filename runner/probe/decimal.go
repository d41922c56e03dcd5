//go:build go1.21

package probe

import (
	"strconv"
	"strings"
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

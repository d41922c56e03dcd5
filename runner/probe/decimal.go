//go:build go1.21

package probe

import (
	"runtime"
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

// leastCode and mostCode are how many digits the address of code has in decimal: programs are mapped from
// 0x400000 on.
const leastCode, mostCode = 7, 8

// maskEntries replaces the decimal numbers at which a function of this program begins, as the verb %d of package fmt
// writes functions. A number of a program's own is one by a chance of less than one in a hundred.
func maskEntries(s string) string {
	var b strings.Builder
	done := 0
	// A number of so many digits has one at a multiple of their count.
	for at := leastCode - 1; at < len(s); at += leastCode {
		if !isDigit(s[at]) {
			continue
		}
		from, to := at, at+1
		for from > done && isDigit(s[from-1]) {
			from--
		}
		for to < len(s) && isDigit(s[to]) {
			to++
		}
		if n := to - from; n < leastCode || n > mostCode || !isEntry(s[from:to]) {
			continue
		}
		b.WriteString(s[done:from])
		b.WriteString("ADDRESS")
		done = to
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// isEntry reports whether a function begins at an address.
func isEntry(decimal string) bool {
	v, err := strconv.ParseUint(decimal, 10, 32)
	if err != nil {
		return false
	}
	f := runtime.FuncForPC(uintptr(v))
	return f != nil && f.Entry() == uintptr(v)
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

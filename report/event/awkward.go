package event

import (
	"slices"
	"strings"
)

// Awkward counts what hardly anybody would write in the input of a call: nil, characters
// that cannot be printed, the largest numbers, values of structs that are made field by
// field instead of by a function, and a variable that is given twice to one call. It is
// called for each comparison of a sort, so it reads the code once, and not all of it.
func (f Finding) Awkward() int {
	code := f.Input[:min(len(f.Input), maxAwkward)]
	n, escaped := 0, false
	var given [8]string // the names of one list of arguments, as far as they follow each other
	list := given[:0]
	for at := 0; at < len(code); {
		c := code[at]
		switch {
		case isLetter(c):
			word := code[at : at+wordLength(code[at:])]
			rest := code[at+len(word):]
			if !strings.HasSuffix(code[:at], ", ") {
				list = given[:0]
			}
			if slices.Contains(list, word) {
				n++
			}
			list = append(list[:min(len(list), len(given)-1)], word)
			if word == "nil" || word == "math" && isLargest(rest) || isComposite(code[:at], word, rest) {
				n++
			}
			at += len(word)
			continue
		case isDigit(c):
			number := code[at : at+wordLength(code[at:])]
			if isLong(number) {
				n++
			}
			at += len(number)
			continue
		case c == '\\' && at+1 < len(code) && strings.IndexByte("xuU", code[at+1]) >= 0:
			escaped = true
		case c != ',' && c != ' ':
			list = given[:0]
		}
		at++
	}
	if escaped {
		n++
	}
	return n
}

// maxAwkward bounds how much of an input is looked at, in bytes.
const maxAwkward = 1 << 10

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordLength is how long the name or number is that code begins with.
func wordLength(code string) int {
	n := 0
	for n < len(code) && (isLetter(code[n]) || isDigit(code[n])) {
		n++
	}
	return n
}

// isLargest reports whether what follows package math is one of its extremes.
func isLargest(rest string) bool {
	for _, name := range []string{".Max", ".Min", ".Smallest", ".Inf", ".NaN"} {
		if strings.HasPrefix(rest, name) {
			return true
		}
	}
	return false
}

// isComposite reports whether an exported type's value is made in place.
func isComposite(before, word, rest string) bool {
	if word[0] < 'A' || word[0] > 'Z' || strings.HasSuffix(before, "]") || strings.HasSuffix(before, ".") {
		return false
	}
	if strings.HasPrefix(rest, "[") {
		_, rest, _ = strings.Cut(rest, "]")
	}
	return strings.HasPrefix(rest, "{")
}

// isLong reports whether a number has so many digits, or so large an exponent, that nobody
// would choose it.
func isLong(number string) bool {
	digits, exponent, _ := strings.Cut(number, "e")
	return len(digits) >= 12 || len(exponent) >= 3
}

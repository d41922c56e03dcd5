//go:build go1.21

package probe

import "strings"

// What package time writes of the monotonic clock, and a context of the time that it has left, is as it happens.

const (
	monotonic = " m="           // begins the reading of the clock
	deadline  = "WithDeadline(" // begins what a context tells
)

// maskMonotonic takes readings of the monotonic clock out of a text, the first of which may be at i; and how
// long contexts have left, which is behind them in brackets.
func maskMonotonic(s string, i int) string {
	var b strings.Builder
	for i >= 0 {
		end := i + len(monotonic)
		if end < len(s) && (s[end] == '+' || s[end] == '-') {
			for end++; end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.'); end++ {
			}
			left, of := strings.LastIndex(s[:i], deadline), strings.HasPrefix(s[end:], " [")
			if close := strings.IndexByte(s[end:], ']'); left >= 0 && of && close >= 0 {
				end += close + 1
			}
			b.WriteString(s[:i])
		} else {
			b.WriteString(s[:end])
		}
		s = s[end:]
		i = strings.Index(s, monotonic)
	}
	b.WriteString(s)
	return b.String()
}

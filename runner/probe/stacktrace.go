package probe

import "strings"

// stackStart ends the first line of a stack, as debug.Stack gives it.
const stackStart = " [running]:\n"

// maskStacks cuts stacks out of a text, to the next empty line or the end: which functions call each other, and with
// which words as arguments, is how the code does what it does, and not what it does. from is where the first stackStart is.
func maskStacks(s string, from int) string {
	var b strings.Builder
	for i := from; i >= 0; i = strings.Index(s, stackStart) {
		first := strings.TrimRight(s[:i], "0123456789")
		at := i + len(stackStart)
		if name := "goroutine "; len(first) == i || !strings.HasSuffix(first, name) {
			b.WriteString(s[:at])
		} else {
			b.WriteString(first + "N [running]: STACK")
			if end := strings.Index(s[at:], "\n\n"); end >= 0 {
				at += end
			} else {
				at = len(s)
			}
		}
		s = s[at:]
	}
	b.WriteString(s)
	return b.String()
}

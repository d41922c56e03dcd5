//go:build go1.21

package harness

import "strings"

// minFence is the number of equal marks that a fence begins with.
const minFence = 3

// fenced returns the stretches of whole lines between two fences: lines that begin with the same marks, as around a block of
// code, in front of a page, or between documents. The end of the last line is left out.
func fenced(tokens []string) [][2]int {
	var out [][2]int
	fence, inner := "", 0 // the latest fence, and the token after its line
	for at := 0; at < len(tokens); {
		_, end := lineAround(tokens, at)
		next := min(end+1, len(tokens))
		if f := fenceOf(tokens[at:end]); f != "" {
			if f == fence && at-1 > inner {
				out = append(out, [2]int{inner, at - 1})
			}
			fence, inner = f, next
		}
		at = next
	}
	return out
}

// fenceOf returns the marks that a line begins with if they make it a fence, else "".
func fenceOf(line []string) string {
	if len(line) < minFence || class(line[0]) == "a" || class(line[0]) == "0" {
		return ""
	}
	for _, t := range line[1:minFence] {
		if t != line[0] {
			return ""
		}
	}
	return strings.Repeat(line[0], minFence)
}

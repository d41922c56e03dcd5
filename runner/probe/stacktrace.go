package probe

import "strings"

// stackFrame begins the second line of a frame of a stack, as debug.Stack gives it: where the function is.
const stackFrame = "\n\t/"

// maskStacks cuts the frames of stacks out of a text, two lines each: which functions call each other, and with which words as arguments, is how
// the code does what it does, and not what it does.
func maskStacks(s string) string {
	lines := strings.Split(s, "\n")
	out := lines[:0]
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && isFrame(lines[i], lines[i+1]) {
			if len(out) == 0 || out[len(out)-1] != stackHere {
				out = append(out, stackHere)
			}
			i++
			continue
		}
		if name := "goroutine "; strings.HasPrefix(lines[i], name) && strings.HasSuffix(lines[i], "]:") {
			lines[i] = name + "N" + strings.TrimLeft(lines[i][len(name):], "0123456789")
		}
		out = append(out, lines[i])
	}
	return strings.Join(out, "\n")
}

// stackHere stands for the frames of a stack.
const stackHere = "STACK"

// isFrame reports whether two lines are a frame: a call, or what a goroutine was created by, and a line of a file.
func isFrame(call, place string) bool {
	if !strings.HasSuffix(call, ")") && !strings.HasPrefix(call, "created by ") {
		return false
	}
	at := strings.Index(place, goLine)
	return strings.HasPrefix(place, stackFrame[1:]) && at >= 0 && strings.HasPrefix(strings.TrimLeft(place[at+len(goLine):], "0123456789")+" ", " ")
}

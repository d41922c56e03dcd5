package event

import "strings"

// calledOftener reports whether a function of ours, whose arguments say nothing, is called more than once on both versions, and
// a different number of times: so is one that compares two things, or tells what an error says. Once and twice are told apart.
func (f Finding) calledOftener() bool {
	base, head := timesCalled(f.Base.Value), timesCalled(f.Head.Value)
	return f.Kind == KindValue && base > 1 && head > 1 && base != head
}

// timesCalled counts the elements of a rendered list that holds nothing but "called", 0 for other values.
func timesCalled(value string) int {
	if !strings.HasPrefix(value, "[") || !strings.HasSuffix(value, "]") {
		return 0
	}
	words := strings.Fields(strings.Trim(value, "[]"))
	for _, w := range words {
		if w != `"called"` {
			return 0
		}
	}
	return len(words)
}

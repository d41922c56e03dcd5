package event

import (
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// calledOftener reports whether a function of ours, whose arguments say nothing, is called more than once on both versions, and
// a different number of times: so is one that tells what an error says. Once and twice are told apart. Which things one that
// compares two is given, and how often, is nobody's business either, as long as it is called.
func (f Finding) calledOftener() bool {
	base, head := timesCalled(f.Base.Value), timesCalled(f.Head.Value)
	return f.Kind == KindValue && (base > 1 && head > 1 && base != head || f.comparesOtherwise())
}

// comparesOtherwise reports whether what differs is the calls of a function of ours that compares two things.
func (f Finding) comparesOtherwise() bool {
	for _, value := range []string{f.Base.Value, f.Head.Value} {
		if !strings.HasPrefix(value, `["`) {
			return false
		}
	}
	m := comparing().FindStringSubmatch(f.Input[:min(len(f.Input), maxRounded)])
	return m != nil && m[1] == m[2] && strings.HasSuffix(f.Input, "\n"+m[3])
}

// comparing matches a function of two parameters that tells its calls, in a list.
var comparing = lazyregexp.New(`func\(\w+ ([^,()]+), \w+ ([^,()]+)\) (?:int|bool) \{ (\w+) = append\(`)

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

// unordered reports whether a call is given a function of ours that compares two things and says that one is before or
// behind itself: no order is like that, and what code that sorts makes of it is chance.
func (f Finding) unordered() bool {
	m := ordering().FindStringSubmatch(f.Input[:min(len(f.Input), maxRounded)])
	return m != nil && m[1] == m[2] && f.Kind == KindValue
}

// ordering matches a function of two parameters that gives a number for all that it does not know, which is not 0.
var ordering = lazyregexp.New(`func\((?:\w+ )?([^,()]+), (?:\w+ )?([^,()]+)\) int \{[^{}]*(?:\{[^{}]*\}[^{}]*)?\breturn -?[1-9][0-9]*;?\s*\}`)

package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// sameFailure reports whether one version fails in both findings, and says so in the same words,
// as an error and as a panic or behind other words, and a changed function ran in both.
func sameFailure(f, g *seen) bool {
	return share(f.roots, g.roots) && sameWords(f.Finding, f.failure, g.Finding, g.failure)
}

// sameWords reports whether the words of two failures, see failureOf, are the same as far as that
// tells of one cause: all that is behind the last colon, or many words in a row.
func sameWords(f event.Finding, words []string, g event.Finding, others []string) bool {
	if !judgedAlike(f, g) || !failures(f, g) || len(words) == 0 || len(others) == 0 {
		return false
	}
	end := 0
	for end < min(len(words), len(others)) && words[len(words)-1-end] == others[len(others)-1-end] {
		end++
	}
	return end >= leastWords || longestRun(words, others) >= manyWords
}

const (
	leastWords = 4 // at the end of a failure's text
	manyWords  = 6 // anywhere
)

// longestRun is how many words in a row two lists have in common at most.
func longestRun(a, b []string) int {
	longest := 0
	before := make([]int, len(b)+1)
	for _, x := range a {
		now := make([]int, len(b)+1)
		for j, y := range b {
			if x == y {
				now[j+1] = before[j] + 1
				longest = max(longest, now[j+1])
			}
		}
		before = now
	}
	return longest
}

// failureOf are the words with which one version fails a call; nil for what is no failure, and for
// what the run time says, which is the same for many causes.
func failureOf(f event.Finding) []string {
	if f.Rung != event.Reached {
		return nil
	}
	failing := f.Head
	if f.Improves() {
		failing = f.Base
	}
	text := failing.Message
	if failing.Outcome != event.Panic {
		text = failing.Value
	}
	if strings.Contains(text, "runtime error: ") {
		return nil
	}
	return words().FindAllString(text[:min(len(text), maxFailure)], -1)
}

// maxFailure bounds what is read of a failure's text, in bytes.
const maxFailure = 1 << 10

// newFailure reports whether head fails in both findings in the very same words, which base has in neither, and a changed
// function ran in both: whether base gave a value or another error tells nothing of the cause.
func newFailure(f, g *seen) bool {
	text := failsWith(f.Head)
	return text != "" && text == failsWith(g.Head) && failsWith(f.Base) != text && failsWith(g.Base) != text &&
		share(f.roots, g.roots) && judgedAlike(f.Finding, g.Finding)
}

// failsWith is what a version fails with, an error of a call or a panic of the code's own; "" where it does not.
func failsWith(r event.Result) string {
	switch {
	case r.Outcome == event.Panic && !strings.Contains(r.Message, "runtime error: "):
		return r.Message
	case r.Outcome == event.Pass && strings.HasPrefix(r.Value, "error("):
		if text, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(r.Value, "error("), ")")); err == nil {
			return text
		}
	}
	return ""
}

// tellsMore reports whether a call shows what another one gives that it goes through: the value of
// Trace is other, and so is the error of Parse, which calls it.
func tellsMore(outer, inner event.Finding) bool {
	return outer.Through != "" && outer.Through == inner.Function && outer.Package == inner.Package && inner.Kind == event.KindValue &&
		outer.Intended == inner.Intended && outer.Open() == inner.Open() && covers(outer.Changed, inner.Changed) && covers(inner.Changed, outer.Changed)
}

// crashesBefore reports whether two sequences run the same changed functions over the same state,
// base crashes in one of them, and head fails in neither: a mended state is one thing.
func crashesBefore(f, g *seen) bool {
	crashed := func(f *seen) bool {
		return f.Base.Outcome == event.Panic && strings.Contains(f.Base.Message, "runtime error: ")
	}
	fails := func(f *seen) bool {
		return f.Kind == event.KindValueToError || f.Head.Outcome != event.Pass
	}
	return f.state != "" && f.state == g.state && slices.Equal(f.roots, g.roots) && f.Package == g.Package && f.Intended == g.Intended && f.Open() == g.Open() &&
		(crashed(f) || crashed(g)) && !fails(f) && !fails(g)
}

// stateOf is the code with which a sequence makes the receiver of its last call; "" for a
// plain call, and where the code gives nothing to what it makes.
func stateOf(f event.Finding) string {
	if f.Origin != event.OriginSequence {
		return ""
	}
	at := strings.LastIndexByte(f.Input, '\n')
	if at < 0 || !arguments().MatchString(f.Input[:at]) {
		return ""
	}
	return f.Input[:at]
}

// arguments matches a call that is given something.
var arguments = lazyregexp.New(`\w\([^)]`)

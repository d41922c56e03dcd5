package execute

import (
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// verdicts are what the run time ends a process for because of what its code does, whatever
// the machine. Running out of memory or threads depends on the machine, and is left out.
var verdicts = []string{
	"fatal error: all goroutines are asleep - deadlock!",
	"fatal error: no goroutines (main called runtime.Goexit) - deadlock!",
	"fatal error: stack overflow",
	"fatal error: concurrent map ",
	"fatal error: sync: ",
}

// verdict returns how the run time words an end that the code alone is to blame for, "" for
// another: a fatal error, or a panic on a goroutine of the code's own, which nobody who calls it
// can recover.
func verdict(output, message string) string {
	if strings.HasPrefix(message, "runtime: goroutine stack exceeds") {
		message = "fatal error: stack overflow"
	}
	for _, v := range verdicts {
		if strings.HasPrefix(message, v) {
			return message
		}
	}
	if strings.HasPrefix(message, "panic: ") && !panicsInHarness(output) {
		message, _, _ = strings.Cut(message, " [recovered]")
		return address().ReplaceAllString(message, "0x…")
	}
	return ""
}

// refused is what package deterministic has code panic with that asks for too much memory at once. On a
// goroutine of its own it ends the process, which says as little of the code as outOfMemory.
const (
	refused     = "isodelta: more memory at once"
	outOfMemory = "fatal error: runtime: out of memory"
)

// stuck is the last word of a process in which everything waits, for connections, say, of which nothing comes: see
// package deterministic. Without its patches such a process goes on to wait.
const stuck = "isodelta: nothing runs, and what is waited for does not come"

// address matches what differs from one process to the next.
var address = lazyregexp.New(`\b0x[0-9a-f]+\b`)

// panicsInHarness reports whether the goroutine that panics is the one that makes the calls, by
// themselves or in place: there the calls are guarded, so that it is not they that panic.
func panicsInHarness(output string) bool {
	_, trace, ok := strings.Cut(output, "\ngoroutine ")
	if !ok {
		return true // nothing is known of it
	}
	trace, _, _ = strings.Cut(trace, "\n\n")
	return strings.Contains(trace, "/harness.Serve(") || strings.Contains(trace, "/harness.(*amplifier).") || !strings.Contains(trace, "\ncreated by ")
}

package execute

import "testing"

// The run time's word counts where the code alone is to blame, and not where the machine is, or
// what makes the calls.
func TestVerdict(t *testing.T) {
	t.Parallel()
	own := "panic: boom\n\ngoroutine 9 [running]:\nx.f.func1()\n\t/x/f.go:3\ncreated by x.f in goroutine 7\n\t/x/f.go:2\n\ngoroutine 7 [chan receive]:\nx/harness.Serve(0x1)\n"
	main := "panic: boom\n\ngoroutine 7 [running]:\nx/harness.(*Machine).fill()\nx/harness.Serve(0x1)\n\t/x/s.go:3\ncreated by testing.(*T).Run in goroutine 1\n"
	placed := "panic: boom\n\ngoroutine 7 [running]:\nx/harness.(*amplifier).mutation()\nx.TestF()\n\t/x/s.go:3\ncreated by testing.(*T).Run in goroutine 1\n"
	for _, c := range []struct{ what, output, message, want string }{
		{"a deadlock", "", "fatal error: all goroutines are asleep - deadlock!", "fatal error: all goroutines are asleep - deadlock!"},
		{"a stack that overflows", "", "runtime: goroutine stack exceeds 100663296-byte limit", "fatal error: stack overflow"},
		{"a mutex", "", "fatal error: sync: unlock of unlocked mutex", "fatal error: sync: unlock of unlocked mutex"},
		{"memory", "", "fatal error: runtime: out of memory", ""},
		{"threads", "", "runtime: failed to create new OS thread", ""},
		{"killed", "", "signal: killed", ""},
		{"a panic on a goroutine of the code's own", own, "panic: boom", "panic: boom"},
		{"a panic that was recovered and goes on", own, "panic: boom [recovered]", "panic: boom"},
		{"an address", own, "panic: (*x.T) 0xc00001c0a8", "panic: (*x.T) 0x…"},
		{"a panic where the calls are made", main, "panic: boom", ""},
		{"a panic where a test makes calls in place", placed, "panic: boom", ""},
		{"a panic of which nothing is known", "panic: boom", "panic: boom", ""},
	} {
		if got := verdict(c.output, c.message); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// Memory that calls of our own do not get is no panic of the code's.
func TestRefusedMemoryIsNoPanic(t *testing.T) {
	t.Parallel()
	output := "panic: isodelta: more memory at once than calls of our own get\n\ngoroutine 9 [running]:\nx.f.func1()\ncreated by x.f in goroutine 7\n"
	message := lastWords(output, nil)
	if message != outOfMemory || verdict(output, message) != "" {
		t.Errorf("%q, verdict %q", message, verdict(output, message))
	}
}

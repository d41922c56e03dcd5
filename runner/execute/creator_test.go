package execute

import "testing"

// What created the goroutine that panicked is read from the first stack that is printed.
func TestCreator(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, output, want string }{
		{"nothing", "", ""},
		{"no panic", "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/a.go:1\n", ""},
		{"a goroutine of the code's own", "=== RUN\npanic: runtime error: index out of range [recovered, repanicked]\n[signal SIGSEGV]\n\ngoroutine 8 [running]:\n" +
			"a.(*T).start.func1()\n\t/a.go:74 +0xcd\ncreated by a.(*T).start in goroutine 7\n\t/a.go:70 +0x8f\n\ngoroutine 7 [select]:\ncreated by b.F in goroutine 1\n\t/b.go:1\n", "a.(*T).start"},
		{"the first one", "panic: a\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:1\n\ngoroutine 7 [select]:\nb.G()\n\t/b.go:2\ncreated by b.F in goroutine 1\n\t/b.go:1\n", ""},
	} {
		if got := creator(test.output); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

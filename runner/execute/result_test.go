package execute

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/outcome"
)

// Whatever comes through the pipe, decoding must not panic: the process at the
// other end runs code in states that its authors did not foresee.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 0, 2, 255, 255, 255, 255, 255, 255, 255, 127})
	f.Fuzz(func(t *testing.T, b []byte) {
		_, r, err := decode(b)
		if err == nil && r.Outcome == "" {
			t.Error("a record without an outcome")
		}
	})
}

func TestBitsAreSets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const n = 50
		in := map[int]bool{}
		b := outcome.NewBits(n)
		for _, i := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(t, "members") {
			in[i] = true
			b.Add(i)
		}
		if b.Count() != len(in) || b.Empty() != (len(in) == 0) || len(b.Members()) != len(in) {
			t.Fatalf("%d members, want %d", b.Count(), len(in))
		}
		for i := range n + 20 {
			if b.Has(i) != in[i] {
				t.Fatalf("Has(%d) = %t", i, b.Has(i))
			}
		}
	})
}

func TestLastWords(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{
		"noise\npanic: boom [recovered]\n\ngoroutine 1":        "panic: boom [recovered]",
		"fatal error: all goroutines are asleep - deadlock!\n": "fatal error: all goroutines are asleep - deadlock!",
		"nothing of note": "exit status 0",
	} {
		if got := lastWords(out, nil); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package harness

import (
	"strings"
	"testing"
)

// Lines end in each of the usual ways, one of them alone or all, and no text is lost.
func TestLineEnds(t *testing.T) {
	seen := map[string]bool{}
	r := NewRand(1)
	for range 400 {
		s := lineEnds(r, "a\nb\nc")
		seen[s] = true
		if got := strings.Map(func(r rune) rune {
			if r == '\r' || r == '\n' || r == ' ' {
				return -1
			}
			return r
		}, s); got != "abc" {
			t.Fatalf("%q", s)
		}
	}
	for _, want := range []string{"a\r\nb\r\nc", "a\r\nb\nc", "a\rb\rc", "a\nb\r\nc", "abc"} {
		if !seen[want] {
			t.Errorf("never %q", want)
		}
	}
	if s := lineEnds(r, "a"); s == "a" {
		t.Error("a text without lines gets none")
	}
}

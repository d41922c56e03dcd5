package harness

import "testing"

// The steps of a key, a path or a qualified name are what code follows.
func TestTextsVaryStepByStep(t *testing.T) {
	p, r := NewPlain(), NewRand(1)
	const s = "t = {a.b = 1, c.d = 2}"
	seen := map[string]bool{}
	for range 20_000 {
		seen[p.stepwise(r, s, "")] = true
	}
	for _, want := range []string{
		"t = {a = 1, c.d = 2}", "t = {b = 1, c.d = 2}", // a step less
		"t = {a.b.c = 1, c.d = 2}", "t = {a.b = 1, c.d.t = 2}", // one more
		"t = {a.b = 1, a.b = 2}", "c.d = {a.b = 1, c.d = 2}", // where another one leads
		"t = {a.b = 1, a.b.c = 2}", // and one further
	} {
		if !seen[want] {
			t.Errorf("never made %q", want)
		}
	}
	for in, want := range map[string]int{"": 0, "a b": 2, "a.b/c d": 2, "x::y": 2, ".a.": 1, "1.5 a:b": 2} {
		if got := trails(tokenize(in)); len(got) != want {
			t.Errorf("%q has %v", in, got)
		}
	}
}

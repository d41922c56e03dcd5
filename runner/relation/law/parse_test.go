package law

import (
	"testing"

	"pgregory.net/rapid"
)

// A tree is read back from its key.
func TestParse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := trees(Bool, rapid.IntRange(0, 5).Draw(t, "depth")).Draw(t, "tree")
		got, err := Parse(x.Key(), variables())
		if err != nil {
			t.Fatal(err)
		}
		if got.Key() != x.Key() || got.Kind() != x.Kind() || got.Size() != x.Size() {
			t.Fatalf("%s was read as %s", x.Key(), got.Key())
		}
	})
}

// FuzzParse: what is no key is refused, and what is read is written as it was, but for how
// constants are spelled.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "$0", "$9", "(", "(5 $0 $0)", "(99 $0)", "fInf", "fNaN", "i1", `"a\"b"`, `"a`, "true", "(5 $0 $0) ", "(2 true"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, err := Parse(s, variables())
		if err != nil {
			return
		}
		if again, err := Parse(x.Key(), variables()); err != nil || again.Key() != x.Key() {
			t.Fatalf("%q was read as %s, and that as %v, %v", s, x.Key(), again, err)
		}
	})
}

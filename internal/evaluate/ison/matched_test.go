package ison

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
)

// Algorithm 1 decides what may be negated: the mutated condition itself has no
// counterpart, those around it have, and a mutant that is the same program says
// so.
func TestMutatedConditionIsNotMatched(t *testing.T) {
	t.Parallel()
	const src = "package p\n\nfunc F(a, b int) int {\n\tif a < 3 {\n\t\ta++\n\t}\n\tif b > 0+0 {\n\t\treturn a\n\t}\n\treturn b\n}\n\nfunc G(x bool) bool { return x || F(1, 2) == 3 }\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.21\n", "p.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load.Load(t.Context(), load.Options{Root: dir, Dir: dir, Env: append(os.Environ(), "GOWORK=off")})
	if err != nil {
		t.Fatal(err)
	}
	program, err := instrument.Code(tree, instrument.Config{})
	if err != nil {
		t.Fatal(err)
	}
	f := &faulty{original: tree, source: map[string][]byte{"p.go": []byte(src)}, condition: map[load.Place]int{}}
	byText := map[string]int{}
	for _, c := range program.Conditions {
		f.condition[c.Place] = c.Index
		byText[c.Text] = c.Index
	}
	at := slices.Index([]byte(src), '<')
	for _, test := range []struct {
		m       mutant.Mutant
		changed bool
	}{
		{mutant.Mutant{File: "p.go", Start: at, End: at + 1, Original: "<", Replacement: ">="}, true},
		{mutant.Mutant{File: "p.go", Start: at, End: at + 1, Original: "<", Replacement: "<  "}, false},
	} {
		matched, changed, err := f.match(t.Context(), test.m)
		if err != nil {
			t.Fatal(err)
		}
		if changed != test.changed {
			t.Errorf("%q: changed is %t, want %t", test.m.Replacement, changed, test.changed)
		}
		for text, i := range byText {
			if want := !(test.changed && text == "a < 3"); (matched[i] != "") != want {
				t.Errorf("%q: condition %q is matched: %q, want a match: %t", test.m.Replacement, text, matched[i], want)
			}
		}
	}
}

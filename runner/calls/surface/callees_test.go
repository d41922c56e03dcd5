package surface

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/load"
)

const chainSource = `package chain

type T struct{ n int }

func Must(s string) T {
	t, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return t
}

func Parse(s string) (T, error) { return T{scan[int](s)}, nil }

func scan[N any](s string) int { return len(s) }

func (t *T) Set(s string) { *t = Must(s) }

func Even(n int) bool { return n == 0 || Odd(n-1) }

func Odd(n int) bool { return n != 0 && Even(n-1) }

func Value() func(string) T { return Must }
`

func TestCallees(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/chain\n\ngo 1.21\n", "chain.go": chainSource} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := loaded(t, root)
	place := func(of string) load.Place {
		return load.Place{File: "chain.go", Offset: strings.Index(chainSource, "func "+of)}
	}
	for of, want := range map[string][]string{
		"Must":       {"Parse", "scan"},
		"(t *T) Set": {"Must", "Parse", "scan"},
		"Parse":      {"scan"},
		"scan":       {},
		"Even":       {"Odd", "Even"},
		"Value":      {}, // what is given away as a value is called by somebody else
	} {
		got := Callees(tree, "example.com/chain", place(of))
		if len(got) != len(want) {
			t.Errorf("%s calls %v, want %v", of, got, want)
		}
		for _, name := range want {
			if !got[place(name)] {
				t.Errorf("%s does not call %s", of, name)
			}
		}
	}
}

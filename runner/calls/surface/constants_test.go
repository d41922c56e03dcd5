package surface

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/load"
)

const feeSource = `package fee

const limit = 2_000

func Fee(km int) (cents int) {
	if km > limit {
		return 90000
	}
	text := "7"
	return base(km) + len(text)*3
}

func base(km int) int { return 250 + surcharge(km) }

func surcharge(km int) int { return 40*km + far(km) }

// far is one call too many away.
func far(km int) int { return km / 77 }

func Round(n int) int {
	if n <= 1 {
		return 11
	}
	return Round(n-1) + Other[int](n)
}

func Other[T any](T) int { return 13 }
`

// The constants of a function are those of its declaration and of those that it calls in
// its package, to a depth; recursion ends.
func TestConstants(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/fee\n\ngo 1.21\n", "fee.go": feeSource} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := loaded(t, root)
	for name, want := range map[string][]float64{
		"func Fee":   {3, 40, 250, 2000, 90000}, // len(text) is no constant: text is a variable
		"func Round": {1, 11, 13},
		"const":      nil,
	} {
		at := load.Place{File: "fee.go", Offset: strings.Index(feeSource, name)}
		if got := Constants(tree, "example.com/fee", at); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := Constants(tree, "example.com/other", load.Place{}); got != nil {
		t.Errorf("of a package that there is not: %v", got)
	}
}

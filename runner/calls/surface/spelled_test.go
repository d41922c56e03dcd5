package surface

import (
	"maps"
	"slices"
	"testing"
)

const spelling = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import "example.com/m/inside"

// Given is written down by the package that declares it alone.
type Given struct{ Name string; n int }

// Tested is written down in a test.
type Tested struct{ Name string; n int }

// Filled is written down in a test with what others cannot set.
type Filled struct{ Name string; n int }

// Empty has nothing set by anybody.
type Empty struct{ Name string; n int }

func New() (*Given, *Tested, *Empty) { return &Given{Name: "a"}, &Tested{Name: "a"}, &Empty{} }

var listed = []*inside.Listed{{Name: "a"}}
-- inside/inside.go --
package inside

// Listed is written down in another package, in a list of pointers.
type Listed struct{ Name string; n int }
-- m_test.go --
package m

var (
	_ = Tested{Name: "a"}
	_ = Filled{Name: "a", n: 1}
	_ = Empty{}
	_ = map[string]int{"a": 1}
	_ = struct{ Name string }{Name: "a"}
)
`

// Literals of users count, and not those of a type's own package.
func TestSpelledOut(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, spelling))
	got := slices.Sorted(maps.Keys(spelledOut(tree)))
	if want := []string{"example.com/m.Tested", "example.com/m/inside.Listed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

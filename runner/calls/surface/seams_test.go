package surface

import (
	"slices"
	"testing"

	"github.com/isodelta/isodelta/isomorph"
)

// Functions of dependencies are registered once, where the package imports theirs and a test
// can name them, and the method where a function of the same name stands beside it.
func TestSeams(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, edition(offering, "int", "Former", "Ago", "2")))
	hooks := NewHooks(tree, tree, func(string) bool { return false })
	a, err := NewAPI(tree, tree, tree, "example.com/m", hooks,
		isomorph.Seam{Package: "math/big", Name: "NewInt"}, isomorph.Seam{Package: "math/big", Type: "Int", Name: "Text"},
		isomorph.Seam{Package: "math/big", Name: "Jacobi"}, isomorph.Seam{Package: "math/big", Type: "Float", Name: "Jacobi"},
		isomorph.Seam{Package: "math/big", Name: "Nowhere"}, isomorph.Seam{Package: "strings", Name: "ToUpper"},
		isomorph.Seam{Package: "bytes", Name: "MinRead"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range a.ops {
		if o.Seam {
			got = append(got, o.Name)
		}
	}
	if want := []string{"math/big.NewInt", "(*math/big.Int).Text"}; !slices.Equal(got, want) {
		t.Errorf("seams are %q, want %q", got, want)
	}
	names, _ := registered(a.File())
	if n := len(slices.DeleteFunc(names, func(s string) bool { return s != "math/big.NewInt" })); n != 1 {
		t.Errorf("NewInt is registered %d times", n)
	}
}

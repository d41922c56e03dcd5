package surface

import (
	"slices"
	"testing"
)

// A function without a body is called where an assembly file has its text. One that nothing has is left over from
// another time: the package builds, since no code names it, and a test that did would not link.
func TestFunctionsWithoutBodies(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func Sum(a, b int) int

func SumAll(a, b int) int

func Add(a, b int) int { return Sum(a, b) }
-- sum.s --
// SumAll is gone, see ·SumAll(SB).
TEXT ·Sum(SB), 7, $0-24
	RET
`))
	a := apiOf(t, tree, tree, tree, "example.com/m")
	if names := a.names(); !slices.Contains(names, "Sum") || !slices.Contains(names, "Add") || slices.Contains(names, "SumAll") {
		t.Errorf("called are %q", names)
	}
	if a.Ineligible["SumAll"] == "" {
		t.Error("nothing says why SumAll is not called")
	}
}

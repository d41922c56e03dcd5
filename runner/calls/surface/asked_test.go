package surface

import (
	"strings"
	"testing"
)

// An asking package takes anything, and asks it for methods.
const asking = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import "fmt"

type namer interface{ Name(long bool) string }

type Locked interface{ hidden() }

type point struct{ X, Y int }

func (p point) String() string { return "point" }

func Show(v any) string {
	switch v := v.(type) {
	case namer:
		return v.Name(true)
	case interface{ Unnamed() }, point:
		return ""
	}
	if n, ok := v.(error); ok {
		return n.Error()
	}
	return fmt.Sprint(v)
}
`

// Errors, what prints itself and what the code asserts get stubs, where anything is taken; other
// types than interfaces get none. All but errors have a second one, by its pointer alone.
func TestAsked(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, asking))
	file := string(apiOf(t, tree, tree, tree, "example.com/m").File())
	for _, name := range []string{"isodeltaErrorStub", "isodeltaStringerStub", "isodeltaNamerStub", "isodeltaStringerByPointerStub", "isodeltaNamerByPointerStub"} {
		if !strings.Contains(file, "type "+name+" struct") || !strings.Contains(file, "isodeltaH.Asked((*"+name+")(nil))") {
			t.Errorf("%s is not registered:\n%s", name, file)
		}
	}
	if n := strings.Count(file, "isodeltaH.Asked("); n != 5 {
		t.Errorf("%d stubs are registered, want 5:\n%s", n, file)
	}
	if !strings.Contains(file, "func (s *isodeltaNamerByPointerStub) Name(") || !strings.Contains(file, "struct{A isodeltaNamerByPointerStub})") {
		t.Errorf("no struct holds what has its methods by the pointer alone:\n%s", file)
	}
	tree = loaded(t, lay(t, strings.ReplaceAll(asking, "Show(v any) string {", "Show(n namer) string {\n\tvar v any = n")))
	if file := string(apiOf(t, tree, tree, tree, "example.com/m").File()); strings.Contains(file, "isodeltaH.Asked(") {
		t.Errorf("nothing takes anything, and yet there is\n%s", file)
	}
}

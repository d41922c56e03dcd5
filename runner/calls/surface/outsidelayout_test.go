package surface

import (
	"strings"
	"testing"
)

// Sequences name fields by number: of an upgraded module's struct that has a field more on head, in front, only those fields can be
// named that both versions have.
func TestLayoutsOfOtherModules(t *testing.T) {
	t.Parallel()
	const files = `
-- go.mod --
module example.com/m

go 1.21

require example.com/dep v1.0.0

replace example.com/dep => ./dep
-- m.go --
package m

import "example.com/dep"

// Settings hold those of dep.
type Settings struct{ Of map[string]*dep.Options }

func Run(s Settings) bool { return s.Of[""].Loud }

func Same(s dep.Same) int { return s.A }
-- dep/go.mod --
module example.com/dep

go 1.21
-- dep/dep.go --
package dep

type Options struct {
	FIELD
	Quiet bool
	Loud  bool
}

type Same struct{ A, B int }
`
	base := loaded(t, lay(t, strings.ReplaceAll(files, "\tFIELD\n", "")))
	head := loaded(t, lay(t, strings.ReplaceAll(files, "FIELD", "Strict bool")))
	file := string(apiOf(t, base, head, head, "example.com/m", "none").File())
	if want := `isodeltaH.Layout((*isodelta0.Options)(nil), "Quiet", "Loud")`; !strings.Contains(file, want) || strings.Count(file, "Layout(") != 1 {
		t.Errorf("not registered is %s in\n%s", want, file)
	}
}

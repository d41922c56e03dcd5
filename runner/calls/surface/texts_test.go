package surface

import (
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Texts come of the tests of a changed package, of the packages between it and the one that is called, and of tests that
// the change edits in any package. Tests of other packages have nothing to do with the change.
func TestTextsOnTheWay(t *testing.T) {
	t.Parallel()
	const module = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import (
	"example.com/m/beside"
	"example.com/m/way"
)

func F(s string) string { return beside.B(way.W(s)) }
-- way/way.go --
package way

import "example.com/m/deep"

func W(s string) string { return deep.D(s) }
-- way/way_test.go --
package way

const _ = "on the way"
-- deep/deep.go --
package deep

func D(s string) string { return s + "CHANGED" }
-- deep/deep_test.go --
package deep

const _ = "where it changes"
-- beside/beside.go --
package beside

func B(s string) string { return s }
-- beside/beside_test.go --
package beside

const _, _ = "beside it", "EDITED"
`
	base := loaded(t, lay(t, module))
	head := loaded(t, lay(t, strings.NewReplacer("CHANGED", "otherwise", "EDITED", "expected now").Replace(module)))
	change := Change{Packages: map[string]bool{"example.com/m/deep": true}, Tests: EditedTests(base, head)}
	texts := CollectLiterals(base, head, "example.com/m", change, nil).Texts[wire.NearTests]
	for _, want := range []string{"on the way", "where it changes", "expected now", "EDITED"} {
		if !slices.Contains(texts, want) {
			t.Errorf("%q is not there: %q", want, texts)
		}
	}
	if slices.Contains(texts, "beside it") {
		t.Errorf("texts of tests that have nothing to do with the change are there: %q", texts)
	}
}

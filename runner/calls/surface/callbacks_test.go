package surface

import (
	"strings"
	"testing"
)

// The methods of what a callback is given are registered. That of an error is of no package: it was a crash.
func TestGivenToCallbacks(t *testing.T) {
	t.Parallel()
	const files = "-- go.mod --\nmodule example.com/m\n\ngo 1.21\n-- m.go --\npackage m\n\n" +
		"type Located interface {\n\terror\n\tLine() int\n}\n\nfunc Parse(s string, report func(Located)) {}\n"
	tree := loaded(t, lay(t, files))
	file := string(apiOf(t, tree, tree, tree, "example.com/m", "none").File())
	if !strings.Contains(file, `"(example.com/m.Located).Line"`) || strings.Contains(file, ").Error") {
		t.Error(file)
	}
}

package required

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Switch is the environment variable that holds what has to be there: names of
// things with commas between them.
const Switch = "ISODELTA_REQUIRED"

// Thing is what a machine may lack.
type Thing string

// What a machine may lack.
const (
	Tools   Thing = "tools"   // programs that .ci/tools installs
	Sandbox Thing = "sandbox" // Landlock and namespaces, all that package sandbox uses
	Seeded  Thing = "seeded"  // a Go distribution whose run time can be seeded
)

// Skip skips t since something is missing, or fails it where that has to be
// there. why says what is missing, and what would help.
func Skip(t testing.TB, missing Thing, why string) {
	t.Helper()
	if has(os.Getenv(Switch), missing) {
		t.Fatalf("%s, and %s requires %q", why, Switch, missing)
	}
	t.Skip(why)
}

func has(list string, thing Thing) bool {
	return slices.Contains(strings.Split(list, ","), string(thing))
}

package longtest

import (
	"os"
	"testing"
)

// Switch is the environment variable that turns long tests on; any value but
// the empty one does.
const Switch = "ISODELTA_LONG"

// On reports whether long tests run.
func On() bool { return os.Getenv(Switch) != "" }

// Skip skips t unless long tests run. why says what takes so long.
func Skip(t testing.TB, why string) {
	t.Helper()
	if testing.Short() || !On() {
		t.Skipf("long: %s; set %s=1 to run it, as .ci/run does", why, Switch)
	}
}

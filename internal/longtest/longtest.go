package longtest

import (
	"os"
	"testing"
)

// Switch is the environment variable that turns long tests on; any value but
// the empty one does. "only" leaves out tests that run anyway, where they say so.
const Switch = "ISODELTA_LONG"

// On reports whether long tests run.
func On() bool { return os.Getenv(Switch) != "" }

// Only reports whether tests that are not long are left out.
func Only() bool { return os.Getenv(Switch) == "only" }

// Plain skips t where only long tests run: it takes seconds, and has run without.
func Plain(t testing.TB) {
	t.Helper()
	if Only() {
		t.Skipf("%s=only, and this test is not long", Switch)
	}
}

// Skip skips t unless long tests run. why says what takes so long.
func Skip(t testing.TB, why string) {
	t.Helper()
	if testing.Short() || !On() {
		t.Skipf("long: %s; set %s=1 to run it, as .ci/run does", why, Switch)
	}
}

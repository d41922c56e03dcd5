package keeper_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What waits for one of these packages is initialised after nearly all others of a
// program, and a keeper is started for every process of a test.
func TestEarly(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := strings.Fields(string(out))
	if !slices.Contains(imports, "syscall") {
		t.Fatalf("go list -deps gives no imports: %s", out)
	}
	for _, late := range []string{"net", "regexp", "text/template"} {
		if slices.Contains(imports, late) {
			t.Errorf("package keeper imports %s", late)
		}
	}
}

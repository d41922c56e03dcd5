package execute

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What is to be compiled counts by its source, and C for more: a database in one file of C takes a minute.
func TestUncompiledCountsC(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler: ", err)
	}
	dir := t.TempDir()
	source := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"m.go":   "// Package m is " + filepath.Base(dir) + ".\npackage m\n\n// int f(void);\nimport \"C\"\n\nfunc F() int { return int(C.f()) }\n",
		"f.c":    "/* " + strings.Repeat("x", 1000) + " */\nint f(void) { return 3; }\n",
	}
	for name, text := range source {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := WriteOverlay(overlay, map[string]string{}); err != nil {
		t.Fatal(err)
	}
	b := Build{Dir: dir, Overlay: overlay, Env: append(os.Environ(), "CGO_ENABLED=1", "GOWORK=off", "GOFLAGS=")}
	got, err := Uncompiled(context.Background(), b, []string{"example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	// What of the distribution is not compiled yet counts besides.
	if least := int64(len(source["m.go"]) + cTime*len(source["f.c"])); got < least {
		t.Errorf("%d bytes, want %d at least", got, least)
	}
}

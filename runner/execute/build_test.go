package execute

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// A test binary has no symbol table, as one that `go test` only runs has none;
// a panic still names its line; the user's flags for the linker are kept; and all are built at one time.
func TestLinkerFlags(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir, tmp := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, "go.mod"):       "module m\n\ngo 1.21\n",
		filepath.Join(tmp, "overlay.json"): `{"Replace":{}}`,
		filepath.Join(dir, "m_test.go"): `package m

import "testing"

var version = "unknown"

func TestVersion(t *testing.T) {
	if version != "v1" {
		panic(version)
	}
}
`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(goflags string) (symbols, passed bool, output string) {
		t.Helper()
		b := Build{Dir: dir, Package: "m", Out: filepath.Join(t.TempDir(), "m.test"), Overlay: filepath.Join(tmp, "overlay.json"),
			Env: append(os.Environ(), "GOFLAGS="+goflags)}
		if err := Test(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(b.Out); err != nil || !info.ModTime().Equal(built) {
			t.Errorf("built at %v: %v", info.ModTime(), err)
		}
		nm, err := exec.Command("go", "tool", "nm", b.Out).CombinedOutput()
		symbols = err == nil && strings.Contains(string(nm), "testing.tRunner")
		lab := &Lab{Level: sandbox.None, Env: os.Environ(), Tmp: t.TempDir()}
		passed, output, err = lab.RunTest(context.Background(), Target{Binary: b.Out, Dir: dir, Test: "TestVersion"}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return symbols, passed, output
	}
	if symbols, passed, output := run("-mod=mod"); symbols || passed || !strings.Contains(output, "m_test.go:9 ") {
		t.Errorf("without flags: symbols %t, passed %t:\n%s", symbols, passed, output)
	}
	if symbols, passed, output := run("-ldflags=-X=m.version=v1"); !symbols || !passed {
		t.Errorf("with -X: symbols %t, passed %t:\n%s", symbols, passed, output)
	}
}

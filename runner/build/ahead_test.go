package build

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/execute"
)

// What was compiled ahead is what tests link: the go command would compile nothing of it
// again for an overlay that a test binary is built with.
func TestAheadIsNotCompiledAgain(t *testing.T) {
	longtest.Skip(t, "compiles a part of the distribution")
	chain, dir := seeded(t)
	if stale(t, chain, dir, "strings") == "" {
		t.Fatal("an empty build cache holds everything: the test shows nothing")
	}
	ahead := chain.CompileAhead(t.Context(), dir, nil, []string{"strings"}, 0)
	defer ahead.Stop()
	if err := ahead.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := stale(t, chain, dir, "strings"); left != "" {
		t.Errorf("to be compiled again:\n%s", left)
	}
}

// Where there is no time to compile everything for the deterministic run time and once more
// without it, a run goes without.
func TestAheadGoesWithout(t *testing.T) {
	longtest.Skip(t, "compiles a part of the distribution")
	chain, dir := seeded(t)
	ahead := func(chain *Toolchain, within time.Duration) int64 {
		t.Helper()
		a := chain.CompileAhead(t.Context(), dir, nil, []string{"strings"}, within)
		defer a.Stop()
		extra := a.Extra(t.Context())
		if within < time.Minute {
			if err := a.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return extra
	}
	if extra := ahead(chain, time.Hour); extra != 0 {
		t.Errorf("with an hour for it, %d bytes are too much", extra)
	}
	if extra := ahead(chain, time.Millisecond); extra < 1<<20 {
		t.Errorf("with nothing compiled, %d bytes are to be compiled for the deterministic run time", extra)
	}
	plain := *chain
	plain.Patch = nil
	if extra := ahead(&plain, time.Second); extra != 0 {
		t.Errorf("without a deterministic run time, %d bytes are to be compiled for it", extra)
	}
	if extra := ahead(chain, time.Second); extra < 1<<20 {
		t.Errorf("%d bytes are to be compiled for the deterministic run time, which has more", extra)
	}
	if stale(t, chain, dir, "strings") == "" {
		t.Error("the deterministic run time was compiled all the same")
	}
	if stale(t, &plain, dir, "strings") != "" {
		t.Error("not everything was compiled without it")
	}
}

// A run that ends early does not wait until everything is compiled.
func TestAheadStops(t *testing.T) {
	chain, dir := seeded(t)
	ahead := chain.CompileAhead(t.Context(), dir, nil, []string{"net/http"}, 0)
	ahead.Stop()
	ahead.Stop()
	if err := ahead.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if stale(t, chain, dir, "net/http") == "" {
		t.Error("everything was compiled before the go command ended")
	}
	var none *Ahead
	none.Stop()
	if err := none.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

// seeded returns a toolchain with an empty build cache, and a folder to run it in.
func seeded(t *testing.T) (*Toolchain, string) {
	t.Helper()
	t.Setenv("GOCACHE", t.TempDir())
	chain, dir := &Toolchain{Tmp: t.TempDir()}, t.TempDir()
	if err := chain.Find(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if err := chain.Seed(); err != nil {
		t.Fatal(err)
	}
	return chain, dir
}

// stale lists what would be compiled of a package and what it imports, for an overlay of
// its own.
func stale(t *testing.T, chain *Toolchain, dir, pkg string) string {
	t.Helper()
	replace, err := chain.overlay(filepath.Join(chain.Tmp, "probe"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(chain.Tmp, "overlay.json")
	if err := execute.WriteOverlay(file, replace); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-deps", "-overlay", file, "-f", "{{if .Stale}}{{.ImportPath}}{{end}}", pkg)
	cmd.Dir, cmd.Env = dir, chain.buildEnv()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

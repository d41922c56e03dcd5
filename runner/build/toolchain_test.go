package build

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Versions that select two toolchains are both built with the newer one.
func TestNewerToolchainBuildsBoth(t *testing.T) {
	t.Parallel()
	here := &Toolchain{Tmp: t.TempDir()}
	if err := here.Find(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before        GoEnv // what the other version selects
		takes, pinned string
	}{
		{GoEnv{}, here.Go.GOROOT, ""},
		{here.Go, here.Go.GOROOT, ""},
		{GoEnv{GOROOT: "/older", GOVERSION: "go1.21.3", GOCACHE: "/c"}, here.Go.GOROOT, here.Go.release()},
		{GoEnv{GOROOT: "/newer", GOVERSION: "go9.1.2 X:nothing", GOCACHE: "/c"}, "/newer", "go9.1.2"},
	} {
		chain := &Toolchain{Tmp: t.TempDir(), Go: c.before}
		if err := chain.Find(t.Context(), t.TempDir()); err != nil {
			t.Fatal(err)
		}
		pins := slices.Contains(chain.Env(), "GOTOOLCHAIN="+c.pinned)
		if chain.Go.GOROOT != c.takes || pins != (c.pinned != "") {
			t.Errorf("after %s: takes %s, pins %q: %t; want %s", c.before.GOVERSION, chain.Go.GOROOT, c.pinned, pins, c.takes)
		}
	}
}

// The index of a distribution in the module cache is not asked.
func TestLink(t *testing.T) {
	t.Parallel()
	cache, tmp := t.TempDir(), t.TempDir()
	sdk := filepath.Join(cache, "golang.org", "toolchain@v0.0.1-go1.24.9.linux-amd64")
	if err := os.MkdirAll(filepath.Join(sdk, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		root    string
		linked  bool
		command string
	}{
		{sdk, true, filepath.Join(tmp, "sdk", "bin", "go")},
		{cache + "-not/go", false, "go"},
		{"/usr/local/go", false, "go"},
	} {
		chain := &Toolchain{Tmp: tmp, Go: GoEnv{GOROOT: c.root, GOMODCACHE: cache}}
		if err := chain.Link(); err != nil {
			t.Fatal(err)
		}
		if chain.Command() != c.command || slices.Contains(chain.buildEnv(), "GOTOOLCHAIN=local") != c.linked || (chain.Go.GOROOT == c.root) == c.linked {
			t.Errorf("%s: %s below %s, environment %v", c.root, chain.Command(), chain.Go.GOROOT, chain.buildEnv())
		}
	}
}

// What go commands write for themselves goes with the run's folder: a run of yq whose linking was cut short left a
// file of arguments in the system's.
func TestTemporaryFiles(t *testing.T) {
	t.Parallel()
	env := (&Toolchain{Tmp: "/run"}).Env()
	for _, want := range []string{"GOTMPDIR=/run", "TMPDIR=/run"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is not in the environment", want)
		}
	}
}

package deterministic_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/required"
	"github.com/isodelta/isodelta/runner/execute/deterministic"
)

type distribution struct{ GOROOT, GOVERSION string }

func installed(t *testing.T) distribution {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOROOT", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	var d distribution
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func overlay(t *testing.T, d distribution, dir string) *deterministic.Patch {
	t.Helper()
	p, err := deterministic.Overlay(d.GOROOT, d.GOVERSION, dir)
	if errors.Is(err, deterministic.ErrUnsupported) {
		required.Skip(t, required.Seeded, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// masked returns a patch in which nothing is left open, for a test that runs beside others.
func masked(t *testing.T) (distribution, *deterministic.Patch) {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	t.Parallel()
	d := installed(t)
	p := overlay(t, d, t.TempDir())
	if len(p.Open) > 0 {
		required.Skip(t, required.Seeded, fmt.Sprintf("not masked for %s: %v", d.GOVERSION, p.Open))
	}
	return d, p
}

// build compiles a program of the module below testdata, and gives the packages that were
// compiled for it, which are those that the cache did not have.
func build(t *testing.T, p *deterministic.Patch, binary, program string) (compiled string) {
	t.Helper()
	args := []string{"build", "-v", "-o", binary}
	cmd := exec.Command("go")
	cmd.Dir = filepath.Join("testdata", "noise")
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if p != nil {
		file := filepath.Join(t.TempDir(), "overlay.json")
		text, err := json.Marshal(map[string]any{"Replace": p.Replace})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-overlay", file)
		cmd.Env = append(cmd.Env, p.Env...)
	}
	cmd.Args = append(append(cmd.Args, args...), program)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// run returns what one fresh process printed: round and kind -> value.
func run(t *testing.T, binary string) map[string]string {
	t.Helper()
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for line := range strings.Lines(string(out)) {
		kind, value, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("line %q", line)
		}
		values[kind] = value
	}
	return values
}

// The whole purpose: what differs between processes of the plain program is
// the same in all processes of the patched one, and after each reset.
func TestProcessesRepeat(t *testing.T) {
	d, p := masked(t)
	dir := t.TempDir()
	plain, patched := filepath.Join(dir, "plain"), filepath.Join(dir, "patched")
	build(t, nil, plain, ".")
	build(t, p, patched, ".")

	const processes = 10
	first := run(t, patched)
	if len(first) != 3*11+2 {
		t.Fatalf("%d values: %v", len(first), first)
	}
	if first["the program"] != "true <nil>\n" || first["its size"] != "false\n" {
		t.Errorf("the program finds itself: %s, and what makes numbers of it does: %s", first["the program"], first["its size"])
	}
	distinct := map[string]map[string]bool{}
	for range processes {
		for kind, value := range run(t, patched) {
			if value != first[kind] {
				t.Errorf("%s: %safter %s", kind, value, first[kind])
			}
		}
		for kind, value := range run(t, plain) {
			if kind == "the program" || kind == "its size" {
				if !strings.HasPrefix(value, "true") {
					t.Errorf("%s in a plain process: %s", kind, value)
				}
				continue
			}
			if distinct[kind] == nil {
				distinct[kind] = map[string]bool{}
			}
			distinct[kind][value] = true
		}
	}
	for kind, values := range distinct {
		if len(values) == 1 && !(strings.HasSuffix(kind, "heap base") && d.GOVERSION < "go1.26") {
			t.Errorf("%s is the same in %d plain processes: the test shows nothing", kind, processes)
		}
	}
	for kind, value := range first {
		if rest, ok := strings.CutPrefix(kind, "second "); ok && first["first "+rest] != value {
			t.Errorf("%s differs after a reset: %safter %s", rest, value, first["first "+rest])
		}
	}
	if first["first math/rand"] == first["first math/rand/v2"] {
		t.Error("the sequence is a constant")
	}

	// A second directory must not cost a second compilation of the library.
	if compiled := build(t, overlay(t, d, t.TempDir()), patched, "."); compiled != "" {
		t.Errorf("compiled again for another directory:\n%s", compiled)
	}
}

// Waiting for a timer takes no time where a time is shown, also where a server of the process's own waits for
// connections, and where cgo has threads of its own. What comes through a connection comes first. Who waits for what
// never comes is told of soon.
func TestWaiting(t *testing.T) {
	_, p := masked(t)
	program := filepath.Join(t.TempDir(), "waiting")
	build(t, p, program, "./waiting")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	const want = "slept 1h0m0s\nanswered in 0s\nrefused after 30m0s\n"
	if string(out) != want {
		t.Errorf("it prints %q, want %q", out, want)
	}
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("waiting for ever ends with %v, want exit status 2", err)
	}
	if !strings.HasPrefix(stderr.String(), "isodelta: nothing runs") {
		t.Errorf("it ends with the words %q", stderr.String())
	}

	// So it is where only a ticker goes on.
	cmd = exec.CommandContext(ctx, program, "ticks")
	said, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(string(said), "isodelta: nothing runs") {
		t.Errorf("waiting beside a ticker ends with %v: %s", err, said)
	}
}

// Texts that hold a path or a time would never hit the build cache.
func TestTextsDoNotDependOnTheDirectory(t *testing.T) {
	t.Parallel()
	d := installed(t)
	one, two := t.TempDir(), t.TempDir()
	p, q := overlay(t, d, one), overlay(t, d, two)
	if !slices.Equal(slices.Sorted(maps.Keys(p.Replace)), slices.Sorted(maps.Keys(q.Replace))) || len(p.Replace) == 0 {
		t.Fatalf("%v\n%v", p.Replace, q.Replace)
	}
	for name := range p.Replace {
		a, err := os.ReadFile(p.Replace[name])
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(q.Replace[name])
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) {
			t.Errorf("%s differs", name)
		}
		if !filepath.IsAbs(name) || !strings.HasPrefix(p.Replace[name], one) {
			t.Errorf("%s -> %s", name, p.Replace[name])
		}
		if original, err := os.ReadFile(name); err == nil && string(original) == string(a) {
			t.Errorf("%s is not patched", name)
		}
	}
	if !p.Seedable || len(p.Masked) == 0 {
		t.Errorf("%+v", p)
	}
}

func TestUnknownSources(t *testing.T) {
	t.Parallel()
	d := installed(t)
	p := overlay(t, d, t.TempDir())
	all := len(p.Masked)
	tests := []struct {
		name, version, file string
		change              func(text string) string // nil removes the file
		want                string                   // in the error; "" where Overlay goes without one mask
	}{
		{"untouched", d.GOVERSION, "runtime/rand.go", func(s string) string { return s }, "none"},
		{"comments only", d.GOVERSION, "runtime/rand.go", func(s string) string { return "// x\n" + s }, "none"},
		{"too old", "go1.21.13", "runtime/rand.go", func(s string) string { return s }, "go1.21.13 is older than go1.22"},
		{"renamed function", d.GOVERSION, "runtime/rand.go", func(s string) string { return strings.ReplaceAll(s, "func rand() uint64", "func random() uint64") }, `runtime/rand.go: "func rand() uint64 {" occurs 0 times, expected 1`},
		{"doubled anchor", d.GOVERSION, "runtime/rand.go", func(s string) string {
			return s + "\nfunc again() {\n\tglobalRand.state.Init(*seed)\n}\n"
		}, "occurs 2 times, expected 1"},
		{"missing file", d.GOVERSION, "math/rand/rand.go", nil, "math/rand/rand.go: no such file"},
		{"other source of names", d.GOVERSION, "os/tempfile.go", func(s string) string { return strings.ReplaceAll(s, "runtime_rand", "fastrand") }, "os/tempfile.go"},
		{"select rewritten", d.GOVERSION, "runtime/select.go", func(s string) string { return strings.ReplaceAll(s, "cheaprandn", "randn") }, ""},
		{"no sysrand", d.GOVERSION, "crypto/internal/sysrand/rand.go", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for name := range p.Replace {
				copyText(t, name, filepath.Join(root, strings.TrimPrefix(name, d.GOROOT)), nil)
			}
			if err := os.MkdirAll(filepath.Join(root, "src/internal/runtime/atomic"), 0o700); err != nil {
				t.Fatal(err)
			}
			changed := filepath.Join(root, "src", test.file)
			if test.change == nil {
				if err := os.Remove(changed); err != nil {
					t.Fatal(err)
				}
			} else {
				copyText(t, filepath.Join(d.GOROOT, "src", test.file), changed, test.change)
			}
			into := t.TempDir()
			got, err := deterministic.Overlay(root, test.version, into)
			switch {
			case test.want == "none":
				if err != nil || len(got.Masked) != all {
					t.Errorf("%+v, %v", got, err)
				}
			case test.want == "":
				if err != nil || len(got.Masked) != all-1 || len(got.Open) != len(p.Open)+1 {
					t.Errorf("%+v, %v", got, err)
				}
			default:
				if !errors.Is(err, deterministic.ErrUnsupported) || !strings.Contains(err.Error(), test.want) {
					t.Errorf("error %v, want %q", err, test.want)
				}
				if entries, err := os.ReadDir(into); err != nil || len(entries) > 0 {
					t.Errorf("left behind: %v, %v", entries, err)
				}
			}
		})
	}
}

// copyText copies a file, if there is one, through change.
func copyText(t *testing.T, from, to string, change func(string) string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return // a file that the overlay adds
	}
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		text = []byte(change(string(text)))
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

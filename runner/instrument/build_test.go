package instrument

import (
	"context"
	"go/build"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
)

// writeFiles lays out files below a new directory, which it returns with
// symbolic links resolved, as the go command names it.
func writeFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
	}
	return dir
}

func write(t testing.TB, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func loadTree(t testing.TB, dir string) *load.Tree {
	t.Helper()
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// project is an instrumented module, ready to be built.
type project struct {
	tree    *load.Tree
	program *Program
	suite   *Suite
	overlay string
	replace map[string]string // what the overlay holds
}

// instrumented rewrites a module and lays the result over it.
func instrumented(t testing.TB, tree *load.Tree, cfg Config, drop map[string][]string) *project {
	t.Helper()
	p := &project{tree: tree}
	var err error
	if p.program, err = Code(tree, cfg); err != nil {
		t.Fatal(err)
	}
	if p.suite, err = Tests(tree, cfg, drop); err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	if p.replace, err = probe.Overlay(build.Default.GOROOT, filepath.Join(scratch, "probe"), false); err != nil {
		t.Fatal(err)
	}
	for _, files := range []map[string][]byte{p.program.Files, p.suite.Files} {
		for rel, content := range files {
			name := filepath.Join(scratch, "src", filepath.FromSlash(rel))
			write(t, name, content)
			p.replace[filepath.Join(tree.Root, filepath.FromSlash(rel))] = name
		}
	}
	p.overlay = filepath.Join(scratch, "overlay.json")
	if err := execute.WriteOverlay(p.overlay, p.replace); err != nil {
		t.Fatal(err)
	}
	return p
}

// suiteBinary builds the tests of one package; an empty overlay gives the
// plain ones.
func suiteBinary(t testing.TB, tree *load.Tree, pkg, overlay, language string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "suite.test")
	if overlay == "" {
		overlay = filepath.Join(t.TempDir(), "none.json")
		if err := execute.WriteOverlay(overlay, map[string]string{}); err != nil {
			t.Fatal(err)
		}
	}
	err := execute.Test(context.Background(), execute.Build{
		Dir: tree.Dir, Package: pkg, Out: out, Overlay: overlay,
		Language: language, Module: tree.Module, Env: os.Environ(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (p *project) language() string {
	if p.program.NeedsLang || p.suite.NeedsLang {
		return "go1.21"
	}
	return ""
}

var verdict = regexp.MustCompile(`(?m)^\s*--- (PASS|FAIL|SKIP): (\S+)`)

// verdicts runs a test binary in its package's directory and lists what it
// says of each test and subtest.
func verdicts(t testing.TB, binary, dir string, args ...string) map[string]string {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"-test.v", "-test.short"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	found := map[string]string{}
	for _, m := range verdict.FindAllStringSubmatch(string(out), -1) {
		found[m[2]] = m[1]
	}
	if len(found) == 0 {
		t.Fatalf("%s: no test ran: %v\n%s", binary, err, out)
	}
	return found
}

// sameVerdicts runs the tests of a package as they are and instrumented. The
// tests that were made of examples must say what the examples say.
func (p *project) sameVerdicts(t testing.TB, pkg, dir string) {
	t.Helper()
	plain := verdicts(t, suiteBinary(t, p.tree, pkg, "", ""), dir)
	binary := suiteBinary(t, p.tree, pkg, p.overlay, p.language())
	after := verdicts(t, binary, dir, "-test.skip=^TestIsodelta_")
	measures := map[string]bool{}
	for _, test := range p.suite.Tests {
		if test.Package == pkg && test.Kind == "example" {
			// In a process of its own: examples may change global state.
			plain[test.Name] = plain[test.Source]
			maps.Copy(after, verdicts(t, binary, dir, "-test.run=^"+test.Name+"$"))
		}
		measures[test.Name] = test.Reason != ""
	}
	for _, name := range slices.Sorted(maps.Keys(plain)) {
		if top, _, _ := strings.Cut(name, "/"); measures[top] {
			continue
		}
		if plain[name] != after[name] {
			t.Errorf("%s: %s plain, %q instrumented", name, plain[name], after[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := plain[name]; !ok {
			t.Errorf("%s: runs only instrumented", name)
		}
	}
}

// usesCgo reports whether this machine's toolchain compiles files that import
// "C".
func usesCgo(t testing.TB) bool {
	t.Helper()
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	enabled, cc, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	_, err = exec.LookPath(cc)
	return enabled == "1" && err == nil
}

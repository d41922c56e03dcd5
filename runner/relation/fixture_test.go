package relation

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	injected "github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
)

// module writes the files of a txtar archive to a folder and loads them.
func module(t *testing.T, archive string) (string, *load.Tree) {
	t.Helper()
	dir := unpack(t, archive)
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return dir, tree
}

func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		writeFile(t, filepath.Join(dir, f.Name), f.Data)
	}
	return dir
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// subjects are all functions and methods of a package, generic ones with int
// or with what a table says.
func subjects(pkg *load.Package, tree *load.Tree, args map[string][]types.Type) []*Subject {
	var out []*Subject
	add := func(f *types.Func, n int) {
		a := args[f.Name()]
		for len(a) < n {
			a = append(a, types.Typ[types.Int])
		}
		if s := NewSubject(f, tree.Short(f.FullName()), a[:n]); s != nil {
			out = append(out, s)
		}
	}
	scope := pkg.Code.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			add(o, o.Type().(*types.Signature).TypeParams().Len())
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
				for m := range n.Methods() {
					add(m, n.TypeParams().Len())
				}
			}
		}
	}
	return out
}

// aliases numbers imports as the registering file of package replay does.
type aliases map[string]string

func (a aliases) qualify(path string) string {
	if a[path] == "" {
		a[path] = fmt.Sprintf("isodelta%d", len(a))
	}
	return a[path] + "."
}

// registering is a test file of the package with a registration in each line.
func registering(pkg, harness string, lines []string, a aliases) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\tisodeltaH %q\n", pkg, harness)
	for path, alias := range a {
		fmt.Fprintf(&b, "\t%s %q\n", alias, path)
	}
	b.WriteString(")\n\nfunc init() {\n")
	for _, l := range lines {
		b.WriteString("\t" + l + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// goTool runs the go command in a folder.
func goTool(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// realHarness injects what the engine injects into a module.
func realHarness(t *testing.T, dir, module string) {
	t.Helper()
	dir = filepath.Join(dir, "isodeltaprobe")
	if _, err := probe.Write(dir, probe.Size{Conditions: 1, Sites: 1, Module: module}); err != nil {
		t.Fatal(err)
	}
	if _, err := injected.Write(dir, module); err != nil {
		t.Fatal(err)
	}
}

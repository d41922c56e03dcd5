package relationtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/runner/load"
)

// Module writes the files of a txtar archive to a folder and loads them.
func Module(t testing.TB, archive string) (string, *load.Tree) {
	t.Helper()
	dir := Unpack(t, archive)
	tree, err := load.Load(t.Context(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return dir, tree
}

// Unpack writes the files of a txtar archive to a folder.
func Unpack(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		Write(t, filepath.Join(dir, f.Name), f.Data)
	}
	return dir
}

// Write writes a file, and makes its folder.
func Write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Read returns the text of a file.
func Read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Aliases numbers imports as the registering file of package surface does: path →
// alias.
type Aliases map[string]string

// Qualify returns what stands in front of the names of a package.
func (a Aliases) Qualify(path string) string {
	if a[path] == "" {
		a[path] = fmt.Sprintf("isodelta%d", len(a))
	}
	return a[path] + "."
}

// Registering is a test file of the package with a registration in each line.
func Registering(pkg, harness string, lines []string, a Aliases) string {
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

// Go runs the go command in a folder.
func Go(t testing.TB, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

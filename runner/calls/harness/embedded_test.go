package harness

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every file must be injected, lift the language of old modules, and import
// nothing that a tested module lacks.
func TestWhatIsInjectedIsWhole(t *testing.T) {
	dir := t.TempDir()
	written, err := Write(dir, "example.com/m")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, pkg := range []string{"harness", "harness/gosource", "wire"} {
		files, err := os.ReadDir(filepath.Join("..", pkg))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			n := f.Name()
			if strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go") && n != "embedded.go" && n != "doc.go" {
				want = append(want, pkg+"/"+n)
			}
		}
	}
	slices.Sort(written)
	slices.Sort(want)
	if !slices.Equal(written, want) {
		t.Errorf("written are %v, and there are %v: see embedded.go of the package", written, want)
	}
	for _, name := range written {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(b), "//go:build go1.21\n\n") && !strings.HasPrefix(string(b), "//go:build go1.21 && ") {
			t.Errorf("%s does not begin with the build constraint go1.21", name)
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, b, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range syntax.Imports {
			at, _ := strconv.Unquote(i.Path.Value)
			own, inside := strings.CutPrefix(at, "example.com/m/isodeltaprobe")
			beside := own == "" || slices.ContainsFunc(written, func(n string) bool { return "/"+path.Dir(n) == own })
			if first, _, _ := strings.Cut(at, "/"); inside && !beside || !inside && strings.Contains(first, ".") {
				t.Errorf("%s imports %s", name, at)
			}
		}
	}
}

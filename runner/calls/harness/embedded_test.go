package harness

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Every file must be injected, lift the language of old modules, and import
// nothing that a tested module lacks.
func TestWhatIsInjectedIsWhole(t *testing.T) {
	replace, err := Overlay("root", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	content := map[string]string{} // file, by name
	for at, file := range replace {
		name, ok := strings.CutPrefix(filepath.ToSlash(at), "root/src/"+probe.Path+"/")
		if !ok {
			t.Errorf("%s is not beside the probe", at)
		}
		content[name] = file
	}
	written := slices.Sorted(maps.Keys(content))
	var want []string
	for _, pkg := range []string{"harness", "harness/gosource", "harness/serving", "harness/credentials", "wire"} {
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
	slices.Sort(want)
	if !slices.Equal(written, want) {
		t.Errorf("written are %v, and there are %v: see embedded.go of the package", written, want)
	}
	for _, name := range written {
		b, err := os.ReadFile(content[name])
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
			own, inside := strings.CutPrefix(at, probe.Path)
			beside := own == "" || slices.ContainsFunc(written, func(n string) bool { return "/"+path.Dir(n) == own })
			if first, _, _ := strings.Cut(at, "/"); inside && !beside || !inside && strings.Contains(first, ".") {
				t.Errorf("%s imports %s", name, at)
			}
		}
	}
}

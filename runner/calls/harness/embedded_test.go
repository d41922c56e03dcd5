package harness

import (
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Every file must be injected, lift the language of old modules, and import
// nothing that a tested module may lack.
func TestSourceIsWhole(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := f.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "embedded.go" || name == "doc.go" {
			continue
		}
		b, err := Source.ReadFile(name)
		if err != nil {
			t.Errorf("%s is not in the list of embedded.go", name)
			continue
		}
		if !strings.HasPrefix(string(b), "//go:build go1.21\n\n") && !strings.HasPrefix(string(b), "//go:build go1.21 && ") {
			t.Errorf("%s does not begin with the build constraint go1.21", name)
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, b, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range syntax.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && path != "github.com/isodelta/isodelta/runner/probe" {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

package surface

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/version"
)

// What only one version of a dependency has in tests of other folders, and in files that tests
// read, is taken in; renamed files, documents, and what belongs to another module are not.
func TestDataOfModules(t *testing.T) {
	t.Parallel()
	lay := func(files map[string]string) string {
		root := t.TempDir()
		for name, text := range files {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return root
	}
	base := lay(map[string]string{
		"go.mod":              "module example.com/dep\n",
		"tests/valid/1.toml":  "a = 1\n",
		"tests/cases.dat":     "one\n\ntwo\n",
		"dep_test.go":         "package dep\n\nvar known = \"base\"\n",
		"other/other_test.go": "package other\n\nvar x = \"same\"\n",
	})
	head := lay(map[string]string{
		"go.mod":              "module example.com/dep\n",
		"README.md":           "no test reads it",
		"tests/valid/01.toml": "a = 1\n",
		"tests/valid/02.toml": "b = { c = 1, }\n",
		"tests/cases.dat":     "one\n\nthree\nfour\ntwo\n",
		"tests/own/go.mod":    "module example.com/own\n",
		"tests/own/data.txt":  "another module's",
		".github/tests/x.yml": "on: push",
		"dep_test.go":         "package dep\n\nvar known = \"head\"\n",
		"other/other_test.go": "package other\n\nvar x, y = \"same\", \"new\"\n",
	})
	c := newCollection()
	c.collectData(version.Both[string]{base, head}, map[string]bool{base: true, head: true})
	slices.Sort(c.texts)
	want := []string{"b = { c = 1, }\n", "b = { c = 1, }", "new", "one\n\nthree\nfour\ntwo\n", "one\n\ntwo\n", "three\nfour"}
	slices.Sort(want)
	if diff := cmp.Diff(want, c.texts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][2]string{{"toml", "b = { c = 1, }\n"}, {"02", "b = { c = 1, }\n"}, {"valid", "b = { c = 1, }\n"}}, c.kinds[2:min(len(c.kinds), 5)]); diff != "" {
		t.Error(diff)
	}
}

// The name of a file suggests a language. Extensions such as .actual do not.
func TestKindsOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"lexers/testdata/json.actual":         {"json"},
		"lexers/testdata/csharp/yield.actual": {"yield", "csharp"},
		"testdata/README.md":                  {"md", "README"},
		"examples/page.go.tmpl":               {"tmpl", "page.go"},
	} {
		if diff := cmp.Diff(want, kindsOf(name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

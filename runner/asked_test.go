package runner

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/isodelta/isodelta/runner/revision"
)

// Patterns name packages of the module that changed as they are seen from the folder where isodelta runs.
func TestWithinModule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "v3"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ pattern, prefix, module, want string }{
		{"./v2/i18n", ".", "v2", "./i18n"},
		{"./v2/...", ".", "v2", "./..."},
		{"./v2", ".", "v2", "."},
		{"./v2/", ".", "v2", "."},
		{"./v2x/i18n", ".", "v2", "./v2x/i18n"},
		{"./i18n", ".", "v2", "./i18n"},
		{"example.com/m/v2/i18n", ".", "v2", "example.com/m/v2/i18n"},
		{"./api/client/x", "go", "go/api/client", "./x"},
		{"./client/x", "go/api", "go/api", "./client/x"},
		{"./x", "go/api/x", "go/api", "./x"},
		{"./v3/i18n", ".", "v3", "./v3/i18n"}, // the module has a folder of its own name
	} {
		if got := withinModule([]string{c.pattern}, c.prefix, c.module, dir); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s in %s, for %s: %q, want %s", c.pattern, c.prefix, c.module, got, c.want)
		}
	}
}

// Packages of a nested module, asked for from the top of a repository in which other modules changed too, are that module's.
func TestModuleOf(t *testing.T) {
	t.Parallel()
	modules := []revision.Module{{Dir: "."}, {Dir: "v2"}, {Dir: "v3"}}
	for _, test := range []struct {
		patterns []string
		want     string
	}{
		{nil, ""},
		{[]string{"./v3"}, "v3"},
		{[]string{"./v3/...", "./v3/list"}, "v3"},
		{[]string{"./v2", "./v3"}, ""},
		{[]string{"./..."}, ""},
		{[]string{"example.com/v3"}, ""},
	} {
		m, all := moduleOf(modules, test.patterns)
		if all != (test.want != "") || all && m.Dir != test.want {
			t.Errorf("%q: %q, %v", test.patterns, m.Dir, all)
		}
	}
}

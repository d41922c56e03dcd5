package gomod

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Modules are upgraded whose version differs, or what replaces them; what comes or goes is not.
func TestUpgraded(t *testing.T) {
	t.Parallel()
	folder := func(text string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	const base = "module example.com/m\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.0.0\n\texample.com/gone v1.0.0\n)\n"
	const head = "module example.com/m\n\nrequire (\n\texample.com/a v1.1.0\n\texample.com/b v1.0.0 // indirect\n\texample.com/new v1.0.0\n)\n"
	for _, c := range []struct {
		name, base, head string
		want             []string
	}{
		{"another version", base, head, []string{"example.com/a"}},
		{"the same", base, base, nil},
		{"replaced", base, base + "replace example.com/b => ../b\n", []string{"example.com/b"}},
		{"replaced in another version", base, base + "replace example.com/b v1.2.0 => ../b\n", nil},
		{"of a module that nothing requires", base, base + "replace example.com/c => ../c\n", nil},
		{"no go.mod", base, "module", nil},
	} {
		if got := slices.Sorted(maps.Keys(Upgraded(folder(c.base), folder(c.head)))); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := Upgraded(folder(base), t.TempDir()); len(got) > 0 {
		t.Errorf("of a folder without go.mod: %v", got)
	}
}

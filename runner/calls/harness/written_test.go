package harness

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What is told of folders are their files, in an order of their own, and a test that makes the same folders
// finds them under the same names.
func TestWritten(t *testing.T) {
	m := NewMachine(newRegistry())
	t.Setenv("TMPDIR", t.TempDir())
	if got := written(); len(got) != 0 {
		t.Errorf("without folders there are %q", got)
	}
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	l := wire.Lit{Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int}, text("b/c"), text("1"), text("a"), text("")}}
	for range 2 {
		v, err := m.Build(l, reflect.TypeFor[string]())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(v.String(), "d"), []byte("2"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := written(), []string{"001/", "001/a: ", "001/b/", "001/b/c: 1", "001/d: 2", "002/", "002/a: ", "002/b/", "002/b/c: 1", "002/d: 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	m.RemoveFoldersFrom(1)
	if got, want := written(), []string{"001/", "001/a: ", "001/b/", "001/b/c: 1", "001/d: 2"}; !slices.Equal(got, want) {
		t.Errorf("without the second: %q, want %q", got, want)
	}
	// Permissions are told where they are others than files and folders have as a rule, and are not left to the umask.
	for name, perm := range map[string]os.FileMode{"a": 0o600, "d": 0o755, "b": 0o700, "b/c": 0o664} {
		if err := os.Chmod(filepath.Join(folderAt(1), name), perm); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := written(), []string{"001/", "001/a -rw-------: ", "001/b/ -rwx------", "001/b/c: 1", "001/d -rwxr-xr-x: 2"}; !slices.Equal(got, want) {
		t.Errorf("with other permissions: %q, want %q", got, want)
	}
}

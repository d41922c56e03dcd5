package execute_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/isodelta/isodelta/runner/execute"
)

// A directory is made anew as it was, and is whole although one within it was copied first.
func TestPristine(t *testing.T) {
	t.Parallel()
	folder, dir := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("a", "1")
	write("inner/b", "2")
	if _, err := execute.Pristine(folder, filepath.Join(dir, "inner")); err != nil {
		t.Fatal(err)
	}
	copied, err := execute.Pristine(folder, dir)
	if err != nil {
		t.Fatal(err)
	}
	write("a", "changed")
	write("left", "behind")
	if again, err := execute.Pristine(folder, dir); again != copied || err != nil {
		t.Errorf("another copy, %s: %v", again, err)
	}
	if err := execute.Renew(dir, copied); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "1", "inner/b": "2"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "left")); !os.IsNotExist(err) {
		t.Errorf("what was left behind: %v", err)
	}
}

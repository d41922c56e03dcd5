package build

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A binary that is kept is where the next run looks for it, and what that run does to its
// own does nothing to it; those used longest ago go first.
func TestLinked(t *testing.T) {
	t.Parallel()
	l := linked{t.TempDir()}
	run := t.TempDir()
	out := filepath.Join(run, "a.test")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			return "none"
		}
		return string(b)
	}
	a, b := l.file("m", "a"), l.file("m", "b")
	l.restore(a, out)
	if got := read(out); got != "none" {
		t.Errorf("there is %s before anything was kept", got)
	}
	write(out, "first")
	l.keep(out, a)
	os.Remove(out) // as the go command does
	write(out, "second")
	if got := read(a); got != "first" {
		t.Errorf("kept is %s, want first", got)
	}
	l.restore(a, out)
	if got := read(out); got != "first" {
		t.Errorf("restored is %s, want first", got)
	}
	l.keep(out, a) // the same again
	write(out+"b", "other")
	l.keep(out+"b", b)
	if err := os.Chtimes(a, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	l.prune(10)
	if x, y := read(a), read(b); x != "first" || y != "other" {
		t.Errorf("within the bound %s and %s are left", x, y)
	}
	l.prune(9)
	if x, y := read(a), read(b); x != "none" || y != "other" {
		t.Errorf("beyond the bound %s and %s are left", x, y)
	}
	linked{}.keep(out, linked{}.file("m", "a")) // no folder, nothing to do
	linked{}.restore(out, out)
	if got := read(out); got != "first" {
		t.Errorf("without a folder the binary is %s", got)
	}
}

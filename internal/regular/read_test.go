//go:build unix

package regular_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/regular"
)

func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.WriteFile(in("file"), []byte("text"), 0o600),
		os.Symlink("file", in("link")), os.Symlink("/dev/zero", in("zero")),
		syscall.Mkfifo(in("pipe"), 0o600), os.Mkdir(in("folder"), 0o700),
	); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"file": "", "link": "symbolic links", "zero": "symbolic links", "pipe": "no regular file", "folder": "no regular file", "none": "no such file",
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			text, err := regular.ReadFile(in(name), 4)
			switch {
			case want == "" && (err != nil || string(text) != "text"):
				t.Errorf("%s: %q, %v", name, text, err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s: %v, want … %s …", name, err, want)
			}
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("%s: still waiting", name)
		}
	}
	if _, err := regular.ReadFile(in("file"), 3); err == nil || !strings.Contains(err.Error(), "larger than 3 bytes") {
		t.Error(err)
	}
}

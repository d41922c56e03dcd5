package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFolder: a pull request can put anything under the name of the file. Only
// a regular file below the top is read, and nothing makes it wait.
func TestFolder(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	for _, err := range []error{
		os.WriteFile(outside, []byte("token"), 0o644),
		os.WriteFile(filepath.Join(top, "file"), []byte("seed: 2\n"), 0o644),
		os.Symlink(outside, filepath.Join(top, "out")),
		os.Symlink("file", filepath.Join(top, "in")),
		os.Symlink(filepath.Dir(outside), filepath.Join(top, "away")),
		os.Symlink("/dev/zero", filepath.Join(top, "zero")),
		os.Mkdir(filepath.Join(top, "folder"), 0o755),
		syscall.Mkfifo(filepath.Join(top, "pipe"), 0o644),
		os.WriteFile(filepath.Join(top, "large"), make([]byte, MaxSize+100), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	read := Folder(top)
	if data, err := read("file"); err != nil || string(data) != "seed: 2\n" {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := read("large"); err != nil || len(data) != MaxSize+1 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	for name, missing := range map[string]bool{
		"out": false, "in": false, "zero": false, "folder": false, "pipe": false, "away/secret": false, "../" + filepath.Base(filepath.Dir(outside)) + "/secret": false,
		"none": true, "none/file": true, "file/x": true,
	} {
		done := make(chan error, 1)
		go func() {
			data, err := read(name)
			if err == nil {
				t.Errorf("%s: %q", name, data)
			}
			done <- err
		}()
		select {
		case err := <-done:
			if errors.Is(err, fs.ErrNotExist) != missing || err != nil && strings.Contains(err.Error(), "token") {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s makes it wait", name)
		}
	}
	for _, name := range []string{"pipe", "folder"} {
		if _, err := LoadFile(filepath.Join(top, name)); err == nil {
			t.Errorf("%s is read by name", name)
		}
	}
}

package gomod

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fetched module has its tests. The error for a missing version names it.
func TestWhole(t *testing.T) {
	t.Parallel()
	proxy, cache := t.TempDir(), t.TempDir()
	dir := filepath.Join(proxy, "example.com", "lib", "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "v1.0.0.zip"))
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, text := range map[string]string{"go.mod": "module example.com/lib\n", "testdata/a.json": "{}", "lib_test.go": "package lib\n"} {
		file, err := w.Create("example.com/lib@v1.0.0/" + name)
		if err == nil {
			_, err = file.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": "module example.com/lib\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy), "GOSUMDB=off", "GOMODCACHE="+cache, "GOFLAGS=-mod=vendor")
	folder, err := Whole(t.Context(), t.TempDir(), "example.com/lib", "v1.0.0", env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // the go command leaves folders that cannot be written to
		_ = filepath.WalkDir(cache, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(path, 0o755)
			}
			return err
		})
	})
	for _, name := range []string{"lib_test.go", "testdata/a.json"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := Whole(t.Context(), t.TempDir(), "example.com/lib", "v1.1.0", env); err == nil || !strings.Contains(err.Error(), "fetch example.com/lib v1.1.0: ") {
		t.Errorf("one that is not there: %v", err)
	}
}

package command

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/report/event"
)

// TestOutputFiles: a file is replaced as a whole, behind a link, too, and what is no file, as /dev/null, is written to and stays
// what it is. Whoever is root could replace it.
func TestOutputFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "out.md"), filepath.Join(dir, "link.md")
	write := func(name string) {
		t.Helper()
		list := []output{{format: "markdown", file: name}}
		if err := checkOutputs(list); err != nil {
			t.Fatal(err)
		}
		if err := writeOutputs(list, &event.Stream{}, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	write(file)
	want, err := os.ReadFile(file)
	if err != nil || len(want) == 0 {
		t.Fatalf("%d bytes, %v", len(want), err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("links and pipes need rights here")
	}
	if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("out.md", link); err != nil {
		t.Fatal(err)
	}
	write(link)
	if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
		t.Errorf("behind the link is %q, %v", got, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link is replaced: %v, %v", info.Mode(), err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var read []byte
	var g errgroup.Group
	g.Go(func() (err error) { read, err = io.ReadAll(r); return err })
	name := "/dev/fd/" + strconv.Itoa(int(w.Fd()))
	if _, err := os.Stat(name); err != nil {
		w.Close()
		t.Skip("no /dev/fd here")
	}
	write(name)
	w.Close()
	if err := g.Wait(); err != nil || string(read) != string(want) {
		t.Errorf("through a pipe %q, %v", read, err)
	}
}

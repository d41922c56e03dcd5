//go:build unix

package scratch_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/scratch"
)

// TestMain makes the test binary a run that has a folder and waits.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "hold" {
		f, err := scratch.Make(os.Args[2])
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(f.Path())
		time.Sleep(time.Minute)
	}
	os.Exit(m.Run())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// hold starts another run in parent and gives its folder.
func hold(t *testing.T, parent string) (path string, kill func()) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "hold", parent)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !exists(strings.TrimSpace(line)) {
		t.Fatalf("%q, %v", line, err)
	}
	kill = func() { cmd.Process.Kill(); cmd.Wait() }
	t.Cleanup(kill)
	return strings.TrimSpace(line), kill
}

// Two runs at a time leave each other alone; what a killed one leaves goes with
// the next.
func TestMakeAfterKill(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	killed, kill := hold(t, parent)
	living, _ := hold(t, parent)
	left := filepath.Join(killed, "base")
	if err := os.MkdirAll(filepath.Join(left, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	mine, err := scratch.Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	if !exists(killed) || !exists(living) {
		t.Fatal("the folder of a living run is gone")
	}
	kill()
	second, err := scratch.Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	if exists(left) || !exists(living) || !exists(mine.Path()) || !exists(second.Path()) {
		t.Errorf("left %v, living %v, own %v %v", exists(left), exists(living), exists(mine.Path()), exists(second.Path()))
	}
	if second.Path() != killed {
		t.Errorf("%s is free and %s is used: what was compiled there is compiled again", killed, second.Path())
	}
	mine.Close()
	second.Close()
	if exists(mine.Path()) || exists(second.Path()) || !exists(living) {
		t.Error("after Close")
	}
}

// What only looks alike stays.
func TestMakeLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	parent, elsewhere := t.TempDir(), t.TempDir()
	in := func(name ...string) string { return filepath.Join(append([]string{parent}, name...)...) }
	const lock = ".isodelta-lock"
	err := errors.Join(
		os.Mkdir(in("isodelta-1"), 0o755), // no lock
		os.Mkdir(in("isodelta-2"), 0o755), os.Symlink("/dev/null", in("isodelta-2", lock)),
		os.Mkdir(in("isodelta-3"), 0o755), syscall.Mkfifo(in("isodelta-3", lock), 0o600),
		os.Mkdir(in("isodelta-tool-x"), 0o755), os.WriteFile(in("isodelta-tool-x", lock), nil, 0o600),
		os.Mkdir(in("isodelta"), 0o755), os.WriteFile(in("isodelta", lock), nil, 0o600),
		os.WriteFile(filepath.Join(elsewhere, lock), nil, 0o600), os.Symlink(elsewhere, in("isodelta-4")),
		os.WriteFile(in("isodelta-5"), nil, 0o600),
		os.Mkdir(in("isodelta-6"), 0o755), os.WriteFile(in("isodelta-6", lock), nil, 0o600), // left
	)
	if err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		err = errors.Join(os.Mkdir(in("isodelta-7"), 0o755), os.WriteFile(in("isodelta-7", lock), nil, 0o600), os.Chown(in("isodelta-7"), 65534, 65534),
			os.Mkdir(in("isodelta-8"), 0o755), os.WriteFile(in("isodelta-8", lock), nil, 0o600), os.Chown(in("isodelta-8", lock), 65534, 65534))
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := scratch.Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, name := range []string{"isodelta-1", "isodelta-2", "isodelta-3", "isodelta-tool-x", "isodelta", "isodelta-4", "isodelta-5"} {
		if !exists(in(name)) {
			t.Errorf("%s is gone", name)
		}
	}
	if os.Geteuid() == 0 && (!exists(in("isodelta-7")) || !exists(in("isodelta-8"))) {
		t.Error("what belongs to another user is gone")
	}
	if exists(in("isodelta-6")) {
		t.Error("what was left is still there")
	}
	if !exists(filepath.Join(elsewhere, lock)) {
		t.Error("a link was followed")
	}
}

// A run finds the names of the one before, and where all are taken another name.
func TestMakeSameName(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	var paths []string
	for range 2 {
		f, err := scratch.Make(parent)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, f.Path())
		f.Close()
	}
	if paths[0] != paths[1] {
		t.Errorf("one after the other: %v", paths)
	}
	for n := range 200 {
		if err := os.Mkdir(filepath.Join(parent, fmt.Sprint("isodelta-", n)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	f, err := scratch.Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if filepath.Dir(f.Path()) != filepath.Dir(paths[0]) || !exists(f.Path()) {
		t.Errorf("with all names taken: %s", f.Path())
	}
}

func TestMakeNowhere(t *testing.T) {
	t.Parallel()
	if _, err := scratch.Make(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Error(err)
	}
}

// What tests leave is removed, whatever its permissions, and nothing that links
// in it lead to is touched.
func TestRemoveAll(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside")
	dir := filepath.Join(t.TempDir(), "dir")
	deep := filepath.Join(dir, "a", "b")
	if err := errors.Join(os.Mkdir(outside, 0o755), os.MkdirAll(deep, 0o700), os.Symlink(outside, filepath.Join(deep, "link")),
		syscall.Mkfifo(filepath.Join(deep, "pipe"), 0), os.Chmod(outside, 0o555), os.Chmod(deep, 0), os.Chmod(filepath.Dir(deep), 0), os.Chmod(dir, 0)); err != nil {
		t.Fatal(err)
	}
	scratch.RemoveAll(dir)
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", dir, err)
	}
	if info, err := os.Stat(outside); err != nil || info.Mode().Perm() != 0o555 {
		t.Errorf("outside: %v, %v", info, err)
	}
}

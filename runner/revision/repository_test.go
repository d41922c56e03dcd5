package revision

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain returns git and this package an empty home, so that the configuration
// of whoever runs the tests changes nothing.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		panic(err)
	}
	// The go command would look for its cache in that home, and fill it anew.
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		panic(err)
	}
	for _, setting := range []string{
		"GOCACHE=" + strings.TrimSpace(string(cache)),
		"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Author", "GIT_AUTHOR_EMAIL=author@example.com",
		"GIT_COMMITTER_NAME=Author", "GIT_COMMITTER_EMAIL=author@example.com",
		"GIT_ALLOW_PROTOCOL=file", "LC_ALL=C.UTF-8",
	} {
		key, value, _ := strings.Cut(setting, "=")
		os.Setenv(key, value)
	}
	for _, key := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL"} {
		os.Unsetenv(key)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// fixture is a real repository made with git.
type fixture struct {
	t   *testing.T
	dir string
	now int // seconds; commits get increasing dates
}

// newRepo makes a repository with the branch main; args go to git init.
func newRepo(t *testing.T, args ...string) *fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, dir: dir, now: 1_700_000_000}
	f.git(append([]string{"init", "--quiet", "--initial-branch=main"}, args...)...)
	return f
}

func (f *fixture) git(args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = f.dir
	date := fmt.Sprintf("%d +0000", f.now)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// write makes or replaces a file of the working tree.
func (f *fixture) write(name, content string) {
	f.t.Helper()
	file := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) remove(name string) {
	f.t.Helper()
	if err := os.RemoveAll(filepath.Join(f.dir, filepath.FromSlash(name))); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) symlink(target, name string) {
	f.t.Helper()
	file := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Symlink(target, file); err != nil {
		f.t.Fatal(err)
	}
}

// commit commits everything that is not ignored, and returns the hash.
func (f *fixture) commit(message string) string {
	f.t.Helper()
	f.git("add", "--all")
	f.now += 60
	f.git("commit", "--quiet", "--allow-empty", "-m", message)
	return f.git("rev-parse", "HEAD")
}

// clone makes a clone of f over the file protocol.
func (f *fixture) clone(args ...string) *fixture {
	f.t.Helper()
	dir, err := filepath.EvalSymlinks(f.t.TempDir())
	if err != nil {
		f.t.Fatal(err)
	}
	c := &fixture{t: f.t, dir: filepath.Join(dir, "clone"), now: f.now}
	f.git(append(append([]string{"clone", "--quiet"}, args...), "file://"+f.dir, c.dir)...)
	return c
}

func open(t *testing.T, dir string) *Repository {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func resolve(t *testing.T, r *Repository, args ...string) Range {
	t.Helper()
	got, err := r.Resolve(t.Context(), args)
	if err != nil {
		t.Fatalf("resolving %q: %v", args, err)
	}
	return got
}

// layOut materialises v and returns the directory and the notes.
func layOut(t *testing.T, r *Repository, v Version) (string, []string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	notes, err := r.Materialise(t.Context(), v, dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, notes
}

// snapshot describes every file below root: kind, permissions, time, content.
func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(file)
		if err != nil {
			return err
		}
		content := ""
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			content, err = os.Readlink(file)
		case info.Mode().IsRegular():
			var all []byte
			all, err = os.ReadFile(file)
			content = fmt.Sprintf("%x", sha256.Sum256(all))
		}
		found[file] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// contents maps the slash paths of a tree to contents; "-> target" for links, and
// with a leading "x " for executable files.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	files, err := list(root)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for name, kind := range files {
		file := below(root, name)
		if kind&fs.ModeSymlink != 0 {
			target, err := os.Readlink(file)
			if err != nil {
				t.Fatal(err)
			}
			found[name] = "-> " + target
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = string(content)
		if info.Mode()&0o100 != 0 {
			found[name] = "x " + found[name]
		}
	}
	return found
}

func hasNote(notes []string, parts ...string) bool {
	return slices.ContainsFunc(notes, func(note string) bool {
		for _, part := range parts {
			if !strings.Contains(note, part) {
				return false
			}
		}
		return true
	})
}

package revision

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// unpack writes a txtar archive below a new folder.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = string(f.Data)
	}
	plant(t, dir, files)
	return dir
}

const suiteTree = `
The suite's tree: its test asks every kind of file of the code what it says.
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import _ "embed"

//go:embed text
var Text string

func F() string { return "base" }
-- text --
base
-- gone.go --
package m

func init() { panic("must be gone") }
-- m_test.go --
package m

import (
	"os"
	"testing"

	"example.com/m/sub"
)

func Test(t *testing.T) {
	data, err := os.ReadFile("testdata/input")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("F=%s text=%s data=%s sub=%s", F(), Text, data, sub.Name)
}
-- testdata/input --
base
-- sub/sub.go --
package sub

const Name = "base"
-- turned --
a file here, a folder there
`

const versionTree = `
The other version: code, embedded files, packages and the module file differ. Its
tests and testdata must not be seen.
-- go.mod --
module example.com/m

go 1.22

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.20
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

const Name = "dep"
-- m.go --
package m

import _ "embed"

//go:embed text
var Text string

func F() string { return "head" }
-- text --
head
-- m_test.go --
package m

import "testing"

func Test(t *testing.T) { t.Fatal("the version's own test") }
-- testdata/input --
head
-- sub/renamed.go --
package sub

import "example.com/dep"

const Name = "head with " + dep.Name
-- turned/t.go --
package turned
`

func TestOverlayMap(t *testing.T) {
	t.Parallel()
	suite, version := unpack(t, suiteTree), unpack(t, versionTree)
	got, err := Overlay(suite, version)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, name := range []string{"go.mod", "vendor/modules.txt", "vendor/example.com/dep/dep.go", "m.go", "text", "sub/renamed.go", "turned/t.go"} {
		want[below(suite, name)] = below(version, name)
	}
	for _, name := range []string{"gone.go", "sub/sub.go", "turned"} {
		want[below(suite, name)] = ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("overlay (-want +got):\n%s", diff)
	}
	if same, err := Overlay(suite, suite); err != nil || len(same) != 0 {
		t.Errorf("a tree over itself: %v %v", same, err)
	}
}

// The map does what it is for: the suite's own test and testdata, at the suite's
// path, with the other version's code, embedded file, vendored dependency and
// module file.
func TestOverlayBuilds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a test binary")
	}
	suite, version := unpack(t, suiteTree), unpack(t, versionTree)
	replace, err := Overlay(suite, version)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	past := PastOverlay(replace)
	if want := []string{below(suite, "vendor/modules.txt")}; !slices.Equal(past, want) {
		t.Fatalf("files that the go command reads past the overlay: %q, want %q", past, want)
	}
	for _, name := range past {
		content, err := os.ReadFile(replace[name])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := snapshot(t, suite)
	cmd := exec.Command("go", "test", "-v", "-vet=off", "-overlay", file, "./...")
	cmd.Dir = suite
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go test: %v\n%s", err, out)
	}
	for _, part := range []string{"F=head", "text=head", "data=base", "sub=head with dep"} {
		if !strings.Contains(string(out), part) {
			t.Errorf("the test's output lacks %q:\n%s", part, out)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, suite)); diff != "" {
		t.Errorf("the tree changed:\n%s", diff)
	}
}

// Links count by the file they lead to; links to nothing and to folders do not.
func TestOverlayLinks(t *testing.T) {
	t.Parallel()
	suite, version := t.TempDir(), t.TempDir()
	plant(t, suite, map[string]string{"a.go": "package a\n", "b.go": "package a\n", "dir/x.go": "package x\n"})
	plant(t, version, map[string]string{"a.go": "package a\n", "c.txt": "package a // other\n", "dir/x.go": "package x\n"})
	for link, target := range map[string]string{"b.go": "c.txt", "same.go": "a.go", "void.go": "nothing", "folder": "dir"} {
		if err := os.Symlink(target, below(version, link)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Overlay(suite, version)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, name := range []string{"b.go", "c.txt", "same.go"} {
		want[below(suite, name)] = below(version, name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("overlay (-want +got):\n%s", diff)
	}
}

// Read through its overlay a suite's tree has exactly the version's code and the
// suite's own tests, whatever the two trees are.
func TestOverlayIsTheVersion(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	name := rapid.SampledFrom([]string{"a.go", "b.go", "a_test.go", "sub/a.go", "sub/a_test.go", "testdata/a.go", "sub/testdata/x/y", "vendor/v/v.go", "go.mod"})
	tree := rapid.MapOf(name, rapid.SampledFrom([]string{"", "one", "two"}))
	rapid.Check(t, func(rt *rapid.T) {
		suite, version := tree.Draw(rt, "suite"), tree.Draw(rt, "version")
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			rt.Fatal(err)
		}
		s, v := filepath.Join(dir, "s"), filepath.Join(dir, "v")
		plant(rt, s, suite)
		plant(rt, v, version)
		for _, d := range []string{s, v} {
			if err := os.MkdirAll(d, 0o755); err != nil {
				rt.Fatal(err)
			}
		}
		replace, err := Overlay(s, v)
		if err != nil {
			rt.Fatal(err)
		}
		got := map[string]string{}
		for name, content := range suite {
			got[name] = content
		}
		for to, from := range replace {
			rel, err := filepath.Rel(s, to)
			if err != nil {
				rt.Fatal(err)
			}
			rel = filepath.ToSlash(rel)
			if from == "" {
				delete(got, rel)
				continue
			}
			content, err := os.ReadFile(from)
			if err != nil {
				rt.Fatal(err)
			}
			if own, ok := got[rel]; ok && own == string(content) {
				rt.Fatalf("%s is replaced by what it is", rel)
			}
			got[rel] = string(content)
		}
		want := map[string]string{}
		for _, side := range []struct {
			tree  map[string]string
			tests bool
		}{{suite, true}, {version, false}} {
			for name, content := range side.tree {
				if (isTest(name) || inTestdata(name)) == side.tests {
					want[name] = content
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("through the overlay (-want +got):\n%s", diff)
		}
	})
}

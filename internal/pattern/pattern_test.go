package pattern

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const module = "example.com/m"

// folders of the module that is laid out for go list.
func folders() []string {
	return []string{
		".", "a", "a/b", "a/gen", "a/q/b/c", "a/b/c", "ab", "gen", "cmd", "cmd/api", "cmd/api/v1", "cmd/apiserver",
		"internal", "internal/a/gen", "internal/gen", "internal/x/gen/y", "generated", "x/generated", "x/generated2",
		"testdata/t", "a/testdata/t", "a/testdata/t/u", "_old/o", "a/_old", "a/.dot", "vendored", "lib/vendor", "lib/vendor/v", "lib/vendor/v/w",
	}
}

// TestAsGoList holds every pattern against what go list makes of it, in a module
// with a package in each folder.
func TestAsGoList(t *testing.T) {
	t.Parallel()
	dir := layOut(t)
	var packages []string
	for _, f := range folders() {
		packages = append(packages, strings.TrimSuffix(module+"/"+f, "/."))
	}
	named := 0
	for _, text := range []string{
		".", "./", "./.", "./...", "...", module, module + "/...", module + "/", "all",
		"./a", "./a/", "./a/...", "./a...", "./a/b/...", "./a/.../c", "./a/.../b/...", "./...b", "./.../b", "./.../...",
		"./internal/...", "./internal/.../gen", "./internal/.../gen/...", ".../gen", ".../gen/...", "./.../gen", "./.../generated", "./.../generated...",
		"./cmd/api...", "./cmd/api/...", "./cmd/api", "./cmd/ap...er", "./a/../gen", "./cmd/./api",
		module + "/a/b", module + "/.../b", module + "/cmd/api...", "example.com/...", "example.com...", ".../m/...", "example.com/m...",
		"./testdata/...", "./testdata/t", "./testdata/t/...", "./a/testdata/...", "./a/testdata/t/...", "./_old/...", "./_old/o/...", "./a/_old", module + "/testdata/...", module + "/a/testdata/t/...",
		"./lib/...", "./lib/vendor", "./lib/vendor/...", "./lib/ven.../v", "./.../vendor/...", "./lib/vendor/v", "./.../v", "./vendor...", module + "/lib/...",
	} {
		want := goList(t, dir, text)
		var got []string
		for _, p := range packages {
			if Parse(text, module).Match(p) {
				got = append(got, p)
			}
		}
		slices.Sort(got)
		named += len(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-go list +ours):\n%s", text, diff)
		}
	}
	if named < 100 {
		t.Errorf("go list named %d packages in all; does it run?", named)
	}
}

// layOut writes the module and returns its folder.
func layOut(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module "+module+"\n\ngo 1.24\n")
	for _, f := range folders() {
		write(f+"/p.go", "package p\n")
	}
	return dir
}

// goList asks the go command, for packages of the module alone.
func goList(t *testing.T, dir, text string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-f", "{{if not .Error}}{{.ImportPath}}{{end}}", text)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GO111MODULE=on", "GOPROXY=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", text, err)
	}
	var names []string
	for name := range strings.FieldsSeq(string(out)) {
		if name == module || strings.HasPrefix(name, module+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestWildcards: a wildcard is what a regular expression would make of it.
func TestWildcards(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"a", "b", "/", wildcard, "ab", ".", "vendor/", "vendor"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 7).Draw(t, "pattern"), "")
		if strings.Contains(text, "....") || strings.HasPrefix(text, ".") || clean(text) != text {
			t.Skip()
		}
		name := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/", "ab", "vendor/", "vendor"}), 1, 7).Draw(t, "package"), "")
		if want := expression(text).MatchString(replaceVendor(name)); Parse(text, module).Match(name) != want {
			t.Fatalf("%q names %q: %t, want %t", text, name, !want, want)
		}
	})
}

// expression is what the go command compiles of a pattern.
func expression(text string) *regexp.Regexp {
	re := regexp.QuoteMeta(replaceVendor(text))
	if before, ok := strings.CutSuffix(re, `/`+vendored+`/\.\.\.`); ok {
		re = before + `(/vendor|/` + vendored + `/\.\.\.)`
	}
	if before, ok := strings.CutSuffix(re, `/\.\.\.`); ok {
		re = before + `(/\.\.\.)?`
	}
	return regexp.MustCompile(`^` + strings.ReplaceAll(re, `\.\.\.`, `[^`+vendored+`]*`) + `$`)
}

func TestNoModule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"./...": false, ".": false, "./a": false, "...": true, "m/a": true, "m/...": true} {
		if got := Parse(text, "").Match("m/a"); got != want {
			t.Errorf("%s names m/a: %t", text, got)
		}
	}
}

func TestLeaves(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"./...": false, "../x": true, "./../x": true, "./a/../../x": true, "/x": true, "..": true, "...": false, ".../gen": false, "./a/../b": false} {
		if Leaves(text) != want {
			t.Errorf("%s leaves the module: %t", text, !want)
		}
	}
}

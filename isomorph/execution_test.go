package isomorph

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/cover"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/internal/longtest"
)

// The part of a program that Reach holds a test able to execute must contain
// all that it does execute, as coverage of real packages' real tests shows.
func TestReachHoldsWhatIsExecuted(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs tests of packages of the distribution")
	}
	t.Parallel()
	for _, path := range []string{"text/tabwriter", "container/list", "text/template/parse"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if path != "container/list" {
				longtest.Skip(t, "builds and runs all tests of a package, one by one")
			}
			root := copyOfDistribution(t, path)
			r, err := Match(t.Context(), loadTree(t, root), loadTree(t, root), Options{})
			if err != nil {
				t.Fatal(err)
			}
			reach := r.Head.Reach(nil, "head")
			binary := filepath.Join(t.TempDir(), "t.test")
			run(t, root, "go", "test", "-c", "-vet=off", "-cover", "-o", binary, ".")
			const maxNames = 15
			names := testNames(r.Head.tree.Packages[0])
			checked := 0
			for _, name := range names[:min(maxNames, len(names))] {
				profile := filepath.Join(t.TempDir(), "profile")
				run(t, root, binary, "-test.run=^"+name+"$", "-test.coverprofile="+profile)
				view := reach.test("example.com/m", name)
				for _, f := range executed(t, r.Head, profile) {
					checked++
					if b := reach.g.at[f.span.Place]; !view.part[b.id] {
						t.Errorf("%s executes %s, which the graph excludes", name, f.name)
					}
				}
			}
			if checked == 0 {
				t.Error("no function was executed")
			}
			t.Logf("%d tests, %d functions executed in them", len(names), checked)
		})
	}
}

// copyOfDistribution makes a module of a package with its tests.
func copyOfDistribution(t *testing.T, path string) string {
	t.Helper()
	dir := t.TempDir()
	var files []txtar.File
	for name, text := range distributionPackage(t, path) {
		files = append(files, txtar.File{Name: "both/" + name, Data: []byte(text)})
	}
	for name, text := range distributionTests(t, path) {
		text = strings.ReplaceAll(text, `"`+path+`"`, `"example.com/m"`)
		files = append(files, txtar.File{Name: "both/" + name, Data: []byte(text)})
	}
	layOut(t, dir, files)
	return filepath.Join(dir, "head")
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// executed lists the functions in which a profile counts a block.
func executed(t *testing.T, p *Program, profile string) []*function {
	t.Helper()
	profiles, err := cover.ParseProfiles(profile)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*function{}
	for _, file := range profiles {
		name := strings.TrimPrefix(file.FileName, "example.com/m/")
		for _, block := range file.Blocks {
			for _, f := range p.functions {
				if block.Count > 0 && f.span != nil && f.span.File == name && f.span.Line <= block.StartLine && block.StartLine <= f.span.EndLine {
					found[f.key] = f
				}
			}
		}
	}
	return slices.Collect(maps.Values(found))
}

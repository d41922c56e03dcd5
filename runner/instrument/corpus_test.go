package instrument

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// corpus are packages of the Go distribution that need nothing internal, at
// least without the test files left out here.
var corpus = []struct {
	path string
	skip []string // test files that need internal packages
}{
	{"text/tabwriter", nil},
	{"encoding/csv", nil},
	{"encoding/hex", nil},
	{"encoding/ascii85", nil},
	{"encoding/base32", nil},
	{"encoding/json", nil},
	{"encoding/xml", nil},
	{"path", nil},
	{"html", nil},
	{"container/list", nil},
	{"container/heap", nil},
	{"text/scanner", nil},
	{"compress/lzw", nil},
	{"compress/bzip2", nil},
	{"regexp", nil},
	{"regexp/syntax", nil},
	{"text/template/parse", nil},
	{"index/suffixarray", nil},
	{"go/scanner", nil},
	{"go/token", nil},
	{"sort", nil},
	{"net/mail", nil},
	{"net/textproto", nil},
	{"mime", nil},
	{"archive/tar", nil},
	{"image/draw", nil},
	{"math/cmplx", nil},
	{"strings", nil},
	{"bufio", nil},
	{"text/template", nil},
	{"go/printer", nil},
	{"go/constant", nil},
	{"expvar", nil},
	{"log/slog", nil},
}

// TestCorpus instruments packages of the Go distribution, copied into a module
// of their own, and wants their suites to say the same as before.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages of the Go distribution twice each")
	}
	root := goroot(t)
	for _, c := range corpus {
		t.Run(c.path, func(t *testing.T) {
			files := map[string]string{"go.mod": "module example.com/corpus\n\ngo 1.26\n"}
			copyPackage(t, files, filepath.Join(root, "src", filepath.FromSlash(c.path)), c.path, c.skip)
			tree := loadTree(t, writeFiles(t, files))
			p := instrumented(t, tree, Config{}, nil)
			for _, pkg := range tree.Packages {
				if pkg.Test == nil && pkg.XTest == nil {
					t.Fatalf("%s: tests do not load", pkg.Path)
				}
				p.sameVerdicts(t, pkg.Path, pkg.Dir)
			}
			t.Logf("%d conditions, %d arms, %d sites, %d tests; skipped: %v",
				len(p.program.Conditions), len(p.program.Arms), len(p.suite.Sites), len(p.suite.Tests), p.suite.Skipped)
		})
	}
}

func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// copyPackage takes a package with its tests and testdata, without what needs
// internal packages.
func copyPackage(t testing.TB, files map[string]string, dir, path string, skip []string) {
	t.Helper()
	base := path[strings.LastIndex(path, "/")+1:]
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if d.IsDir() {
			if rel != "." && rel != "testdata" && !strings.HasPrefix(rel, "testdata"+string(filepath.Separator)) {
				return filepath.SkipDir
			}
			return nil
		}
		for _, s := range skip {
			if rel == s {
				return nil
			}
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text := string(b)
		if filepath.Ext(rel) == ".go" && filepath.Dir(rel) == "." {
			if strings.Contains(text, "\"internal/") {
				if isTestFile(rel) {
					return nil
				}
				text = withoutInternal(text)
			}
			text = strings.ReplaceAll(text, "\""+path+"\"", "\"example.com/corpus/"+base+"\"")
		}
		files[base+"/"+filepath.ToSlash(rel)] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// withoutInternal stands in for the few internal names that are easy to do
// without.
func withoutInternal(text string) string { return text }

package instrument

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// corpus are packages of the Go distribution that need nothing internal, once
// the test files left out here are gone.
var corpus = []struct {
	path  string
	quick bool     // also without -all
	skip  []string // test files that need others that import internal packages
}{
	{"text/tabwriter", true, nil},
	{"encoding/csv", true, nil},
	{"encoding/hex", false, nil},
	{"encoding/ascii85", false, nil},
	{"encoding/base32", false, nil},
	{"encoding/json", false, nil},
	{"encoding/xml", false, nil},
	{"path", true, nil},
	{"html", false, nil},
	{"container/list", false, nil},
	{"text/scanner", false, nil},
	{"compress/lzw", true, nil},
	{"regexp", false, []string{"exec2_test.go"}},
	{"regexp/syntax", false, nil},
	{"text/template/parse", true, nil},
	{"index/suffixarray", false, nil},
	{"sort", true, nil},
	{"net/mail", false, nil},
	{"net/textproto", false, nil},
	{"mime", false, nil},
	{"math/cmplx", false, nil},
	{"bufio", false, nil},
	{"go/printer", false, []string{"performance_test.go"}},
	{"go/constant", false, nil},
}

var all = flag.Bool("all", false, "test the whole corpus, not only the quick part")

// twins are public packages that stand in for internal ones.
var twins = strings.NewReplacer(
	`"internal/bytealg"`, `bytealg "strings"`,
	"bytealg.IndexByteString", "bytealg.IndexByte",
	"bytealg.LastIndexByteString", "bytealg.LastIndexByte",
	`"internal/reflectlite"`, `reflectlite "reflect"`,
)

// TestCorpus instruments packages of the Go distribution, copied into a module
// of their own, and wants their suites to say the same as before. With -all it
// takes minutes.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages of the Go distribution twice each")
	}
	root := goroot(t)
	for _, c := range corpus {
		if !c.quick && !*all {
			continue
		}
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
				text = twins.Replace(text)
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

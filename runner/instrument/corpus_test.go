package instrument

import (
	"flag"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
)

// corpus are packages of the Go distribution that need nothing internal, once
// the test files left out here are gone.
// when a package of the corpus is tested.
type when int

const (
	always when = iota
	long        // see package longtest
	asked       // with -all
)

var corpus = []struct {
	path string
	runs when
	skip []string // test files that need others that import internal packages
}{
	{"text/tabwriter", long, nil},
	{"encoding/csv", long, nil},
	{"encoding/hex", asked, nil},
	{"encoding/ascii85", asked, nil},
	{"encoding/base32", asked, nil},
	{"encoding/json", asked, nil},
	{"encoding/xml", asked, nil},
	{"path", always, nil},
	{"html", asked, nil},
	{"container/list", asked, nil},
	{"text/scanner", asked, nil},
	{"compress/lzw", always, nil},
	{"regexp", asked, []string{"exec2_test.go"}},
	{"regexp/syntax", asked, nil},
	{"text/template/parse", long, nil},
	{"index/suffixarray", asked, nil},
	{"sort", long, nil},
	{"net/mail", asked, nil},
	{"net/textproto", asked, nil},
	{"mime", asked, nil},
	{"math/cmplx", asked, nil},
	{"bufio", asked, nil},
	{"go/printer", asked, []string{"performance_test.go"}},
	{"go/constant", asked, nil},
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
	root := build.Default.GOROOT
	for _, c := range corpus {
		if c.runs == asked && !*all {
			continue
		}
		t.Run(c.path, func(t *testing.T) {
			if c.runs == long {
				longtest.Skip(t, "builds a package of the Go distribution twice")
			}
			files := map[string]string{"go.mod": "module example.com/corpus\n\ngo 1.26\n"}
			copyPackage(t, files, filepath.Join(root, "src", filepath.FromSlash(c.path)), c.path, c.skip)
			tree := loadTree(t, writeFiles(t, files))
			p := instrumented(t, tree, Config{Vary: true}, nil)
			for _, pkg := range tree.Packages {
				if pkg.Test == nil && pkg.XTest == nil {
					t.Fatalf("%s: tests do not load", pkg.Path)
				}
				p.sameVerdicts(t, pkg.Path, pkg.Dir)
			}
			t.Logf("%d conditions, %d arms, %d sites, %d variation points, %d tests; skipped: %v",
				len(p.program.Conditions), len(p.program.Arms), len(p.suite.Sites), len(p.suite.Points), len(p.suite.Tests), p.suite.Skipped)
		})
	}
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

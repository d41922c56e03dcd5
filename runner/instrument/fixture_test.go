package instrument

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/load"
)

var update = flag.Bool("update", false, "write the goldens again")

// fixtures claims every file below testdata and says how to rewrite it.
var fixtures = map[string]struct {
	changed []string // functions that get an entry mark
	hooked  bool     // all functions get a hook
	cfg     Config
	drop    map[string][]string
}{
	"abroad":       {},
	"conditions":   {},
	"switches":     {},
	"arms":         {changed: []string{"changed", "kinds"}},
	"files":        {},
	"hooks":        {changed: []string{"changed"}, hooked: true},
	"observations": {},
	"prologues":    {},
	"language":     {},
	"operands":     {cfg: Config{Operands: true}},
	"variations":   {cfg: Config{Vary: true}},
	"drop": {
		cfg:  Config{Bare: map[string][]string{"a_test.go": {"TestBare"}}},
		drop: map[string][]string{"a_test.go": {"TestGone", "gone", "text", "one", "TestRows: row of line 47", "TestRows: subtest of line 52"}},
	},
}

// TestFixtures compares rewritten files with the goldens at the end of each
// fixture, then builds them and runs the fixture's own tests.
func TestFixtures(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != len(fixtures) {
		t.Errorf("%d fixtures below testdata, %d claimed", len(names), len(fixtures))
	}
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".txtar")
		f, ok := fixtures[base]
		if !ok {
			t.Errorf("%s: nothing claims this fixture", name)
			continue
		}
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(bytes.TrimSpace(archive.Comment)) == 0 {
				t.Error("the fixture does not open with what it guards")
			}
			tree := loadTree(t, writeFiles(t, inputs(archive)))
			for _, pkg := range tree.Packages {
				if pkg.Test == nil && pkg.Dir != filepath.Join(tree.Root, "empty") {
					t.Fatalf("%s: tests do not load", pkg.Path)
				}
			}
			cfg := f.cfg
			if f.changed != nil {
				cfg.Entries = entries(tree, f.changed)
			}
			if f.hooked {
				cfg.Hooks = entries(tree, nil)
			}
			before := printed(t, tree)
			p := instrumented(t, tree, cfg, f.drop)
			if printed(t, tree) != before {
				t.Error("the syntax trees have changed")
			}
			p.sameLines(t)
			golden(t, name, archive, p)
			if testing.Short() {
				t.Skip("building takes seconds")
			}
			for _, pkg := range tree.Packages {
				if pkg.Test == nil {
					continue
				}
				binary := suiteBinary(t, tree, pkg.Path, p.overlay, p.language())
				for test, verdict := range verdicts(t, binary, pkg.Dir) {
					if verdict != "PASS" {
						t.Errorf("%s: %s", test, verdict)
					}
				}
			}
		})
	}
}

// inputs are the files of a fixture before its goldens. Text archives hold
// neither byte order marks nor carriage returns, so two files get them here.
func inputs(a *txtar.Archive) map[string]string {
	files := map[string]string{}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "want/") {
			continue
		}
		text := string(f.Data)
		switch f.Name {
		case "clash/clash.go":
			text = "\ufeff" + text
		case "made/made.go":
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		files[f.Name] = text
	}
	return files
}

// entries numbers the functions of the given names; all of them for nil.
func entries(tree *load.Tree, names []string) map[load.Place]int {
	out := map[load.Place]int{}
	for _, p := range tree.Packages {
		for _, f := range p.Code.Syntax {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && (names == nil || slices.Contains(names, fn.Name.Name)) {
					out[tree.Place(fn.Pos())] = len(out)
				}
			}
		}
	}
	return out
}

// printed prints all syntax trees of a tree, with every node's kind and place.
func printed(t *testing.T, tree *load.Tree) string {
	t.Helper()
	var b bytes.Buffer
	for _, p := range tree.Packages {
		for _, f := range slices.Concat(p.Code.Syntax, syntax(p, false), syntax(p, true)) {
			if err := format.Node(&b, tree.Fset, f); err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if n != nil {
					fmt.Fprintf(&b, "%T %d %d\n", n, n.Pos(), n.End())
				}
				return true
			})
		}
	}
	return b.String()
}

func syntax(p *load.Package, external bool) []*ast.File {
	switch {
	case external && p.XTest != nil:
		return p.XTest.Syntax
	case !external && p.Test != nil:
		return p.Test.Syntax
	}
	return nil
}

// sameLines wants each rewritten file to have as many lines as before.
func (p *project) sameLines(t *testing.T) {
	t.Helper()
	for _, files := range []map[string][]byte{p.program.Files, p.suite.Files} {
		for rel, after := range files {
			before, err := os.ReadFile(filepath.Join(p.tree.Root, filepath.FromSlash(rel)))
			if os.IsNotExist(err) {
				continue // added
			}
			if err != nil {
				t.Fatal(err)
			}
			if a, b := bytes.Count(before, []byte("\n")), bytes.Count(after, []byte("\n")); a != b {
				t.Errorf("%s: %d lines became %d", rel, a, b)
			}
		}
	}
}

func golden(t *testing.T, name string, archive *txtar.Archive, p *project) {
	t.Helper()
	got := map[string]string{"want/listing": p.listing()}
	for _, files := range []map[string][]byte{p.program.Files, p.suite.Files} {
		for rel, content := range files {
			text := strings.ReplaceAll(string(content), "\r\n", "\n")
			got["want/"+rel] = strings.TrimPrefix(text, "\ufeff")
		}
	}
	if *update {
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
		for _, rel := range sortedKeys(got) {
			archive.Files = append(archive.Files, txtar.File{Name: rel, Data: []byte(got[rel])})
		}
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			continue
		}
		text, ok := got[f.Name]
		if !ok {
			t.Errorf("%s: not rewritten", f.Name)
		} else if fixed := string(txtar.Parse(txtar.Format(&txtar.Archive{Files: []txtar.File{{Name: "x", Data: []byte(text)}}})).Files[0].Data); fixed != string(f.Data) {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, text, f.Data)
		}
		delete(got, f.Name)
	}
	for _, rel := range sortedKeys(got) {
		t.Errorf("%s: rewritten, but not in the goldens", rel)
	}
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// listing writes what is known of a project, one item a line.
func (p *project) listing() string {
	var b strings.Builder
	for _, c := range p.program.Conditions {
		fmt.Fprintf(&b, "condition %d %s:%d %s %s", c.Index, c.File, c.Line, c.Kind, c.ID)
		if !c.Negatable {
			fmt.Fprintf(&b, " (%s)", c.Reason)
		}
		b.WriteString("\n")
	}
	for _, a := range p.program.Arms {
		fmt.Fprintf(&b, "arm %d %s:%d %s %s\n", a.Index, a.File, a.Line, a.Kind, a.Function)
	}
	for _, s := range p.suite.Sites {
		fmt.Fprintf(&b, "site %d %s:%d %s: %s\n", s.ID, s.File, s.Line, s.Test, s.Text)
	}
	for _, s := range p.suite.Tests {
		fmt.Fprintf(&b, "%s %s from %s:%d-%d %s", s.Kind, s.Name, s.File, s.Line, s.EndLine, s.Source)
		if s.External {
			b.WriteString(", external")
		}
		if s.Parallel {
			b.WriteString(", parallel")
		}
		if s.Reason != "" {
			b.WriteString(", " + s.Reason)
		}
		if len(s.Uses) > 0 {
			b.WriteString(", uses " + strings.Join(s.Uses, " "))
		}
		b.WriteString("\n")
	}
	for _, pkg := range p.tree.Packages {
		if p.suite.TestMain[pkg.Path] {
			fmt.Fprintf(&b, "main %s\n", pkg.Path)
		}
	}
	for _, s := range append(slices.Clone(p.program.Skipped), p.suite.Skipped...) {
		fmt.Fprintf(&b, "skipped %s:%d %s\n", s.File, s.Line, s.Reason)
	}
	for _, u := range p.program.Unhooked {
		fmt.Fprintf(&b, "unhooked %s:%d %s\n", u.File, u.Offset, u.Reason)
	}
	if p.program.NeedsLang || p.suite.NeedsLang {
		b.WriteString("needs a newer language\n")
	}
	return b.String()
}

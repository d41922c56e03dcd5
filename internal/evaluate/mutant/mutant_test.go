package mutant_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/runner/load"
)

var update = flag.Bool("update", false, "write the expected parts of the fixtures")

// Each fixture in testdata gives a file and, in its own words, what is guarded;
// all mutants of the file and the schemata that hold them are expected parts.
func TestOperators(t *testing.T) {
	t.Parallel()
	for _, operator := range []mutant.Operator{mutant.Relational, mutant.Arithmetic, mutant.Logical, mutant.Constant, mutant.Deletion} {
		t.Run(string(operator), func(t *testing.T) {
			t.Parallel()
			golden(t, operator)
		})
	}
}

// A fixture that no test reads guards nothing.
func TestEveryFixtureIsClaimed(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	claimed := []string{"arithmetic.txtar", "constant.txtar", "deletion.txtar", "logical.txtar", "relational.txtar"}
	var have []string
	for _, f := range files {
		have = append(have, f.Name())
	}
	if diff := cmp.Diff(claimed, have); diff != "" {
		t.Errorf("fixtures (-claimed +present):\n%s", diff)
	}
}

func golden(t *testing.T, operator mutant.Operator) {
	name := filepath.Join("testdata", string(operator)+".txtar")
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Error("the fixture does not say what it guards")
	}
	tree := module(t, map[string]string{"in.go": parts["in.go"]})
	set := all(t, tree)
	got := map[string]string{"in.go": parts["in.go"]}
	var list strings.Builder
	for _, m := range set.Mutants {
		if m.Operator != operator {
			continue
		}
		marks := ""
		for _, mark := range []struct {
			text string
			on   bool
		}{{"structural", m.Structural}, {"plain", m.Plain}, {"initial", m.Initial}} {
			if mark.on {
				marks += " [" + mark.text + "]"
			}
		}
		_, _ = fmt.Fprintf(&list, "%s%s\n", m, marks)
	}
	_, _ = fmt.Fprintf(&list, "rejected of all operators: %d\n", set.Rejected)
	got["mutants"] = list.String()
	var own []mutant.Mutant
	for _, m := range set.Mutants {
		if m.Operator == operator {
			own = append(own, m)
		}
	}
	prog, err := mutant.Schemata(tree, own, mutant.Form{Structural: true})
	if err != nil {
		t.Fatal(err)
	}
	got["schemata"] = string(prog.Files["in.go"])
	if _, sites, ok := strings.Cut(string(prog.Files["isodelta_sites.go"]), "\treturn a\n}\n\n// isodeltaOr"); ok {
		if _, own, ok := strings.Cut(sites, "\treturn a\n}\n"); ok && own != "" {
			got["sites"] = own
		}
	}
	if *update {
		archive.Files = nil
		for _, part := range []string{"in.go", "mutants", "schemata", "sites"} {
			if got[part] != "" {
				archive.Files = append(archive.Files, txtar.File{Name: part, Data: []byte(got[part])})
			}
		}
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(parts, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// module lays out and loads a module of the given files.
func module(t *testing.T, files map[string]string) *load.Tree {
	t.Helper()
	dir := t.TempDir()
	files = maps.Clone(files)
	files["go.mod"] = "module example.com/p\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return loaded(t, dir)
}

func loaded(t *testing.T, dir string) *load.Tree {
	t.Helper()
	tree, err := load.Load(t.Context(), load.Options{Root: dir, Dir: dir, Env: append(os.Environ(), "GOWORK=off")})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// all makes every mutant of a tree.
func all(t *testing.T, tree *load.Tree) *mutant.Set {
	t.Helper()
	set, err := mutant.Make(t.Context(), tree, mutant.Selection{Limit: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Mutants) == 0 {
		t.Fatal("no mutants")
	}
	return set
}

// Of any mutant, the applied file has the original's lines and parses, and
// Shift leads from each byte outside the mutant to the same byte.
func TestAppliedFileKeepsLinesAndPlaces(t *testing.T) {
	t.Parallel()
	tree, sources := fixtures(t)
	set := all(t, tree)
	rapid.Check(t, func(rt *rapid.T) {
		m := rapid.SampledFrom(set.Mutants).Draw(rt, "mutant")
		src := sources[m.File]
		applied := mutant.Apply(src, m)
		if got, want := bytes.Count(applied, []byte("\n")), bytes.Count(src, []byte("\n")); got != want {
			rt.Fatalf("%s: %d lines, want %d", m, got, want)
		}
		if bytes.Equal(applied, src) {
			rt.Fatalf("%s changes nothing", m)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.File, applied, 0); err != nil {
			rt.Fatalf("%s: %v", m, err)
		}
		at := rapid.IntRange(0, len(src)-1).Draw(rt, "offset")
		if at >= m.Start && at < m.End {
			return
		}
		to := m.Shift(load.Place{File: m.File, Offset: at}).Offset
		if got, want := applied[to], src[at]; got != want {
			rt.Fatalf("%s: offset %d shifts to %d, which is %q, not %q", m, at, to, got, want)
		}
	})
}

// fixtures loads the files of all fixtures as one package.
func fixtures(t *testing.T) (*load.Tree, map[string][]byte) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	files, sources := map[string]string{}, map[string][]byte{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file := strings.TrimSuffix(filepath.Base(name), ".txtar") + ".go"
		files[file], sources[file] = string(archive.Files[0].Data), archive.Files[0].Data
	}
	return module(t, files), sources
}

// In the schemata without structural mutants, the leaves of all decisions are
// as many as in the original, on the same lines, and where Shift says.
func TestSchemataKeepLeaves(t *testing.T) {
	t.Parallel()
	tree, sources := fixtures(t)
	set := all(t, tree)
	prog, err := mutant.Schemata(tree, set.Mutants, mutant.Form{})
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for file, src := range sources {
		want := leaves(t, file, src)
		got := leaves(t, file, prog.Files[file])
		if len(got) != len(want) {
			t.Errorf("%s: %d leaves, want %d", file, len(got), len(want))
			continue
		}
		for i, w := range want {
			if got[i].Line != w.Line {
				t.Errorf("%s:%d: leaf moved to line %d", file, w.Line, got[i].Line)
			}
			if to := prog.Shift(load.Place{File: file, Offset: w.Offset}); to.Offset != got[i].Offset {
				t.Errorf("%s:%d: leaf at offset %d is at %d, and Shift says %d", file, w.Line, w.Offset, got[i].Offset, to.Offset)
			}
			if got[i].Offset != w.Offset {
				moved++
			}
		}
	}
	if moved == 0 {
		t.Error("no leaf moved: the test guards nothing")
	}
}

// leaves returns where the leaf conditions of a file start, in order.
func leaves(t *testing.T, file string, src []byte) []token.Position {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []token.Position
	var leaf func(ast.Expr)
	leaf = func(e ast.Expr) {
		switch x := e.(type) {
		case *ast.ParenExpr:
			leaf(x.X)
			return
		case *ast.UnaryExpr:
			if x.Op == token.NOT {
				leaf(x.X)
				return
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				leaf(x.X)
				leaf(x.Y)
				return
			}
		}
		out = append(out, fset.Position(e.Pos()))
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			leaf(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				leaf(n.Cond)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				leaf(e)
			}
		}
		return true
	})
	return out
}

// The same seed gives the same mutants, another seed others, and a limit holds.
func TestSelectionIsSeeded(t *testing.T) {
	t.Parallel()
	tree, _ := fixtures(t)
	pick := func(seed uint64) []string {
		set, err := mutant.Make(t.Context(), tree, mutant.Selection{Limit: 12, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range set.Mutants {
			out = append(out, m.String())
		}
		return out
	}
	one := pick(1)
	if len(one) != 12 {
		t.Errorf("%d mutants, want 12", len(one))
	}
	if diff := cmp.Diff(one, pick(1)); diff != "" {
		t.Errorf("seed 1 twice:\n%s", diff)
	}
	if slices.Equal(one, pick(2)) {
		t.Error("seeds 1 and 2 choose the same mutants")
	}
}

// Mutants of one tree are refused for another.
func TestSchemataRefuseForeignMutants(t *testing.T) {
	t.Parallel()
	tree, _ := fixtures(t)
	other := module(t, map[string]string{"in.go": "package p\n\nvar x = 3\n"})
	_, err := mutant.Schemata(other, all(t, tree).Mutants, mutant.Form{})
	if err == nil || !strings.Contains(err.Error(), "made from another tree") {
		t.Errorf("error %v", err)
	}
}

package isomorph

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/load"
)

var update = flag.Bool("update", false, "write what is seen into the fixtures; read the difference before keeping it")

// layOut writes a fixture's files below dir: those under both/ into base and
// into head. A version without go.mod gets a plain one.
func layOut(t testing.TB, dir string, files []txtar.File) {
	t.Helper()
	write := func(name string, data []byte) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, side := range []string{"base", "head"} {
		write(side+"/go.mod", []byte("module example.com/m\n\ngo 1.24\n"))
	}
	for _, f := range files {
		if rest, ok := strings.CutPrefix(f.Name, "both/"); ok {
			write("base/"+rest, f.Data)
			write("head/"+rest, f.Data)
		} else {
			write(f.Name, f.Data)
		}
	}
}

func loadTree(t testing.TB, root string) *load.Tree {
	t.Helper()
	tree, err := load.Load(context.Background(), load.Options{Root: root, Dir: root,
		Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// shown is a mapped condition as fixtures write it.
type shown struct {
	text string // its source, with the function it stands in
	line int
}

// conditionsShown returns every mapped condition.
func conditionsShown(t testing.TB, p *Program) map[load.Place]shown {
	t.Helper()
	out := map[load.Place]shown{}
	for _, at := range p.leaves {
		data, err := os.ReadFile(filepath.Join(p.tree.Root, at.File))
		if err != nil {
			t.Fatal(err)
		}
		out[at] = shown{expressionAt(t, p.tree, at, data), lineAt(string(data), at)}
	}
	return out
}

// lineAt returns the line of a place in its file's text.
func lineAt(text string, at load.Place) int { return 1 + strings.Count(text[:at.Offset], "\n") }

// expressionAt finds the largest expression that starts at a place and is
// no && or ||: the leaf.
func expressionAt(t testing.TB, tree *load.Tree, at load.Place, data []byte) string {
	t.Helper()
	for _, q := range tree.Packages {
		if q.Code == nil {
			continue
		}
		for _, f := range q.Code.Syntax {
			if tree.Place(f.Pos()).File != at.File {
				continue
			}
			text, name := "", ""
			for _, d := range f.Decls {
				ast.Inspect(d, func(n ast.Node) bool {
					e, ok := n.(ast.Expr)
					if !ok || tree.Place(e.Pos()).Offset != at.Offset {
						return true
					}
					if b, ok := e.(*ast.BinaryExpr); ok && (b.Op.String() == "&&" || b.Op.String() == "||") {
						return true
					}
					s := string(data[at.Offset:tree.Place(e.End()).Offset])
					if len(s) > len(text) {
						text = s
						name = "init"
						if fd, ok := d.(*ast.FuncDecl); ok {
							name = fd.Name.Name
						}
					}
					return true
				})
			}
			if text != "" {
				return name + ": " + text
			}
		}
	}
	t.Fatalf("no expression at %v", at)
	return ""
}

// describe writes a result as the fixtures expect it.
func describe(t testing.TB, r *Result) string {
	t.Helper()
	base, head := conditionsShown(t, r.Base), conditionsShown(t, r.Head)
	var b strings.Builder
	for _, p := range r.Conditions {
		from, to := base[p.Base], head[p.Head]
		text := to.text
		if from.text != text {
			text = from.text + " => " + text
		}
		fmt.Fprintf(&b, "pair %s %d-%d [%s]\n", text, from.line, to.line, p.Kind)
		delete(base, p.Base)
		delete(head, p.Head)
	}
	alone := func(side string, left map[load.Place]shown) {
		for _, at := range slices.SortedFunc(maps.Keys(left), load.Place.Compare) {
			fmt.Fprintf(&b, "only %s %s %d\n", side, left[at].text, left[at].line)
		}
	}
	alone("base", base)
	alone("head", head)
	var reasons []string
	for reason, n := range r.UnmappedHead.Unmapped {
		reasons = append(reasons, fmt.Sprintf("unmapped %s %d\n", reason, n))
	}
	sort.Strings(reasons)
	b.WriteString(strings.Join(reasons, ""))
	for _, f := range r.Changed {
		init := ""
		if f.Init {
			init = " (init)"
		}
		fmt.Fprintf(&b, "changed %s: %s%s\n", f.Name, f.Status, init)
	}
	for _, reason := range r.PruneBlockers {
		fmt.Fprintf(&b, "blocker %s\n", reason)
	}
	if r.Empty() {
		b.WriteString("no executable change\n")
	}
	return b.String()
}

// TestFixtures compares the versions of every fixture with what it expects: the
// result by default (want), by strict matching (want-strict), and what Reach
// says of head (want-reach).
func TestFixtures(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(strings.Fields(string(archive.Comment))) < 5 {
				t.Error("the fixture does not say in prose what it guards")
			}
			dir := t.TempDir()
			layOut(t, dir, archive.Files)
			base, head := loadTree(t, filepath.Join(dir, "base")), loadTree(t, filepath.Join(dir, "head"))
			wanted := false
			for i, f := range archive.Files {
				if side, _, ok := strings.Cut(f.Name, "/"); ok && slices.Contains([]string{"base", "head", "both"}, side) {
					continue
				}
				if !slices.Contains([]string{"want", "want-strict", "want-reach"}, f.Name) {
					t.Fatalf("nothing reads %s of the fixture", f.Name)
				}
				wanted = true
				r, err := Match(t.Context(), base, head, Options{Strict: f.Name == "want-strict"})
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if f.Name == "want-reach" {
					got = describeReach(t, r)
				} else {
					got = describe(t, r)
				}
				if *update {
					archive.Files[i].Data = []byte(got)
				} else if d := cmp.Diff(string(f.Data), got); d != "" {
					t.Errorf("%s (-want +got):\n%s", f.Name, d)
				}
			}
			if !wanted {
				t.Error("the fixture expects nothing: it has no want, want-strict or want-reach")
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// describeReach writes, for head, whether each test can execute Δ, and after
// which outcomes of each condition it still may: in any test, and in each.
func describeReach(t testing.TB, r *Result) string {
	t.Helper()
	reach := r.Head.Reach(r.Changed, "head")
	conditions := conditionsShown(t, r.Head)
	places := slices.SortedFunc(maps.Keys(conditions), load.Place.Compare)
	var b strings.Builder
	if ok, reason := reach.Sound(); !ok {
		fmt.Fprintf(&b, "unsound: %s\n", reason)
	}
	word := func(may func(load.Place, bool) bool, at load.Place) string {
		return fmt.Sprintf("true:%s false:%s", yesNo(may(at, true)), yesNo(may(at, false)))
	}
	inAnyTest := func(at load.Place, outcome bool) bool {
		body, target := reach.find(at, outcome)
		return body == nil || reach.all.continues(body, target)
	}
	for _, at := range places {
		fmt.Fprintf(&b, "%s | ahead %s | may %s\n", conditions[at].text, word(reach.Ahead, at), word(inAnyTest, at))
	}
	for _, q := range r.Head.tree.Packages {
		for _, name := range testNames(q) {
			fmt.Fprintf(&b, "%s: %s\n", name, yesNo(reach.Function(q.Path, name)))
			for _, at := range places {
				if body, _ := reach.find(at, true); !reach.test(q.Path, name).part[body.id] {
					continue
				}
				in := func(at load.Place, outcome bool) bool { return reach.MayReachIn(q.Path, name, at, outcome) }
				fmt.Fprintf(&b, "  %s | may %s\n", conditions[at].text, word(in, at))
			}
		}
	}
	return b.String()
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func testNames(q *load.Package) []string {
	var out []string
	for _, p := range []*packages.Package{q.Test, q.XTest} {
		if p == nil {
			continue
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fd.Name.Name, "Test") && fd.Recv == nil {
					out = append(out, fd.Name.Name)
				}
			}
		}
	}
	sort.Strings(out)
	return slices.Compact(out)
}

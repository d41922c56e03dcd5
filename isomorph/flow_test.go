package isomorph

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/internal/longtest"
)

// drawn writes both graphs of a function as text: each node with its number, "="
// and the number of its counterpart, and where its edges lead.
func drawn(t *testing.T, files string, name string) string {
	t.Helper()
	dir := t.TempDir()
	layOut(t, dir, txtar.Parse([]byte(files)).Files)
	r, err := Match(t.Context(), loadTree(t, filepath.Join(dir, "base")), loadTree(t, filepath.Join(dir, "head")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Changed {
		if f.Name != name {
			continue
		}
		base, head, pairs := r.Flows(f, Options{})
		of := [2]map[int]string{{}, {}}
		for _, p := range pairs {
			mark := map[Kind]string{Strict: "=", Resynchronised: "~"}[p.Kind]
			of[0][p.Base], of[1][p.Head] = fmt.Sprint(mark, p.Head), fmt.Sprint(mark, p.Base)
		}
		return "base\n" + written(t, filepath.Join(dir, "base"), base, of[0]) + "head\n" + written(t, filepath.Join(dir, "head"), head, of[1])
	}
	t.Fatalf("%s is not in the changed set %v", name, r.Changed)
	return ""
}

func written(t *testing.T, dir string, f *Flow, partner map[int]string) string {
	t.Helper()
	if f == nil {
		return "nothing\n"
	}
	source, err := os.ReadFile(filepath.Join(dir, f.Span.File))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, n := range f.Nodes {
		fmt.Fprintf(&b, "%d%s %s:", i, partner[i], n.Kind)
		for _, r := range n.Text {
			fmt.Fprintf(&b, " `%s`", strings.Join(strings.Fields(string(source[r.Start:r.End])), " "))
		}
		if len(n.Text) == 0 {
			b.WriteString(" " + n.Comment)
		}
		for _, e := range f.Edges {
			if e.From == i {
				fmt.Fprintf(&b, " %s→%d", e.Label, e.To)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestFlows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ function, files, want string }{
		"a condition that changed": {"Sum", `
-- base/a.go --
package m

func Sum(n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += i
	}
	if s > 9 {
		panic("large")
	}
	return s
}
-- head/a.go --
package m

func Sum(n int) int {
	s := 0
	for i := 0; i <= n; i++ {
		s += i
	}
	if s > 9 {
		panic("large")
	}
	return s
}
`, "base\n" +
			"0=0 entry: `func Sum(n int) int` →1\n" +
			"1 branch: `i < n` true→2 false→3\n" +
			"2~2 block: `s += i` `i++` →1\n" +
			"3~3 branch: `s > 9` true→4 false→5\n" +
			"4~4 panic: `panic(\"large\")`\n" +
			"5~5 return: `return s`\n" +
			"head\n" +
			"0=0 entry: `func Sum(n int) int` →1\n" +
			"1 branch: `i <= n` true→2 false→3\n" +
			"2~2 block: `s += i` `i++` →1\n" +
			"3~3 branch: `s > 9` true→4 false→5\n" +
			"4~4 panic: `panic(\"large\")`\n" +
			"5~5 return: `return s`\n"},
		"a function literal, a range loop, and an end without a statement": {"Each", `
-- base/a.go --
package m

func Each(list []int, f func(int)) {
	defer func() {
		recover()
	}()
	for _, x := range list {
		f(x)
	}
}
-- head/a.go --
package m

func Each(list []int, f func(int)) {
	defer func() {
		recover()
	}()
	for _, x := range list {
		f(x + 1)
	}
}
`, "base\n" +
			"0=0 entry: `func Each(list []int, f func(int))` →1\n" +
			"1=1 block: `defer func() { recover() }()` →2\n" +
			"2=2 branch: `for _, x := range list` true→3 false→4\n" +
			"3 block: `f(x)` →2\n" +
			"4=4 return: end\n" +
			"5=5 entry: `func()` →6\n" +
			"6=6 block: `recover()` →7\n" +
			"7=7 return: end\n" +
			"head\n" +
			"0=0 entry: `func Each(list []int, f func(int))` →1\n" +
			"1=1 block: `defer func() { recover() }()` →2\n" +
			"2=2 branch: `for _, x := range list` true→3 false→4\n" +
			"3 block: `f(x + 1)` →2\n" +
			"4=4 return: end\n" +
			"5=5 entry: `func()` →6\n" +
			"6=6 block: `recover()` →7\n" +
			"7=7 return: end\n"},
		"an added function": {"New", `
-- base/a.go --
package m
-- head/a.go --
package m

func New() int { return 1 }
`, "base\nnothing\nhead\n0 entry: `func New() int` →1\n1 return: `return 1`\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, drawn(t, test.files, test.function)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A graph must be one: edges and pairs name nodes, none twice, and every node but
// the entries can be come to. A package of the
// distribution is matched with itself, so that every node has a counterpart.
func TestFlowsOfDistribution(t *testing.T) {
	longtest.Plain(t)
	if testing.Short() {
		t.Skip("loads a large package")
	}
	t.Parallel()
	tree := loadTree(t, copyOfDistribution(t, "text/template/parse"))
	r, err := Match(t.Context(), tree, tree, Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, f := range r.Head.functions {
		if f.span == nil {
			continue
		}
		base, head, pairs := r.Flows(Function{Name: f.name, Package: f.pkg, Base: f.span, Head: f.span}, Options{})
		if len(base.Nodes) != len(head.Nodes) || len(pairs) != len(base.Nodes) {
			t.Errorf("%s: %d and %d nodes, %d pairs, of one function with itself", f.name, len(base.Nodes), len(head.Nodes), len(pairs))
		}
		into := map[int]bool{}
		for _, e := range head.Edges {
			if e.From >= len(head.Nodes) || e.To >= len(head.Nodes) {
				t.Fatalf("%s: edge %v of %d nodes", f.name, e, len(head.Nodes))
			}
			into[e.To] = true
		}
		for i, n := range head.Nodes {
			if count++; n.Kind != Entry && !into[i] {
				t.Errorf("%s: nothing leads to node %d, %+v", f.name, i, n)
			}
			if n.Kind != Entry && n.Kind != Branch && n.Kind != Return && len(n.Text) == 0 && n.Comment == "" {
				t.Errorf("%s: node %d says nothing", f.name, i)
			}
		}
	}
	if count < 500 {
		t.Errorf("only %d nodes", count)
	}
}

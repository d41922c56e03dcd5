package law

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
	"pgregory.net/rapid"
)

// TestGoSaysTheSame: what Go writes, compiled, says of each row what the interpreter
// says. Where the interpreter has no verdict, Given is false; and where Given is true,
// nothing panics.
func TestGoSaysTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles a program")
	}
	longtest.Plain(t)
	for _, whole := range []string{"int64", "int"} {
		t.Run(whole, func(t *testing.T) {
			t.Parallel()
			saysTheSame(t, whole)
		})
	}
}

func saysTheSame(t *testing.T, whole string) {
	table := table(60).Example(1)
	var all []*Expr
	for seed := range 300 {
		x := trees(Bool, 1+seed%4).Example(seed)
		all = append(all, x, Simplify(x))
	}
	got := run(t, program(all, whole), rowsOf(table))
	evaluator := NewEvaluator(table)
	verdicts, silent := 0, 0
	for i, x := range all {
		for j, want := range evaluator.Verdicts(x) {
			code, row := got[i][j], table.Row(j)
			wrong := func(what string) {
				t.Errorf("%s: %s\n%s\ngiven %s\nrow %v", what, Notation(x, variables()), Go(x, variables(), whole).Text, Go(x, variables(), whole).Given, row)
			}
			given, says := code[0] == 'g', code[1:]
			verdict := map[Verdict]string{Silent: "?", Holds: "true", Fails: "false"}[want]
			switch {
			case want == Silent && given:
				wrong("given, but undefined")
			case want != Silent && says != verdict:
				wrong("interpreter " + verdict + ", Go " + says)
			case want == Silent:
				silent++
			default:
				verdicts++
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d verdicts, %d rows said nothing", verdicts, silent)
	if verdicts < 10*len(all) {
		t.Errorf("only %d verdicts about %d trees", verdicts, len(all))
	}
}

// program evaluates trees for the rows that it reads, and prints for each whether it is
// given, and what it says.
func program(all []*Expr, whole string) string {
	imports := map[string]bool{"encoding/json": true, "fmt": true, "os": true}
	var b strings.Builder
	b.WriteString("type Row struct {\n")
	for _, v := range variables() {
		fmt.Fprintf(&b, "%s %s\n", strings.TrimPrefix(v.Go, "row."), strings.Replace(v.Kind.GoType(), "int64", whole, 1))
	}
	b.WriteString("}\n\nvar all = []struct{ given, check func(row Row) bool }{\n")
	for _, x := range all {
		code := Go(x, variables(), whole)
		for _, p := range code.Imports {
			imports[p] = true
		}
		given := "true"
		for _, condition := range []string{code.Given, code.Bounds} {
			if condition != "" {
				given += " && " + condition
			}
		}
		fmt.Fprintf(&b, "{func(row Row) bool { return %s }, func(row Row) bool { return %s }},\n", given, code.Text)
	}
	b.WriteString(`}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var rows []Row
	if err := json.Unmarshal(data, &rows); err != nil {
		panic(err)
	}
	out := make([][]string, len(all))
	for i, l := range all {
		for _, row := range rows {
			text := "-"
			if l.given(row) {
				text = "g"
				text += fmt.Sprint(l.check(row))
			} else {
				text += attempt(func() bool { return l.check(row) })
			}
			out[i] = append(out[i], text)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}

func attempt(f func() bool) (text string) {
	defer func() {
		if recover() != nil {
			text = "panic"
		}
	}()
	return fmt.Sprint(f())
}
`)
	head := "package main\n\nimport (\n"
	for _, p := range slices.Sorted(keys(imports)) {
		head += fmt.Sprintf("%q\n", p)
	}
	return head + ")\n\n" + b.String()
}

func keys(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// rowsOf are the rows as the program reads them.
func rowsOf(table *Table) []map[string]any {
	var rows []map[string]any
	for i := range table.Rows() {
		row := map[string]any{}
		for j, v := range table.Row(i) {
			row[strings.TrimPrefix(variables()[j].Go, "row.")] = v
		}
		rows = append(rows, row)
	}
	return rows
}

func run(t *testing.T, source string, rows []map[string]any) [][]string {
	t.Helper()
	folder := t.TempDir()
	file, input := filepath.Join(folder, "main.go"), filepath.Join(folder, "rows.json")
	data, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{file: []byte(source), input: data} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stderr strings.Builder
	command := exec.CommandContext(t.Context(), "go", "run", file, input)
	command.Stderr = &stderr
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, stderr.String())
	}
	var out [][]string
	if err := json.Unmarshal(printed, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestGo: the Go of some laws, as it stands in a test to paste.
func TestGo(t *testing.T) {
	t.Parallel()
	vars := []Variable{{Math: "s", Go: "s", Kind: Text}, {Math: "f(s)", Go: "out", Kind: Text}, {Math: "xs", Go: "list", Kind: Ints}, {Math: "n", Go: "a.b + 1", Kind: Int}}
	s, out, xs, n := Var(0, Text), Var(1, Text), Var(2, Ints), Var(3, Int)
	for _, c := range []struct {
		tree  *Expr
		whole string
		want  string
		given string
	}{
		{Apply(AtMost, Apply(Len, out), Apply(Len, s)), "int64", "len(out) <= len(s)", ""},
		{Apply(Equal, Apply(Len, out), Apply(Add, Apply(Len, s), Const(int64(2)))), "int64", "len(out) == len(s) + 2", ""},
		{Apply(AtMost, Const(int64(0)), n), "int64", "(a.b + 1) >= 0", ""},
		{Apply(Not, Apply(Equal, out, s)), "int64", "out != s", ""},
		{Apply(Equal, Apply(First, xs), Apply(Len, s)), "int64", "list[0] == int64(len(s))", "len(list) > 0"},
		{Apply(Less, Apply(Add, n, Const(int64(1))), n), "int64", "(a.b + 1) + 1 < (a.b + 1)", "-1<<61 < (a.b + 1) && (a.b + 1) < 1<<61"},
		{Apply(Equal, Apply(First, xs), Apply(Len, s)), "int", "list[0] == len(s)", "len(list) > 0"},
	} {
		if got := Go(c.tree, vars, c.whole); got.Text != c.want || got.Given+got.Bounds != c.given {
			t.Errorf("%s: %s given %q and %q, want %s given %q", Notation(c.tree, vars), got.Text, got.Given, got.Bounds, c.want, c.given)
		}
	}
}

// TestSimplify: the normal form is no larger, is its own normal form, and has the same
// value where both are defined.
func TestSimplify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := Kind(rapid.IntRange(int(Bool), int(Texts)).Draw(t, "kind"))
		x := trees(k, 4).Draw(t, "tree")
		table := table(10).Draw(t, "table")
		y := Simplify(x)
		if y.Kind() != x.Kind() || y.Size() > x.Size() {
			t.Fatalf("%s becomes %s", Notation(x, variables()), Notation(y, variables()))
		}
		if z := Simplify(y); z.Key() != y.Key() {
			t.Fatalf("%s\nbecomes %s\nbecomes %s", Notation(x, variables()), Notation(y, variables()), Notation(z, variables()))
		}
		e := NewEvaluator(table)
		was, is := e.Values(x), e.Values(y)
		for i := range was {
			if was[i] != nil && is[i] != nil && !equalValues(was[i], is[i]) {
				t.Fatalf("%s becomes %s\nrow %v: %v becomes %v", Notation(x, variables()), Notation(y, variables()), table.Row(i), was[i], is[i])
			}
		}
	})
}

func equalValues(a, b any) bool {
	switch a := a.(type) {
	case float64:
		return equalFloats(a, b.(float64))
	case []float64:
		return slices.EqualFunc(a, b.([]float64), equalFloats)
	}
	return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) || fmt.Sprint(a) == fmt.Sprint(b)
}

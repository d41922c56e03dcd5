package instrument

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
)

// TestRandomPrograms runs functions made at random, plain and instrumented,
// and wants the same trace of both.
func TestRandomPrograms(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("builds two programs")
	}
	const functions = 20
	g := &generator{Rand: rand.New(rand.NewPCG(1, 2))}
	var b strings.Builder
	b.WriteString("package main\n\nimport \"fmt\"\n\ntype flag bool\n\ntype num uint8\n\nvar out []byte\n\n" +
		"func see(x int) bool { out = append(out, byte('a'+x%26)); return x%3 == 0 }\n\n" +
		"func count(p *int) int { *p++; return *p }\n\n" +
		"func ask(f flag) flag { out = append(out, 'A'); return !f }\n")
	for i := range functions {
		g.depth = 0
		fmt.Fprintf(&b, "\nfunc f%d(a, b int, p, q bool, f flag, v any, n num) (r int) {\n%s\treturn r\n}\n", i, g.block(4))
	}
	b.WriteString("\nfunc main() {\n\tfor a := -1; a < 4; a++ {\n\t\tfor b := 0; b < 8; b++ {\n")
	for i := range functions {
		fmt.Fprintf(&b, "\t\t\tout = append(out[:0], fmt.Sprint(f%d(a, b, b&1 > 0, b&2 > 0, flag(b&4 > 0), []any{nil, a, num(a), \"s\"}[b%%4], num(b)))...)\n\t\t\tfmt.Printf(\"%d %%s\\n\", out)\n", i, i)
	}
	b.WriteString("\t\t}\n\t}\n}\n")
	tree := loadTree(t, writeFiles(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.22\n", "main.go": b.String(),
	}))
	plain := runProgram(t, tree.Dir, "", "")
	for _, cfg := range []Config{{}, {Operands: true}} {
		p := instrumented(t, tree, cfg, nil)
		p.sameLines(t)
		if n := len(p.program.Conditions); n < 5*functions {
			t.Errorf("%d conditions in %d functions", n, functions)
		}
		after := runProgram(t, tree.Dir, p.overlay, "")
		if plain == after {
			continue
		}
		x, y := strings.Split(plain, "\n"), strings.Split(after, "\n")
		for i := range min(len(x), len(y)) {
			if x[i] != y[i] {
				t.Fatalf("operands %t, line %d: plain %q, instrumented %q", cfg.Operands, i, x[i], y[i])
			}
		}
		t.Fatalf("operands %t: %d lines plain, %d instrumented", cfg.Operands, len(x), len(y))
	}
}

func runProgram(t *testing.T, dir, overlay, pkg string) string {
	t.Helper()
	args := []string{"build", "-o", filepath.Join(t.TempDir(), "program")}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.Command("go", append(args, "./"+pkg)...)
	cmd.Dir = dir
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	out, err := exec.Command(args[2]).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// generator writes statements over the parameters of the functions above.
type generator struct {
	*rand.Rand
	depth, label, loop int
	breakable          []string // labels in scope
}

func (g *generator) pick(s ...string) string { return s[g.IntN(len(s))] }

func (g *generator) block(most int) string {
	var b strings.Builder
	g.depth++
	for range 1 + g.IntN(most) {
		b.WriteString(g.statement())
	}
	g.depth--
	return b.String()
}

func (g *generator) statement() string {
	if g.depth > 4 {
		return g.pick("r++\n", "see(a)\n", "out = append(out, '.')\n")
	}
	switch g.IntN(11) {
	case 0:
		return "if " + g.pick("", "a := a + 1; ", "see(b); ") + g.condition(3) + " {\n_ = a\n" + g.block(2) + "} else {\n" + g.block(2) + "}\n"
	case 1:
		g.loop++
		i := fmt.Sprintf("i%d", g.loop)
		return fmt.Sprintf("for %s := 0; %s < 3 && %s; %s++ {\n%s}\n", i, i, g.condition(2), i, g.block(2))
	case 2:
		return "p, f = " + g.value(3) + ", " + g.named(2) + "\n"
	case 3:
		return "if " + g.named(3) + " {\n" + g.block(2) + "}\n"
	case 4, 5:
		return g.tagSwitch()
	case 6:
		return "switch {\ncase " + g.condition(2) + ", " + g.condition(1) + ":\n" + g.block(2) + g.pick("", "fallthrough\n") + "default:\n" + g.block(1) + "}\n"
	case 7:
		if len(g.breakable) > 0 {
			return "if " + g.condition(1) + " { break " + g.pick(g.breakable...) + " }\n"
		}
		return "r += 2\n"
	case 8:
		return "for range " + g.pick("3", "\"ab\"", "[]int{a}") + " {\n" + g.block(2) + g.pick("", "continue\n", "break\n") + "}\n"
	case 9:
		return "switch x := v.(type) {\ncase nil:\n" + g.block(1) + "case int, num:\n_ = x\ndefault:\n" + g.block(1) + "}\n"
	}
	return g.pick("r++\n", "a, b = b, a\n", "n++\n", "q = !q\n", "f = ask(f)\n", "count(&a)\n")
}

func (g *generator) tagSwitch() string {
	g.label++
	label := fmt.Sprintf("L%d", g.label)
	kinds := []struct{ tag, cases []string }{
		{[]string{"a", "a + b", "count(&a)", "7", "(b)"}, []string{"1", "b", "count(&b)", "a", "1 << n", "'a' - 96", "int(n)"}},
		{[]string{"n", "n << 1", "num(b)"}, []string{"0", "2", "num(a)", "1 << n", "n + 1"}},
		{[]string{"v", "any(n)", "any(a)"}, []string{"nil", "1", "\"s\"", "num(2)", "a", "n", "b"}},
		{[]string{"p", "a < b", "see(a)", "p && q"}, []string{"true", "q", "a > 1", "see(b) && p", "(p || q)"}},
		{[]string{"f", "ask(f)", "f || a == b"}, []string{"true", "flag(p)", "a == 1", "ask(f)"}},
	}
	k := kinds[g.IntN(len(kinds))]
	// No more than one constant, or two could be the same.
	first := g.pick(k.cases[2:]...)
	for isConstant(first) {
		first = g.pick(k.cases[2:]...)
	}
	clauses := []string{
		"case " + g.pick(k.cases...) + ":\n",
		"case " + first + ", " + nonConstant(g, k.cases) + ":\n",
		"default:\n",
	}
	g.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	g.breakable = append(g.breakable, label)
	var b strings.Builder
	b.WriteString(label + ":\nswitch " + g.pick("", "a := a; ", "see(1); ", "r += 1; ") + g.pick(k.tag...) + " {\n")
	for i, c := range clauses {
		b.WriteString(c + g.block(2))
		switch {
		case i < len(clauses)-1 && g.IntN(3) == 0:
			b.WriteString("fallthrough\n")
		case g.IntN(3) == 0:
			b.WriteString("break\n")
		case i == 0:
			b.WriteString("if p == q { break " + label + " }\n")
		}
	}
	b.WriteString("}\n")
	g.breakable = g.breakable[:len(g.breakable)-1]
	// A label must be used.
	return strings.Replace(b.String(), "{\n"+clauses[0], "{\n"+clauses[0]+"if a == -9 { break "+label+" }\n", 1)
}

func isConstant(s string) bool {
	switch s {
	case "0", "1", "2", "nil", "true", "\"s\"", "num(2)", "'a' - 96":
		return true
	}
	return false
}

func nonConstant(g *generator, cases []string) string {
	for {
		if s := g.pick(cases...); !isConstant(s) {
			return s
		}
	}
}

// condition is of type bool or untyped.
func (g *generator) condition(depth int) string {
	if depth > 0 {
		switch g.IntN(5) {
		case 0:
			return g.condition(depth-1) + " && " + g.condition(depth-1)
		case 1:
			return "(" + g.condition(depth-1) + " || " + g.condition(depth-1) + ")"
		case 2:
			return "!(" + g.condition(depth-1) + ")"
		}
	}
	return g.pick("p", "q", "a < b", "a == 1", "n > 2", "see(a)", "see(b)", "count(&a) > b", "v == nil", "v == any(a)",
		"func() bool { return p && see(2) || q }()", "bool(f)", "bool(ask(f) && f)", "[]bool{p, q}[b&1]")
}

func (g *generator) value(depth int) string {
	return g.pick(g.condition(depth), "p && "+g.condition(depth), "("+g.condition(depth)+") == q", "a == count(&a) || "+g.condition(depth))
}

func (g *generator) named(depth int) string {
	if depth > 0 {
		switch g.IntN(4) {
		case 0:
			return "(" + g.named(depth-1) + " && " + g.named(depth-1) + ")"
		case 1:
			return "(f && a < b || " + g.named(depth-1) + ")"
		case 2:
			return "!" + g.named(depth-1)
		}
	}
	return g.pick("f", "ask(f)", "flag(p)", "flag(a == b && q)")
}

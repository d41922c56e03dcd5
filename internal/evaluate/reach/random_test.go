package reach

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/reach/planted"
	"github.com/isodelta/isodelta/runner/symbolic"
)

// program draws the body of a function of two bytes, which is small enough for all of its
// inputs to be tried.
type program struct {
	*rand.Rand
	strings.Builder
	depth int
}

func (p *program) operand() string {
	return []string{"x", "y", "z", "int8(x)", "p.A", "p.B", "t[y%4]", "s[0]", fmt.Sprint(1 + p.IntN(119))}[p.IntN(9)]
}

func (p *program) expression() string {
	a := p.operand()
	if a == "int8(x)" {
		return fmt.Sprintf("uint8(int8(x) %s %d)", []string{"/", "%", ">>", "*"}[p.IntN(4)], 1+p.IntN(7))
	}
	op := []string{"+", "-", "*", "/", "%", "&", "|", "^", "&^", "<<", ">>"}[p.IntN(11)]
	b := p.operand()
	if b == "int8(x)" {
		b = "uint8(len(s))"
	}
	return fmt.Sprintf("add(%s) %s %s", a, op, b)
}

func (p *program) condition() string {
	return fmt.Sprintf("%s %s %s", p.expression(), []string{"==", "!=", "<", "<=", ">"}[p.IntN(5)], p.expression())
}

func (p *program) statements(n int) {
	for range n {
		switch k := p.IntN(8); {
		case k == 0 && p.depth < 3:
			p.depth++
			fmt.Fprintf(p, "\tif %s {\n", p.condition())
			p.statements(2)
			p.WriteString("\t} else {\n")
			p.statements(1)
			p.WriteString("\t}\n")
			p.depth--
		case k == 1 && p.depth < 2:
			p.depth++
			fmt.Fprintf(p, "\tfor i := uint8(0); i < %s%%5; i++ {\n", p.operandOf("x", "y", "z"))
			p.statements(2)
			p.WriteString("\t}\n")
			p.depth--
		case k == 2:
			fmt.Fprintf(p, "\tif %s {\n\t\treturn false\n\t}\n", p.condition())
		case k == 3:
			fmt.Fprintf(p, "\tt[%s%%4] = %s\n", p.operandOf("x", "y", "z"), p.expression())
		case k == 4:
			fmt.Fprintf(p, "\tq.%s = %s\n", p.operandOf("A", "B"), p.expression())
		case k == 5:
			fmt.Fprintf(p, "\ts = string([]byte{%s}) + s[:%d]\n", p.expression(), p.IntN(2))
		default:
			fmt.Fprintf(p, "\tz = %s\n", p.expression())
		}
	}
}

func (p *program) operandOf(list ...string) string { return list[p.IntN(len(list))] }

// What is said of random programs is compared with all of their inputs.
func TestRandomPrograms(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs programs")
	}
	const count = 40
	r := rand.New(rand.NewPCG(5, 5))
	branches := []planted.Branch{{Name: "None", Source: "type pair struct{ A, B uint8 }\n\nfunc add(x uint8) uint8 { return x + 1 }\n\n" +
		"func None(x, y uint8) bool {\n\tif " + planted.Mark + "x != x {\n\t\treturn true\n\t}\n\treturn false\n}\n"}}
	for i := range count {
		p := &program{Rand: r}
		p.statements(4 + r.IntN(4))
		name := fmt.Sprintf("Random%d", i)
		branches = append(branches, planted.Branch{Name: name, Template: "random", Source: fmt.Sprintf(
			"func %s(x, y uint8) bool {\n\tvar z uint8\n\tvar t [4]uint8\n\tp := pair{x, y}\n\tq := &p\n\ts := \"%c\"\n\t_, _, _, _ = q, s, t, z\n%s\tif %s%s {\n\t\treturn true\n\t}\n\treturn false\n}\n",
			name, 'a'+r.IntN(26), p.String(), planted.Mark, p.condition())})
	}
	dir := t.TempDir()
	list, err := judge(context.Background(), filepath.Join(dir, "judged"), branches, symbolic.Embedded(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, b := range branches {
		calls = append(calls, fmt.Sprintf("func() bool { for x := range 256 { for y := range 256 { if try(func() bool { return %s(uint8(x), uint8(y)) }) { return true } } }; return false }()", b.Name))
	}
	truth, err := ask(context.Background(), filepath.Join(dir, "judged"), calls)
	if err != nil {
		t.Fatal(err)
	}
	tally := map[string]int{}
	for i, x := range list {
		switch {
		case x.Infeasible && truth[i]:
			t.Errorf("an input takes it, but it is called infeasible:\n%s", x.Source)
		case x.Infeasible:
			tally["proved"]++
		case x.taken:
			tally["taken"]++
		case len(x.runs) > 0:
			t.Errorf("the solution does not take it: %s (%s)\n%s", x.runs, x.Why, x.Source)
		case truth[i]:
			tally["not found"]++
			t.Logf("not found: %s", x.Why)
		default:
			tally["not proved"]++
			t.Logf("not proved: %s", x.Why)
		}
	}
	t.Log(tally)
	if tally["proved"] < count/20 || tally["taken"] < count/4 {
		t.Errorf("little is decided: %v", tally)
	}
}

package automr

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
)

// The Go expressions say what Holds says, and follow-up inputs are the same to
// the last bit. A program made of the expressions is compiled and run.
func TestGoSaysWhatHoldsSays(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	var code, want strings.Builder
	code.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n)\n\nvar _ = math.Pi\n\nfunc main() {\n")
	rnd := rand.New(rand.NewSource(1))
	for _, s := range []struct {
		program Program
		call    string
	}{{unary("tan", math.Tan), "math.Tan"}, {binary("hypot", math.Hypot), "math.Hypot"}} {
		for _, r := range infer(t, s.program, Options{Seed: 3, Types: []Type{TypeI, TypeII, TypeIII, TypeVII}}).Relations {
			params := defaultParams(r.Inputs)
			var results [][]string
			for j := range r.Groups() {
				results = append(results, []string{fmt.Sprintf("r%d", j)})
			}
			form, err := r.Go(params, results)
			if err != nil {
				t.Fatal(err)
			}
			var table strings.Builder
			for k, source := range r.Sources(s.program, rnd.Int63(), 12) {
				follow := r.FollowUps(source, rnd)
				if follow == nil && len(r.A) > 0 {
					continue
				}
				in := append([][]float64{source}, follow...)
				out, err := s.program.Eval(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				last := len(in) - 1
				if k%2 == 0 { // outputs of a wrong program, too
					out[last][0] += 0.01
				}
				table.WriteString("{")
				for _, x := range source {
					fmt.Fprintf(&table, "%#x,", math.Float64bits(x))
				}
				fmt.Fprintf(&table, "%d},", k%2)
				for _, o := range out {
					fmt.Fprintf(&want, "%x ", math.Float64bits(o[0]))
				}
				holds, applicable := r.Holds(in, out)
				fmt.Fprintf(&want, "true %v\n", holds || !applicable)
			}
			fmt.Fprintf(&code, "\tfor _, row := range [][]uint64{%s} {\n", table.String())
			for i, p := range params {
				fmt.Fprintf(&code, "\t\t%s := math.Float64frombits(row[%d])\n", p, i)
			}
			fmt.Fprintf(&code, "\t\twhen := %s\n", orTrue(form.When))
			for j := range r.Groups() {
				args := params
				if j > 0 {
					args = form.Args[j-1]
				}
				fmt.Fprintf(&code, "\t\tr%d := %s(%s)\n", j, s.call, strings.Join(args, ", "))
				if j == r.Groups()-1 {
					fmt.Fprintf(&code, "\t\tif row[%d] == 0 { r%d += 0.01 }\n", r.Inputs, j)
				}
				fmt.Fprintf(&code, "\t\tfmt.Printf(\"%%x \", math.Float64bits(r%d))\n", j)
			}
			fmt.Fprintf(&code, "\t\tfmt.Println(when, %s)\n\t}\n", form.Check)
		}
	}
	code.WriteString("}\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(code.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, got)
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(want.String(), "\n")
	if len(g) != len(w) || len(w) < 50 {
		t.Fatalf("%d lines instead of %d:\n%.500s", len(g), len(w), got)
	}
	for i := range w {
		if g[i] != w[i] {
			t.Errorf("group %d: Go says %s, want %s", i, g[i], w[i])
		}
	}
}

func orTrue(condition string) string {
	if condition == "" {
		return "true"
	}
	return condition
}

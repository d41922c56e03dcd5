package reach

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/reach/planted"
	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/symbolic"
)

// ruling is what became of a planted branch.
type ruling struct {
	planted.Branch
	symbolic.Outcome
	took time.Duration
	// runs are the inputs as calls, and whether one takes the branch.
	runs  []string
	taken bool
}

// perRuling bounds the time for a planted branch.
const perRuling = 20 * time.Second

// soundness prints what equations say of branches of which it is known whether an input
// takes them.
func soundness(ctx context.Context, out, progress io.Writer, seed uint64, each int, panel symbolic.Panel, how string) error {
	folder, err := scratch.Make("")
	if err != nil {
		return err
	}
	defer folder.Close()
	list, err := judge(ctx, filepath.Join(folder.Path(), "planted"), planted.Draw(seed, each), panel, progress)
	if err != nil {
		return err
	}
	return printRulings(out, list, how)
}

// judge lays branches out as a program, has Go confirm what is known of them, and asks for
// each.
func judge(ctx context.Context, dir string, branches []planted.Branch, panel symbolic.Panel, progress io.Writer) ([]ruling, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	source := planted.File("main", branches)
	for name, text := range map[string]string{"go.mod": "module planted\n\ngo 1.24\n", "planted.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	var known []string
	for _, b := range branches {
		if b.Call != "" {
			known = append(known, b.Call)
		}
	}
	took, err := ask(ctx, dir, known)
	if err != nil {
		return nil, err
	}
	for i, ok := range took {
		if !ok {
			return nil, fmt.Errorf("the input that should take a planted branch does not: %s", known[i])
		}
	}
	tree, err := load.Load(ctx, load.Options{Root: dir, Dir: dir, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")})
	if err != nil {
		return nil, err
	}
	program, err := isomorph.Analyse(ctx, tree)
	if err != nil {
		return nil, err
	}
	out := make([]ruling, len(branches))
	var calls []string
	for i, b := range branches {
		fmt.Fprintf(progress, "%d of %d: %s\n", i+1, len(branches), b.Template)
		out[i] = ruling{Branch: b}
		if err := out[i].search(ctx, program, panel, source); err != nil {
			return nil, err
		}
		calls = append(calls, out[i].runs...)
	}
	if took, err = ask(ctx, dir, calls); err != nil {
		return nil, err
	}
	for i := range out {
		for range out[i].runs {
			out[i].taken = out[i].taken || took[0]
			took = took[1:]
		}
	}
	return out, nil
}

func (r *ruling) search(ctx context.Context, program *isomorph.Program, panel symbolic.Panel, source string) error {
	start := strings.Index(source, "func "+r.Name+"(")
	at := load.Place{File: "planted.go", Offset: start + strings.Index(source[start:], planted.Mark) + len(planted.Mark)}
	site, ok := program.Site(isomorph.Goal{Condition: at, Outcome: true})
	if !ok {
		return fmt.Errorf("%s: the branch is nowhere", r.Name)
	}
	ctx, cancel := context.WithTimeout(ctx, perRuling)
	defer cancel()
	begin := time.Now()
	r.Outcome = symbolic.Search(ctx, panel, symbolic.Question{Site: site, Condition: true, Outcome: true, Entry: site.Function, Most: 2})
	r.took = time.Since(begin)
	for _, args := range r.Inputs {
		var list []string
		for i, a := range args {
			list = append(list, planted.Go(a, site.Function.Params[i].Type()))
		}
		r.runs = append(r.runs, fmt.Sprintf("%s(%s)", r.Name, strings.Join(list, ", ")))
	}
	return nil
}

// ask runs calls, and says which return true. One that panics does not.
func ask(ctx context.Context, dir string, calls []string) ([]bool, error) {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n\t\"strings\"\n)\n\nvar _, _, _ = math.NaN, strings.ToUpper, fmt.Print\n\n" +
		"func try(f func() bool) (out bool) {\n\tdefer func() { recover() }()\n\treturn f()\n}\n\nfunc main() {\n")
	for _, c := range calls {
		fmt.Fprintf(&b, "\tfmt.Print(try(func() bool { return %s }), \" \")\n", c)
	}
	b.WriteString("}\n")
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.String()), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", ".")
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	var out []bool
	for _, word := range strings.Fields(string(text)) {
		out = append(out, word == "true")
	}
	if len(out) != len(calls) {
		return nil, fmt.Errorf("%d of %d calls answered: %s", len(out), len(calls), text)
	}
	return out, nil
}

func printRulings(out io.Writer, list []ruling, how string) error {
	type tally struct{ all, claimed, taken, wrong int }
	var total [2]tally
	names := []string{}
	by := map[string]*tally{}
	slowest := time.Duration(0)
	for _, r := range list {
		key := "infeasible: " + r.Template
		kind := 0
		if r.Feasible {
			key, kind = "feasible: "+r.Template, 1
		}
		if by[key] == nil {
			by[key] = &tally{}
			names = append(names, key)
		}
		slowest = max(slowest, r.took)
		for _, t := range []*tally{by[key], &total[kind]} {
			t.all++
			figure.CountIf(&t.claimed, r.Infeasible)
			figure.CountIf(&t.taken, r.taken)
			figure.CountIf(&t.wrong, r.Infeasible && (r.Feasible || r.taken))
		}
	}
	rows := [][]string{figure.Row("branch", "planted", "called infeasible", "input found", "wrong")}
	for _, name := range names {
		t := by[name]
		rows = append(rows, figure.Row(name, t.all, t.claimed, t.taken, t.wrong))
	}
	if err := figure.Table(out, "Branches of which it is known whether an input takes them, "+how, rows); err != nil {
		return err
	}
	var all figure.Set
	all.Count("soundness.infeasible", total[0].all)
	all.Count("soundness.infeasible.proved", total[0].claimed)
	all.Count("soundness.infeasible.taken", total[0].taken)
	all.Count("soundness.feasible", total[1].all)
	all.Count("soundness.feasible.taken", total[1].taken)
	all.Count("soundness.feasible.called_infeasible", total[1].claimed)
	all.Number("soundness.slowest_seconds", slowest.Seconds())
	return figure.Print(out, all)
}

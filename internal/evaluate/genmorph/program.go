package genmorph

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/load"
)

// The files of the program that runs the methods.
var (
	//go:embed methods/methods.go
	methodsFile []byte
	//go:embed methods/main.go
	mainFile []byte
)

// Request and Answer are those of the program.
type (
	Request struct {
		Method string
		Inputs [][]any
	}
	Answer struct {
		Output []any
		Ended  bool
	}
)

// program runs the methods, with one of the mutants or none.
type program struct {
	tree    *load.Tree
	binary  string
	mutants map[string][]mutant.Mutant // by function
}

// newProgram builds the methods with all mutants that one program can hold.
func newProgram(ctx context.Context, w *rig.Workspace, seed uint64) (*program, error) {
	dir, err := layOut(w.Dir, nil)
	if err != nil {
		return nil, err
	}
	t, err := w.Load(ctx, dir)
	if err != nil {
		return nil, err
	}
	set, err := mutant.Make(ctx, t, mutant.Selection{Limit: math.MaxInt, Seed: seed})
	if err != nil {
		return nil, err
	}
	p := &program{tree: t, mutants: map[string][]mutant.Mutant{}}
	var held []mutant.Mutant
	for _, m := range set.Mutants {
		if m.File == "methods.go" && !m.Plain && m.Function != "" {
			p.mutants[m.Function] = append(p.mutants[m.Function], m)
			held = append(held, m)
		}
	}
	schemata, err := mutant.Schemata(t, held, mutant.Form{Structural: true})
	if err != nil {
		return nil, err
	}
	if dir, err = layOut(w.Dir, schemata.Files); err != nil {
		return nil, err
	}
	p.binary = filepath.Join(dir, "program")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", p.binary, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build in %s: %w\n%s", dir, err, text)
	}
	return p, nil
}

// layOut writes the program as a module, with some files replaced or added.
func layOut(dir string, replaced map[string][]byte) (string, error) {
	root, err := os.MkdirTemp(dir, "methods-")
	if err != nil {
		return "", err
	}
	files := map[string][]byte{"go.mod": []byte("module methods\n\ngo 1.26\n"), "methods.go": methodsFile, "main.go": mainFile}
	for name, content := range replaced {
		files[name] = content
	}
	for name, content := range files {
		if err := rig.WriteFile(filepath.Join(root, name), content); err != nil {
			return "", err
		}
	}
	return root, nil
}

// constants are the numbers in a method's declaration.
func (p *program) constants(m method) []float64 {
	o := p.tree.Packages[0].Code.Types.Scope().Lookup(m.declared())
	for _, f := range p.tree.Packages[0].Code.Syntax {
		for _, d := range f.Decls {
			if d.Pos() <= o.Pos() && o.Pos() < d.End() {
				return surface.Constants(p.tree, p.tree.Packages[0].Path, p.tree.Place(d.Pos()))
			}
		}
	}
	return nil
}

// of returns the mutants for measuring a method, at most so many, spread over its code:
// those of all operators but the one for searching.
func (p *program) of(m method, most int) []mutant.Mutant {
	var own []mutant.Mutant
	for _, f := range append([]string{m.declared()}, m.helpers()...) {
		for _, x := range p.mutants[f] {
			if x.Operator != mutant.Logical {
				own = append(own, x)
			}
		}
	}
	return mutant.Spread(own, most, 0)
}

// negations are mutants for searching: a condition of the method is negated.
func (p *program) negations(m method) []mutant.Mutant {
	var own []mutant.Mutant
	for _, x := range p.mutants[m.declared()] {
		if x.Operator == mutant.Logical && len(own) < maxNegated {
			own = append(own, x)
		}
	}
	return own
}

// outcome is what one input gives: no value where the method fails, panics or does not
// end.
type outcome struct {
	value any
	ended bool // no value
}

// perRequest bounds one run of the program.
const perRequest = 30 * time.Second

// run returns what a method with a mutant, 0 for none, gives for inputs. A mutant that ends
// the process gives nothing.
func (p *program) run(ctx context.Context, m method, id int, inputs [][]any) ([]outcome, error) {
	var question bytes.Buffer
	if err := gob.NewEncoder(&question).Encode(Request{m.name, inputs}); err != nil {
		return nil, err
	}
	limited, stop := context.WithTimeout(ctx, perRequest)
	defer stop()
	cmd := exec.CommandContext(limited, p.binary)
	cmd.Env = append(os.Environ(), mutant.Variable+"="+strconv.Itoa(id), "GOMEMLIMIT=1GiB")
	cmd.WaitDelay = time.Second
	var answer, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &question, &answer, &said
	err := cmd.Run()
	outputs := make([]outcome, len(inputs))
	for i := range outputs {
		outputs[i].ended = true
	}
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && id > 0 && (limited.Err() != nil || errors.As(err, &ended)):
		return outputs, nil
	case err != nil:
		return nil, fmt.Errorf("%s with mutant %d: %w: %.500s", m.name, id, err, said.Bytes())
	}
	var answers []Answer
	if err := gob.NewDecoder(&answer).Decode(&answers); err != nil {
		return nil, fmt.Errorf("%s with mutant %d: answer: %w", m.name, id, err)
	}
	for i, a := range answers {
		outputs[i].ended = a.Ended
		if len(a.Output) == 1 {
			outputs[i].value = a.Output[0]
		}
	}
	return outputs, nil
}

package genmorph

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/calls/surface"
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
	*mutant.Executable
	mutants map[string][]mutant.Mutant // by function
}

// newProgram builds the methods with all mutants that one program can hold.
func newProgram(ctx context.Context, w *rig.Workspace, seed uint64) (*program, error) {
	files := map[string][]byte{"go.mod": []byte("module methods\n\ngo 1.26\n"), "methods.go": methodsFile, "main.go": mainFile}
	built, err := mutant.Build(ctx, w, files, nil, ".", seed, func(m mutant.Mutant) bool { return m.File == "methods.go" })
	if err != nil {
		return nil, err
	}
	p := &program{built, map[string][]mutant.Mutant{}}
	for _, m := range built.Mutants {
		p.mutants[m.Function] = append(p.mutants[m.Function], m)
	}
	return p, nil
}

// constants are the numbers in a method's declaration.
func (p *program) constants(m method) []float64 {
	o := p.Tree.Packages[0].Code.Types.Scope().Lookup(m.declared())
	for _, f := range p.Tree.Packages[0].Code.Syntax {
		for _, d := range f.Decls {
			if d.Pos() <= o.Pos() && o.Pos() < d.End() {
				return surface.Constants(p.Tree, p.Tree.Packages[0].Path, p.Tree.Place(d.Pos()))
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

// run returns what a method with a mutant, 0 for none, gives for inputs. A mutant that ends
// the process gives nothing.
func (p *program) run(ctx context.Context, m method, id int, inputs [][]any) ([]outcome, error) {
	var answers []Answer
	if _, err := p.Ask(ctx, id, Request{m.name, inputs}, &answers); err != nil {
		return nil, fmt.Errorf("%s: %w", m.name, err)
	}
	outputs := make([]outcome, len(inputs))
	for i := range outputs {
		outputs[i].ended = true
	}
	for i, a := range answers {
		outputs[i].ended = a.Ended
		if len(a.Output) == 1 {
			outputs[i].value = a.Output[0]
		}
	}
	return outputs, nil
}

package ison

import (
	"context"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
)

// faulty is a subject with its mutants in one instrumented binary.
type faulty struct {
	rigged   // of the schemata
	original *load.Tree
	source   map[string][]byte // of the original's code files
	mutants  []mutant.Mutant   // all that were made
	held     []mutant.Mutant   // those in the binary
	outcomes mutant.Outcomes
	entry    map[int]int // of a mutant: the number of its function's entry mark; none if it may act unmarked
	// condition gives the index of the condition at a place in the original.
	condition map[load.Place]int
}

// generated reports whether the schemata added a file. Such files are not
// instrumented: they are the mutants' machinery, not the subject's code.
func generated(rel string) bool { return strings.HasPrefix(filepath.Base(rel), "isodelta_") }

// makeFaulty seeds mutants, has the subject's own tests judge them, and builds
// the schemata, instrumented.
func (w *evaluation) makeFaulty(ctx context.Context, name string) (*faulty, error) {
	original, err := w.Subject(ctx, name)
	if err != nil {
		return nil, err
	}
	f := &faulty{original: original, source: map[string][]byte{}, condition: map[load.Place]int{}}
	set, err := mutant.Make(ctx, f.original, mutant.Selection{Limit: w.opt.mutants, Seed: w.opt.seed})
	if err != nil {
		return nil, err
	}
	f.mutants = set.Mutants
	program, err := mutant.Schemata(f.original, f.mutants, mutant.Form{})
	if err != nil {
		return nil, err
	}
	for _, x := range f.mutants {
		if !x.Plain && !x.Structural {
			f.held = append(f.held, x)
		}
	}
	if f.outcomes, err = mutant.Kill(ctx, f.original, f.held); err != nil {
		return nil, err
	}
	return f, w.buildFaulty(ctx, f, program)
}

// buildFaulty writes the schemata out as a module of their own and builds it.
func (w *evaluation) buildFaulty(ctx context.Context, f *faulty, program *mutant.Program) error {
	dir, err := os.MkdirTemp(w.Dir, "schemata-")
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(f.original.Root)); err != nil {
		return err
	}
	for rel, content := range program.Files {
		if err := rig.WriteFile(filepath.Join(dir, filepath.FromSlash(rel)), content); err != nil {
			return err
		}
	}
	tree, err := w.Load(ctx, dir)
	if err != nil {
		return err
	}
	marks, err := f.markEntries(tree)
	if err != nil {
		return err
	}
	f.rigged.Rig, err = w.Rig(ctx, tree, rig.Rigging{Entries: len(marks), Seeded: true,
		Config: instrument.Config{Entries: marks, Exclude: generated}})
	if err != nil {
		return err
	}
	for _, s := range f.Program.Skipped {
		if strings.Contains(s.Reason, "go:nosplit") {
			return fmt.Errorf("%s:%d: %s, so that the entry of a mutated function would go unmarked", s.File, s.Line, s.Reason)
		}
	}
	return f.joinConditions(program)
}

// markEntries numbers the functions that hold mutants and gives their places in
// the schemata, whose declarations are the original's, in the same order.
func (f *faulty) markEntries(tree *load.Tree) (map[load.Place]int, error) {
	marks := map[load.Place]int{}
	f.entry = map[int]int{}
	twin := map[string]*ast.File{}
	for _, s := range tree.Packages[0].Code.Syntax {
		twin[tree.Rel(tree.Fset.File(s.FileStart).Name())] = s
	}
	for _, s := range f.original.Packages[0].Code.Syntax {
		tok := f.original.Fset.File(s.FileStart)
		rel := f.original.Rel(tok.Name())
		src, err := os.ReadFile(tok.Name())
		if err != nil {
			return nil, err
		}
		f.source[rel] = src
		t := twin[rel]
		if t == nil || len(t.Decls) != len(s.Decls) {
			return nil, fmt.Errorf("%s has other declarations in the schemata", rel)
		}
		for i, d := range s.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			k, used := len(marks), false
			for _, m := range f.held {
				if m.File == rel && tok.Offset(fn.Pos()) <= m.Start && m.Start < tok.Offset(fn.End()) {
					f.entry[m.ID], used = k, true
				}
			}
			if used {
				marks[tree.Place(t.Decls[i].Pos())] = k
			}
		}
	}
	return marks, nil
}

// joinConditions finds each condition of the original in the schemata, which
// have the same ones in the same order.
func (f *faulty) joinConditions(program *mutant.Program) error {
	original, err := instrument.Code(f.original, instrument.Config{})
	if err != nil {
		return err
	}
	if len(original.Conditions) != len(f.Program.Conditions) {
		return fmt.Errorf("the schemata have %d conditions, the original %d", len(f.Program.Conditions), len(original.Conditions))
	}
	for i, c := range original.Conditions {
		want := program.Shift(c.Place)
		if got := f.Program.Conditions[i].Place; got != want {
			return fmt.Errorf("condition %s of the original is at %v in the schemata, and %v was expected", c.ID, got, want)
		}
		f.condition[c.Place] = i
	}
	return nil
}

// survivors are the mutants that the subject's own tests do not detect.
func (f *faulty) survivors() []mutant.Mutant {
	return f.outcomes.Of(f.held, mutant.Survived)
}

package automr

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/execute"
)

// mutants are all the mutants of the copied code, in one binary.
type mutants struct {
	built
	all []mutant.Mutant
	// rejected do not compile, so they are no mutants.
	rejected int
}

// seedMutants makes them and builds the binary that holds them.
func seedMutants(ctx context.Context, w *rig.Workspace, m *module) (*mutants, error) {
	t, err := w.Load(ctx, m.dir)
	if err != nil {
		return nil, err
	}
	set, err := mutant.Make(ctx, t, mutant.Selection{Limit: math.MaxInt, Seed: 1}) // all of them, so that the seed decides nothing
	if err != nil {
		return nil, err
	}
	prog, err := mutant.Schemata(t, set.Mutants, mutant.Form{Structural: true})
	if err != nil {
		return nil, err
	}
	for _, x := range set.Mutants {
		if x.Plain {
			return nil, fmt.Errorf("mutant %s does not fit into a binary with others, and one of its own is not built here", x)
		}
	}
	replace := map[string]string{}
	dir := filepath.Join(m.dir, "mutants")
	for file, src := range prog.Files {
		at := filepath.Join(dir, filepath.FromSlash(file)+".txt") // no Go file of the module
		if err := rig.WriteFile(at, src); err != nil {
			return nil, err
		}
		replace[filepath.Join(m.dir, filepath.FromSlash(file))] = at
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := execute.WriteOverlay(overlay, replace); err != nil {
		return nil, err
	}
	out := &mutants{built: built{m, filepath.Join(dir, "mutants.exe")}, all: set.Mutants, rejected: set.Rejected}
	return out, m.build(ctx, out.binary, overlay)
}

// of returns the mutants of a program: those in the declarations that it
// reaches, or only those of its own file.
func (m *mutants) of(p program, own bool) []mutant.Mutant {
	c := m.module.copied
	var out []mutant.Mutant
	for _, x := range m.all {
		d := c.at(x.File, x.Start)
		if slices.Contains(c.reach[p.root], d) && (!own || c.own[p.root+" "+d]) {
			out = append(out, x)
		}
	}
	return out
}

package relations

import (
	"context"
	_ "embed"
	"math"
	"math/rand"
	"slices"
	"sync"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// folder is where the program that runs the subjects lies, so that it can import them.
const folder = "internal/evaluate/relations/"

//go:embed answer/main.go
var answerFile []byte

const (
	// groupInputs make the groups by which it is told what a relation refutes.
	groupInputs = 4000
	// killingInputs are tried on each relation and mutant: not those.
	killingInputs = 500
)

// newProgram builds the subjects with all mutants that one program can hold.
func newProgram(ctx context.Context, w *rig.Workspace, seed int64) (*mutant.Executable, error) {
	subject := map[string][]byte{"go.mod": []byte("module github.com/isodelta/isodelta\n\ngo 1.26\n"), folder + "subjects/subjects.go": source}
	driver := map[string][]byte{folder + "answer/main.go": answerFile}
	return mutant.Build(ctx, w, subject, driver, folder+"answer", uint64(seed), func(m mutant.Mutant) bool { return m.Function != "All" })
}

// kills returns, for each relation, the mutants of the subject by which it fails as it is
// printed, and how many mutants there are.
func (j judge) kills(ctx context.Context, p *mutant.Executable, told []automr.Relation) (by []map[int]bool, mutants int, err error) {
	groups := make([][][][]float64, len(told)) // of each relation, the inputs of its groups
	var ask [][]float64
	for i, r := range told {
		by = append(by, map[int]bool{})
		rnd := rand.New(rand.NewSource(j.seed))
		printed := r.Printed()
		for _, x := range j.inputs[len(j.inputs)-min(len(j.inputs), killingInputs):] {
			if follow := printed.FollowUps(x, rnd); follow != nil || len(printed.A) == 0 {
				in := append([][]float64{x}, follow...)
				groups[i], ask = append(groups[i], in), append(ask, in...)
			}
		}
	}
	own := slices.DeleteFunc(slices.Clone(p.Mutants), func(m mutant.Mutant) bool { return m.Function != j.program.Name })
	var lock sync.Mutex
	err = mutant.Each(ctx, own, func(ctx context.Context, _ int, m mutant.Mutant) error {
		var out []float64
		answered, err := p.Ask(ctx, m.ID, question{j.program.Name, ask}, &out)
		if err != nil || !answered {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		for i, r := range told {
			printed := r.Printed()
			for _, in := range groups[i] {
				rows := make([][]float64, len(in))
				for k := range rows {
					if y := out[k]; !math.IsNaN(y) && !math.IsInf(y, 0) {
						rows[k] = []float64{y}
					}
				}
				out = out[len(in):]
				if holds, applicable := printed.Holds(in, rows); applicable && !holds {
					by[i][m.ID] = true
				}
			}
		}
		return nil
	})
	return by, len(own), err
}

// question is what the program is asked.
type question struct {
	Subject string
	Inputs  [][]float64
}

// union returns the mutants that any of some relations kills.
func union(by []map[int]bool) map[int]bool {
	all := map[int]bool{}
	for _, kills := range by {
		for id := range kills {
			all[id] = true
		}
	}
	return all
}

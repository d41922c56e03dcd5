package faulty

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/measure"
	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

// Fate is what becomes of a mutant.
type Fate string

// The fates.
const (
	Counted    Fate = "counted"
	Equivalent Fate = "not distinguished"
	Hangs      Fate = "hangs"
)

// Trial is what the groups of a pool say of each mutant.
type Trial struct {
	Description properties.Description
	Relations   [][]int // that apply, for each source input
	Tried       []Tried
}

// Tried is one mutant.
type Tried struct {
	Mutant mutant.Mutant
	Fate   Fate
	Groups []measure.Groups // for each relation, if it counts
}

// Detected reports whether some group detects the mutant.
func (m Tried) Detected() bool {
	return slices.ContainsFunc(m.Groups, func(g measure.Groups) bool { return len(g.Violated) > 0 })
}

// Number is how many mutants have a fate.
func (t *Trial) Number(f Fate) int {
	n := 0
	for _, m := range t.Tried {
		if m.Fate == f {
			n++
		}
	}
	return n
}

// Try runs all groups of the pool on the original and on all mutants; those that survive are
// compared on further inputs, so many draws from first on.
func (p *Programs) Try(ctx context.Context, subject string, pool []uint64, first uint64, draws int) (*Trial, error) {
	q := measure.Try{Pool: pool, First: first, Draws: draws, Applicable: true}
	request := func() measure.Request { return measure.Request{Subject: subject, Try: &q} }
	began := time.Now()
	a, err := ask(ctx, p.schemata, 0, request(), time.Hour)
	if err != nil {
		return nil, err
	}
	t := &Trial{Description: a.Description, Relations: make([][]int, len(pool))}
	for r, g := range a.Groups {
		if len(g.Violated) > 0 {
			return nil, fmt.Errorf("relation %q of %s does not hold on the original, for draw %d: it is no relation",
				a.Description.Relations[r], subject, pool[g.Violated[0]])
		}
		for _, i := range g.Applicable {
			t.Relations[i] = append(t.Relations[i], r)
		}
	}
	q.Applicable, q.Outputs = false, a.Outputs
	// Once more, with what the surviving mutants are compared on.
	original, err := ask(ctx, p.schemata, 0, request(), time.Hour)
	if err != nil {
		return nil, err
	}
	// Generous, since on a busy machine no mutant may hang that does not on an idle one.
	limit := 10*time.Since(began) + 20*time.Second
	t.Tried, err = p.tryAll(ctx, p.mutants[subject], request(), original, limit)
	return t, err
}

func (p *Programs) tryAll(ctx context.Context, mutants []mutant.Mutant, q measure.Request, original measure.Response, limit time.Duration) ([]Tried, error) {
	out := make([]Tried, len(mutants))
	err := mutant.Each(ctx, mutants, func(ctx context.Context, i int, m mutant.Mutant) error {
		binary, id := p.binary(m)
		a, err := ask(ctx, binary, id, q, limit)
		switch {
		case errors.Is(err, errHang):
			out[i] = Tried{Mutant: m, Fate: Hangs}
			return nil
		case a.Outputs == original.Outputs && a.Further == original.Further:
			out[i] = Tried{Mutant: m, Fate: Equivalent}
		default:
			out[i] = Tried{Mutant: m, Fate: Counted, Groups: a.Groups}
		}
		return err
	})
	return out, err
}

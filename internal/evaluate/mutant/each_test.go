package mutant_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// All are tried, no more at a time than allowed; an error names its mutant and
// spares the rest.
func TestEach(t *testing.T) {
	t.Parallel()
	mutants := make([]mutant.Mutant, 50)
	for i := range mutants {
		mutants[i] = mutant.Mutant{ID: i + 1, File: "m.go", Line: i + 1}
	}
	var running, most, tried atomic.Int64
	seen := make([]bool, len(mutants))
	err := mutant.Each(t.Context(), mutants, func(_ context.Context, i int, m mutant.Mutant) error {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer running.Add(-1)
		seen[i] = m.ID == i+1
		tried.Add(1)
		return nil
	})
	if err != nil || tried.Load() != 50 || most.Load() > rig.Workers {
		t.Errorf("%d tried, %d at a time, error %v", tried.Load(), most.Load(), err)
	}
	for i, ok := range seen {
		if !ok {
			t.Errorf("mutant %d was not given with its index", i)
		}
	}

	bad := errors.New("no space")
	tried.Store(0)
	err = mutant.Each(t.Context(), mutants, func(ctx context.Context, i int, _ mutant.Mutant) error {
		tried.Add(1)
		switch {
		case i == 4:
			return bad
		case i > 4:
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	})
	if !errors.Is(err, bad) || !strings.Contains(err.Error(), mutants[4].String()) || tried.Load() > 4+rig.Workers {
		t.Errorf("%d tried, error %v", tried.Load(), err)
	}
}

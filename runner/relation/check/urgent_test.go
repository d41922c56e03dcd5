package check

import (
	"slices"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What differs in most calls comes first; before anything was called, nothing does.
func TestUrgentFirst(t *testing.T) {
	t.Parallel()
	_, p, _, _ := slow(t, time.Hour, 0) // the two versions of its function never agree
	differs, others := wire.OpAt(0), []wire.Op{wire.OpAt(2), wire.OpAt(1)}
	ops := []wire.Op{others[0], differs, others[1]}
	if got := urgentFirst(p, ops); !slices.Equal(got, ops) {
		t.Errorf("before any call: %v", got)
	}
	if err := p.Search.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer p.Search.Close()
	for range 30 {
		if err := p.Search.Compare(t.Context(), [][]byte{(wire.Sequence{{Op: differs, Args: []wire.Lit{{Form: wire.Int}}}}).Encode(nil)}); err != nil {
			t.Fatal(err)
		}
	}
	if got := urgentFirst(p, ops); !slices.Equal(got, []wire.Op{differs, others[0], others[1]}) {
		t.Errorf("after calls: %v", got)
	}
	if n := urgentOf(p, []relatedFunction{{op: differs}, {op: others[0]}}); n != 1 {
		t.Errorf("%d are urgent", n)
	}
}

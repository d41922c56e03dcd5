package check

import (
	"fmt"
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/declare"
	"github.com/isodelta/isodelta/runner/stage"
)

// Each function belongs to one share of several, whoever asks, and no share has nearly
// all of many.
func TestShares(t *testing.T) {
	t.Parallel()
	for shards := 0; shards < 6; shards++ {
		owned := map[int]int{}
		for i := range 600 {
			pkg, function := fmt.Sprintf("example.com/m%d", i%7), fmt.Sprintf("F%d", i)
			owners := 0
			for shard := 1; shard <= max(shards, 1); shard++ {
				if (Share{shard, shards}).has(pkg, function) {
					owners++
					owned[shard]++
				}
			}
			if owners != 1 {
				t.Fatalf("%s.%s is of %d of %d shares", pkg, function, owners, shards)
			}
		}
		for shard, n := range owned {
			if fair := 600 / max(shards, 1); n < fair*2/3 || n > fair*4/3 {
				t.Errorf("share %d of %d has %d functions", shard, shards, n)
			}
		}
	}
}

// A declared relation that was not checked is listed by the shard that it belongs to, and
// by no other.
func TestUnreachedOfAShare(t *testing.T) {
	t.Parallel()
	var declared declare.Compiled
	for i := range 20 {
		declared.Relations = append(declared.Relations, relation.Relation{Function: fmt.Sprintf("F%d", i), Package: "example.com/m", Name: "n", Notation: "n", At: fmt.Sprint(i)})
	}
	listed := map[string]int{}
	for shard := 1; shard <= 3; shard++ {
		var emitted events
		s := NewStage(&Registrar{Env: &stage.Env{Sink: &emitted}, Declared: declared, Share: Share{shard, 3}}, nil)
		s.NoteUnreached()
		for _, l := range emitted.limits() {
			if l.Kind == event.LimitRelations {
				listed[l.What]++
			}
		}
	}
	for _, x := range declared.Relations {
		if listed[x.At] != 1 {
			t.Errorf("%s is listed %d times", x.Function, listed[x.At])
		}
	}
}

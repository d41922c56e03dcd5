package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// TestSearchedIsKept: what a search has found is found again, and that it has found nothing
// is an answer; what cannot be read is searched anew.
func TestSearchedIsKept(t *testing.T) {
	t.Parallel()
	variables := []law.Variable{{Kind: law.Text}, {Kind: law.Text}}
	x := law.Apply(law.Equal, law.Var(1, law.Text), law.Apply(law.Lower, law.Var(0, law.Text)))
	k := &searched{cache: inferred[map[string][]string]{t.TempDir()}, key: "key", found: map[string][]string{}}
	lower := &genetic.Transform{Name: "lower(1)"}
	if _, ok := k.trees(lower, variables); ok {
		t.Fatal("nothing was searched")
	}
	k.add(lower, []*law.Expr{x})
	k.add(nil, nil)
	k.put(nil, "F")
	again, ok := k.cache.get("key")
	if diff := cmp.Diff(k.found, again); !ok || diff != "" {
		t.Fatalf("kept %t: %s", ok, diff)
	}
	k.found = again
	if got, ok := k.trees(lower, variables); !ok || len(got) != 1 || got[0].Key() != x.Key() {
		t.Errorf("%v, %t", got, ok)
	}
	if got, ok := k.trees(nil, variables); !ok || len(got) != 0 {
		t.Errorf("%v, %t", got, ok)
	}
	if _, ok := k.trees(lower, variables[:1]); ok {
		t.Error("a tree that reads what there is not is taken")
	}
}

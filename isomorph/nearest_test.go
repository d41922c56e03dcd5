package isomorph

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/runner/load"
)

// How far a declaration is from Δ is how far it is from the nearest member; and a member is nowhere but where it is.
func TestDistancesOfMembers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	layOut(t, dir, []txtar.File{{Name: "both/m.go", Data: []byte(`package m

type speaker interface{ Speak() string }

type cat struct{}

func (cat) Speak() string { return word("cat") }

func word(s string) string { return s }

func count(n int) int {
	if n == 0 {
		return 0
	}
	return count(n-1) + 1
}

func Say(s speaker) string { return s.Speak() }

func Cat() string { return Say(cat{}) }

func Count() int { return count(3) }

func Both() (string, int) { return Cat(), count(1) }

func Apart() int { return 1 }
`)}})
	r, err := Match(t.Context(), loadTree(t, filepath.Join(dir, "base")), loadTree(t, filepath.Join(dir, "head")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	reach := r.Head.Reach(nil, "head")
	at := map[string]load.Place{}
	for place, b := range reach.g.at {
		at[b.fn.Name()] = place
	}
	names := slices.Sorted(maps.Keys(at))
	var declarations []load.Place
	for _, name := range names {
		declarations = append(declarations, at[name])
	}
	got := reach.Distances([]load.Place{at["word"], at["count"], {File: "none.go"}}, append(declarations, load.Place{File: "none.go"}))
	want := map[string][2]int{"word": {0, -1}, "count": {-1, 0}, "Speak": {1, -1}, "Say": {2, -1}, "Cat": {3, -1}, "Count": {-1, 1}, "Both": {4, 1}, "Apart": {-1, -1}}
	for i, name := range names {
		w, ok := want[name]
		if !ok {
			continue
		}
		if got[0][i] != w[0] || got[1][i] != w[1] || got[2][i] != -1 {
			t.Errorf("%s: %d, %d, %d; want %v", name, got[0][i], got[1][i], got[2][i], w)
		}
		delete(want, name)
	}
	if len(want) > 0 || got[0][len(names)] != -1 {
		t.Errorf("not found: %v", want)
	}
}

package relation

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation/relationtest"
)

// sound returns the fixture's candidates.
func sound(t *testing.T) (dir string, tree *load.Tree, relations []Relation, subject func(string) *Subject) {
	t.Helper()
	dir = relationtest.Unpack(t, relationtest.Read(t, "testdata/sound.txtar"))
	tree, err := load.Load(t.Context(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*Subject{}
	for _, s := range subjects(tree.Packages[0], tree, nil) {
		byName[s.Name] = s
		relations = append(relations, Templates(s)...)
	}
	return dir, tree, relations, func(name string) *Subject { return byName[name] }
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// TestRapid: candidates become property tests that compile; those that hold
// pass, and exported alone they all pass.
func TestRapid(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs a module's tests")
	}
	dir, tree, relations, subject := sound(t)
	pkg := tree.Packages[0].Code.Types
	relations = slices.DeleteFunc(relations, func(r Relation) bool { return r.Function == "hidden" })
	file, left, err := RapidTest(pkg, relations, subject)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, l := range left {
		reasons[l.Relation.Function] = l.Reason
	}
	for f, want := range map[string]string{"(*Ring).Push": "its receiver has unexported fields", "(*Ring).Len": "its receiver has unexported fields"} {
		if !strings.Contains(reasons[f], want) {
			t.Errorf("%s is left out because %q, want %q", f, reasons[f], want)
		}
	}
	name := filepath.Join(dir, "relations_test.go")
	relationtest.Write(t, name, file)
	if !strings.HasPrefix(string(file), "package sound_test\n") {
		t.Errorf("not outside the package:\n%.300s", file)
	}
	run := func() (failed []string, out string) {
		out, err := relationtest.Go(t, dir, "test", "-vet=off", "-rapid.nofailfile", "-rapid.checks=60", "-rapid.seed=7", "-rapid.shrinktime=1ms", ".")
		if err != nil && !strings.Contains(out, "--- FAIL") {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, m := range failedTest.FindAllStringSubmatch(out, -1) {
			failed = append(failed, m[1])
		}
		return failed, out
	}
	failed, _ := run()
	// The order of tests is that of the relations that were not left out.
	exported := slices.DeleteFunc(slices.Clone(relations), func(r Relation) bool { return reasons[r.Function] != "" })
	used := map[string]bool{}
	exported = slices.DeleteFunc(exported, func(r Relation) bool { return slices.Contains(failed, propertyName(r, used)) })
	var kept []string
	for _, r := range exported {
		kept = append(kept, r.Notation)
	}
	for _, want := range []string{"Abs(-x) = Abs(x)", "Hypot(y, x) = Hypot(x, y)", "Sum(reverse(list)) = Sum(list)", "Sum(a ++ b) = Sum(a) + Sum(b)",
		"Mean(list + 1) = Mean(list) + 1", "Sort(list) sorts list", "Reverse(list); again: list as before", "Reversed(Reversed(s)) = s", "Trim(\" \" + s + \" \") = Trim(s)",
		"Swap(Swap(p)) = p", "Compare(b, a) = -Compare(a, b)", "¬(Less(a, b) ∧ Less(b, a))", "Union(b, a) = Union(a, b)", "p.Mirror() twice leaves p as it was",
		"p.Norm() leaves p as it is", "Metres(2·l) = 2·Metres(l)", "Unquote(Quote(s)) = s", "Max(first, reverse(rest)) = Max(first, rest)", "Doubled(reverse(list)) = reverse(Doubled(list))"} {
		if !slices.Contains(kept, want) {
			t.Errorf("%s is not among those that hold", want)
		}
	}
	for _, not := range []string{"Abs(-x) = -Abs(x)", "Sort(list); again: list as before", "Compare(b, a) = Compare(a, b)", "Reversed(Trim(s)) = s"} {
		if slices.Contains(kept, not) {
			t.Errorf("%s is said to hold", not)
		}
	}
	if file, _, err = RapidTest(pkg, exported, subject); err != nil {
		t.Fatal(err)
	}
	relationtest.Write(t, name, file)
	if failed, out := run(); len(failed) > 0 {
		t.Errorf("%d relations do not hold after all\n%s", len(failed), out)
	}
	t.Logf("%d candidates, %d exported, %d hold", len(relations), len(relations)-len(left), len(exported))
}

// TestRapidInternal: what needs unexported names goes into the package.
func TestRapidInternal(t *testing.T) {
	t.Parallel()
	_, tree, relations, subject := sound(t)
	relations = slices.DeleteFunc(relations, func(r Relation) bool { return r.Function != "hidden" || r.Name != "even" })
	file, left, err := RapidTest(tree.Packages[0].Code.Types, relations, subject)
	if err != nil || len(left) > 0 {
		t.Fatal(err, left)
	}
	want := `package sound

import (
	"testing"

	"pgregory.net/rapid"
)

// TestRelationHidden_Even: hidden(-x) = hidden(x).
func TestRelationHidden_Even(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.IntRange(-1000, 1000).Draw(t, "x")
		result := hidden(x)
		followup := hidden(-x)
		if followup != result {
			t.Fatalf("hidden(-x) = hidden(x) does not hold for x = %v\n\thidden(x) = %v\n\thidden(-x) = %v", x, result, followup)
		}
	})
}
`
	if string(file) != want {
		t.Errorf("%s", file)
	}
}

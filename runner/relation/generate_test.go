package relation

import (
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/relation/relationtest"
)

// TestRegistrationCompiles: whatever shape a function has, the closures for all
// of its candidates compile as part of the package.
func TestRegistrationCompiles(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds a module")
	dir, tree := relationtest.Module(t, relationtest.Read(t, "testdata/shapes.txtar"))
	pkg := tree.Packages[0]
	a := relationtest.Aliases{}
	var lines []string
	counts := map[string]int{}
	slice := types.NewSlice(types.Typ[types.Int])
	for _, s := range subjects(pkg, tree, map[string][]types.Type{"Map": {slice, types.Typ[types.Int], types.Typ[types.String]}}) {
		for _, r := range Templates(s) {
			src, imports, err := Registration(r, a.Qualify)
			if err != nil {
				t.Error(err)
				continue
			}
			if strings.Contains(src, "\n") {
				t.Errorf("more than one line: %s", src)
			}
			for _, p := range imports {
				if a[p] == "" {
					t.Errorf("%s: import %s was not asked for", src, p)
				}
			}
			lines = append(lines, src)
			counts[s.Name]++
		}
	}
	relationtest.Write(t, filepath.Join(dir, "isodelta_calls_test.go"), []byte(relationtest.Registering("shapes", probe.Path+"/harness", lines, a)))
	out, err := relationtest.Go(t, dir, "test", "-c", "-vet=off", "-overlay", realHarness(t), "-o", os.DevNull, ".")
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, s := range []string{"Abs", "Add", "Sum", "Mean", "SortNames", "Max", "Map", "(*Ring).Push", "(*Stack[T]).Push", "(Set).Add", "Encode", "MarshalRing", "hide", "Shadow", "Lengths"} {
		if counts[s] == 0 {
			t.Errorf("no candidates for %s", s)
		}
	}
	t.Logf("%d relations of %d functions", len(lines), len(counts))
}

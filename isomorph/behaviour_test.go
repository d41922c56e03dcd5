package isomorph

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/runner/load"
)

const behaving = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import "strings"

var names = map[string]int{"a": 1}

// Total of a list.
func Total(list []int) int {
	sum := 0
	each(list, func(n int) { sum += twice(n) })
	return sum
}

func each(list []int, f func(int)) {
	for _, n := range list {
		f(n)
	}
}

func twice(n int) int { return 2 * n }

func Alone(s string) string { return strings.TrimSpace(s) }
`

// behaviourOf returns the digest of a function of the archive, as edited.
func behaviourOf(t *testing.T, function string, edits ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(edits...).Replace(behaving)
	for _, f := range txtar.Parse([]byte(text)).Files {
		if err := os.WriteFile(filepath.Join(root, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := loadTree(t, root)
	r, err := Match(t.Context(), tree, tree, Options{})
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(root, "m.go"))
	if err != nil {
		t.Fatal(err)
	}
	digest, ok := r.Base.Behaviour(load.Place{File: "m.go", Offset: strings.Index(string(source), "func "+function+"(")})
	if !ok {
		t.Fatalf("%s is not known", function)
	}
	return digest
}

// What is inferred of a function is kept under this digest: it must change with
// all that the function does, and with nothing else.
func TestBehaviour(t *testing.T) {
	t.Parallel()
	same := behaviourOf(t, "Total")
	for name, c := range map[string]struct {
		edits   []string
		changes bool
	}{
		"comments, places and names of variables": {[]string{"// Total of a list.", "// Total adds.\n\n\n", "sum", "s"}, false},
		"another function":                        {[]string{"strings.TrimSpace(s)", "strings.ToUpper(s)"}, false},
		"a callee":                                {[]string{"2 * n", "3 * n"}, true},
		"a callee that takes a function":          {[]string{"\t\tf(n)\n", "\t\tf(n)\n\t\tf(n)\n"}, true},
		"its closure":                             {[]string{"sum += twice(n)", "sum -= twice(n)"}, true},
		"what initialises the package":            {[]string{`"a": 1`, `"a": 2`}, true},
	} {
		if got := behaviourOf(t, "Total", c.edits...); (got != same) != c.changes {
			t.Errorf("%s: changed is %t, want %t", name, got != same, c.changes)
		}
	}
	if behaviourOf(t, "Alone") == same {
		t.Error("two functions have one digest")
	}
}

func TestBehaviourOfNothing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(behaving)).Files {
		if err := os.WriteFile(filepath.Join(root, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := loadTree(t, root)
	r, err := Match(t.Context(), tree, tree, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Base.Behaviour(load.Place{File: "m.go", Offset: 1 << 20}); ok {
		t.Error("there is nothing at this place")
	}
}

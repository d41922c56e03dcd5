package tested

import (
	"testing"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation"
	"os"
)

func TestTry(t *testing.T) {
	dir := os.Getenv("TRY")
	if dir == "" {
		t.Skip()
	}
	tree, err := load.Load(t.Context(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range tree.Packages {
		list, left := Find(tree, p)
		t.Log(left)
		for _, r := range list {
			src, _, err := relation.Registration(r, nil)
			t.Logf("%s %-30s %s (%s) %v", r.At, r.Function, r.Notation, r.Name, err)
			if r.Form.Body != "" {
				t.Log(src)
			}
		}
	}
}

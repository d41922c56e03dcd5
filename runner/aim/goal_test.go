package aim

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
)

const source = `package m

import "errors"

func F(a, b int, list []int) error {
	if a > 1 && b == 2 {
		return errors.New("both")
	}
	for range list {
		a++
	}
	return nil
}
`

func tree(t *testing.T) (*load.Tree, *instrument.Program) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source, "empty.go": "package m\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	p, err := instrument.Code(tr, instrument.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return tr, p
}

func TestGoals(t *testing.T) {
	t.Parallel()
	tr, p := tree(t)
	no := false
	for _, c := range []struct {
		line Line
		want []string
	}{
		{Line{File: "m.go", Line: 6}, []string{"a > 1 is true", "a > 1 is false", "b == 2 is true", "b == 2 is false"}},
		{Line{File: "m.go", Line: 6, Outcome: &no}, []string{"a > 1 is false", "b == 2 is false"}},
		{Line{File: "m.go", Line: 9}, []string{"the body of the loop is executed"}},
	} {
		goals, err := Goals(tr, p, c.line)
		if err != nil {
			t.Fatal(err)
		}
		var got, ids []string
		for _, g := range goals {
			got = append(got, g.String())
			ids = append(ids, g.id())
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%+v: %s", c.line, d)
		}
		slices.Sort(ids)
		if len(slices.Compact(ids)) != len(goals) {
			t.Errorf("%+v: the tests of two goals have one name: %v", c.line, ids)
		}
	}
}

func TestGoalsThatAreNone(t *testing.T) {
	t.Parallel()
	tr, p := tree(t)
	no := false
	for _, c := range []struct {
		line Line
		near []int
	}{
		{Line{File: "m.go", Line: 7}, []int{6, 9}},
		{Line{File: "m.go", Line: 400}, []int{6, 9}},
		{Line{File: "m.go", Line: 9, Outcome: &no}, []int{6}}, // it has no condition
		{Line{File: "empty.go", Line: 1}, nil},
	} {
		_, err := Goals(tr, p, c.line)
		var wrong *LineError
		if !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", c.line, err)
			continue
		}
		if d := cmp.Diff(c.near, wrong.Nearby); d != "" {
			t.Errorf("%+v: %s", c.line, d)
		}
	}
	_, err := Goals(tr, p, Line{File: "none.go", Line: 3})
	var wrong *FileError
	if !errors.As(err, &wrong) {
		t.Errorf("a file that is not there: %v", err)
	}
}

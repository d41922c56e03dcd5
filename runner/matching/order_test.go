package matching

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

const code = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func changed(x int) int { return x }

func Near(x int) int { return changed(x) }

func Far(x int) int { return Near(x) }

func Apart(x int) int { return -x }
-- m_test.go --
package m

import "testing"

func TestApart(t *testing.T)   { Apart(1) }
func TestFar(t *testing.T)     { Far(1) }
func TestNear(t *testing.T)    { Near(1) }
func TestChanged(t *testing.T) { changed(1) }
`

// tree loads a module that is written down as an archive; edit is done to m.go.
func tree(t *testing.T, edit func(string) string) *load.Tree {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(code)).Files {
		text := string(f.Data)
		if f.Name == "m.go" {
			text = edit(text)
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Tests from which fewer calls lead to the change come first, what does not reach it
// last. Those that the change edits come before all others that reach it.
func TestOrder(t *testing.T) {
	t.Parallel()
	base := &build.Version{Side: version.Base, Tree: tree(t, func(s string) string { return s })}
	head := &build.Version{Side: version.Head, Tree: tree(t, func(s string) string {
		return s[:len("package m\n\nfunc changed(x int) int { return x")] + " + 1" + s[len("package m\n\nfunc changed(x int) int { return x"):]
	})}
	m, err := Of(context.Background(), version.Both[*build.Version]{base, head}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"changed"}, m.Names); diff != "" {
		t.Fatal(diff)
	}
	var tests []*build.Test
	for _, name := range []string{"TestApart", "TestFar", "TestNear", "TestChanged"} {
		tests = append(tests, &build.Test{Test: instrument.Test{Package: "example.com/m", Name: name, Source: name}})
	}
	for _, c := range []struct{ edited, want []string }{
		{nil, []string{"TestChanged", "TestNear", "TestFar", "TestApart"}},
		{[]string{"TestFar", "TestApart"}, []string{"TestFar", "TestChanged", "TestNear", "TestApart"}},
	} {
		m.Order(tests, func(x *build.Test) bool { return slices.Contains(c.edited, x.Name) })
		var got []string
		for _, x := range tests {
			got = append(got, x.Name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v edited: %s", c.edited, diff)
		}
	}
}

// Of many tests that lead to a function, those with a rare word of its name in theirs stand out.
func TestNamedAfter(t *testing.T) {
	t.Parallel()
	var tests []*build.Test
	add := func(names ...string) {
		for _, name := range names {
			tests = append(tests, &build.Test{Test: instrument.Test{Name: name}})
		}
	}
	for range 2 * rareShare {
		add("TestUnmarshalField")
	}
	add("TestUnmarshalEnv", "TestEnvValue", "TestOf")
	named := namedAfter([]string{"processFieldWithEnvValueOf"}, tests)
	for _, x := range tests {
		want := map[string]int{"TestUnmarshalEnv": 1, "TestEnvValue": 2}[x.Name]
		if named[x] != want {
			t.Errorf("%s: %d, want %d", x.Name, named[x], want)
		}
	}
}

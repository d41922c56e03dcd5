package isomorph_test

import (
	"context"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/load"
)

// dependent is a module with a dependency in a folder. What its functions call is what the
// table says of each of them.
const dependent = `
-- go.mod --
module example.com/m

go 1.21

require (
	example.com/between v1.0.0
	example.com/dep v1.0.0
	example.com/host v1.0.0
)

replace (
	example.com/between => ./between
	example.com/dep => ./dep
	example.com/host => ./host
)
-- m.go --
package m

import (
	"fmt"
	"sort"

	"example.com/between"
	"example.com/dep"
	"example.com/host"
)

func Direct() int            { return dep.Changed() }
func Between() int           { return Direct() }
func Deeper() int            { return dep.Calls() }
func Same() int              { return dep.Same() }
func Table(i int) string     { return dep.Lookup(i) }
func Filled() string         { return dep.Filled("a") }
func Hosted() int            { return host.Host(between.Guest{}) }
func Derived() int           { return dep.Derived() }
func Value() func() int      { return dep.Changed }
func Closure() func() int    { return func() int { return dep.Changed() } }
func Dynamic(s dep.Shape) int { return s.Area() }
func Made() int              { return Dynamic(dep.Square{2}) }
func Printed() string        { return fmt.Sprint(dep.Named("x")) }
func Sorted(l dep.List)      { sort.Sort(l) }
func Own(i int) int          { return -i }
func Through() int           { return through() }
func through() int           { return dep.Changed() + 1 }
func inside() int            { return Direct() }
func Listed() string         { return dep.List2[0] }
func Rows() any              { return dep.Rows() }
func Encoded() string        { return dep.Encoded() }
func Templates() map[string]any { return between.Functions() }

var _ = inside

type Tile struct{ dep.Square }
-- between/go.mod --
module example.com/between

go 1.21

require example.com/dep v1.0.0
-- host/go.mod --
module example.com/host

go 1.21
-- host/host.go --
package host

type Guest interface{ Stay() int }

func Host(g Guest) int { return g.Stay() }
-- between/between.go --
package between

import "example.com/dep"

var functions = map[string]any{"held": dep.Held}

func Functions() map[string]any {
	out := map[string]any{}
	for name, f := range functions {
		out[name] = f
	}
	return out
}

type Guest struct{}

func (Guest) Stay() int { return dep.Changed() }
-- dep/go.mod --
module example.com/dep

go 1.21
-- dep/dep.go --
package dep

func Changed() int   { return 1 }
func Calls() int     { return inner() }
func inner() int     { return 2 }
func Same() int      { return 3 }
func Unreached() int { return 4 }
func Held() int      { return 5 }

var table = []string{"a", "b"}

var packed = "a=1"

var filled = map[string]string{}

func init() { fill() }

func fill() { put(packed[:1], packed[2:]) }

func put(k, v string) { filled[k] = v }

func Filled(k string) string { return filled[k] }

func Lookup(i int) string { return table[i] }

var derived = inner() + 1

func Derived() int { return derived }

type Shape interface{ Area() int }

type Square struct{ N int }

func (s Square) Area() int { return s.N * s.N }

func Unit() Shape { return Square{1} }

var List2 = []string{"listed"}

type Cell struct {
	N int ` + "`json:\"n\"`" + `
}

type Row struct{ Cells []Cell }

func Rows() []Row { return nil }

func Encoded() string { return text(&Row{}) }

func text(v any) string { return "" }

type Named string

func (n Named) String() string { return "n" + string(n) }

type List []int

func (l List) Len() int           { return len(l) }
func (l List) Less(i, j int) bool { return l[i] < l[j] }
func (l List) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
`

// matched matches two trees and returns which dependencies differ. The code of these is not
// compared yet: depend does that.
func matched(t *testing.T, base, head *load.Tree) (*isomorph.Result, []load.Bump) {
	t.Helper()
	r, err := isomorph.Match(t.Context(), base, head, isomorph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bumps, err := load.Bumps(base, head)
	if err != nil {
		t.Fatal(err)
	}
	return r, bumps
}

// depend compares the dependency's two versions.
func depend(t *testing.T, r *isomorph.Result, base, head *load.Tree, bumps []load.Bump) {
	t.Helper()
	var sources [2]*load.Sources
	for i, tree := range []*load.Tree{base, head} {
		var err error
		if sources[i], err = tree.Sources(context.Background(), map[string]bool{"example.com/dep": true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Depend(t.Context(), sources[0], sources[1], bumps); err != nil {
		t.Fatal(err)
	}
}

func dependentTree(t *testing.T, edits ...string) *load.Tree {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(dependent)).Files {
		text := string(f.Data)
		if strings.HasPrefix(f.Name, "dep/") {
			text = strings.NewReplacer(edits...).Replace(text)
		}
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// What a dependency changes reaches those functions of the module from which calls lead to
// it without another function of the module between, and no others.
func TestDepend(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edits []string
		want  []string
	}{
		"a function":                  {[]string{"return 1", "return 10"}, []string{"Closure: Changed", "Direct: Changed", "Hosted: Changed", "Value: Changed", "through: Changed"}},
		"nobody's":                    {[]string{"return 4", "return 40"}, nil},
		"a comment":                   {[]string{"func Same", "// Same says.\nfunc Same"}, nil},
		"a table":                     {[]string{`"b"`, `"c"`}, []string{"Table: Lookup (table)"}},
		"what a table is filled with": {[]string{`"a=1"`, `"a=2"`}, []string{"Filled: Filled (filled)"}},
		"the form of it":              {[]string{`{"a", "b"}`, "{\n\t\"a\",\n\t\"b\",\n}"}, nil},
		"what a variable is made by": {[]string{"return 2", "return 20"},
			[]string{"Deeper: inner", "Derived: Derived (derived)"}},
		"a method behind an interface": {[]string{"s.N * s.N", "s.N"}, []string{"Dynamic: (Square).Area"}},
		"what fmt calls":               {[]string{`"n" + string(n)`, `string(n)`}, []string{"Printed: (Named).String"}},
		"what a table between holds":   {[]string{"return 5", "return 50"}, []string{"Templates: Held"}},
		"a variable":                   {[]string{`"listed"`, `"lists"`}, []string{"Listed: List2"}},
		"the tag of a field":           {[]string{"`json:\"n\"`", "`json:\"m\"`"}, []string{"Encoded: Encoded", "Rows: Rows"}},
		"what sort calls":              {[]string{"l[i] < l[j]", "l[i] > l[j]"}, []string{"Sorted: (List).Less"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, head := dependentTree(t), dependentTree(t, c.edits...)
			r, bumps := matched(t, base, head)
			depend(t, r, base, head, bumps)
			var got []string
			for _, f := range r.Changed {
				for _, o := range f.Through {
					text := f.Name + ": " + o.Name
					if o.Data != "" {
						text += fmt.Sprintf(" (%s)", o.Data)
					}
					got = append(got, text)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if len(r.Dependencies) != 1 || (r.Dependencies[0].Functions == 0) != (name == "a comment" || name == "the form of it") {
				t.Errorf("%+v", r.Dependencies)
			}
		})
	}
}

// What leads to a difference does so by way of exported functions or not.
func TestLead(t *testing.T) {
	t.Parallel()
	base, head := dependentTree(t), dependentTree(t, "return 1", "return 10")
	r, bumps := matched(t, base, head)
	r.Built(bumps)
	if _, known := r.Lead("head", load.Place{}); known {
		t.Error("something is known before dependencies are compared")
	}
	depend(t, r, base, head, bumps)
	// What is exported of the dependency and leads to its change comes with it.
	if diff := cmp.Diff([]isomorph.Seam{{Package: "example.com/dep", Name: "Changed"}}, r.Seams); diff != "" {
		t.Error(diff)
	}
	want := map[string]isomorph.Lead{"Direct": isomorph.LeadsIn, "Between": isomorph.LeadsOn, "inside": isomorph.LeadsOn,
		"Through": isomorph.LeadsIn, "through": isomorph.LeadsOn, "Own": isomorph.LeadsNowhere, "Same": isomorph.LeadsNowhere}
	for _, p := range head.Packages {
		for _, f := range p.Code.Syntax {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				expected, ok := want[fn.Name.Name]
				if !ok {
					continue
				}
				for _, side := range []string{"base", "head"} {
					if lead, known := r.Lead(side, head.Place(fn.Pos())); !known || lead != expected {
						t.Errorf("%s on %s: %v, %v, want %v", fn.Name.Name, side, lead, known, expected)
					}
				}
			}
		}
	}
}

// Exported functions of a dependency lead to its change, those first that lead to what few
// do: what makes a value with a changed method, too.
func TestSeams(t *testing.T) {
	t.Parallel()
	base, head := dependentTree(t), dependentTree(t, "s.N * s.N", "s.N", "return 2", "return 20")
	r, bumps := matched(t, base, head)
	depend(t, r, base, head, bumps)
	var got []string
	for _, s := range r.Seams {
		got = append(got, s.Type+"."+s.Name)
	}
	if diff := cmp.Diff([]string{".Derived", ".Calls", "Square.Area", ".Unit"}, got); diff != "" {
		t.Error(diff)
	}
}

// A method that a type has by embedding one of a dependency is the dependency's: the module's own code is the same.
func TestPromotedMethods(t *testing.T) {
	t.Parallel()
	r, bumps := matched(t, dependentTree(t), dependentTree(t, "type Square", "func (Square) Sides() int { return 4 }\n\ntype Square"))
	if want := "methods from dependencies changed: type example.com/m.Tile"; !slices.Contains(r.PruneBlockers, want) {
		t.Errorf("%q lacks %q", r.PruneBlockers, want)
	}
	r.Built(bumps)
	if !r.OnlyDependencies || len(r.PruneBlockers) != 1 {
		t.Errorf("only dependencies: %t, %q", r.OnlyDependencies, r.PruneBlockers)
	}
}

// Files that are the same are no bump, whatever go.mod calls them.
func TestBumpsAreOfFiles(t *testing.T) {
	t.Parallel()
	bumps, err := load.Bumps(dependentTree(t), dependentTree(t))
	if err != nil || len(bumps) > 0 {
		t.Errorf("%+v, %v", bumps, err)
	}
}

package reach

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/load"
)

const shapes = `package m

type Size struct{ N int }

type Kind struct{ S string }

type Sizer interface{ Size() Size }

type Box struct{ S Size }

func (b Box) Size() Size { return b.S }

func Changed(n int) Size { return Size{n} }

func Calls(n int) Kind { Changed(n); return Kind{} }

func Area(s Size) int { return s.N }

func Name(k Kind) string { return k.S }

func Apart(x int) int { return x }

func Make(n int) Sizer { return Box{Size{n}} }

func Use(s Sizer) int { return s.Size().N }

func Failing() error { return nil }

type Limit struct {
	Size, Count int
	Of          *int
}

var one int

var limits = []Limit{{Size: 1, Count: 1, Of: &one}, {Size: 2, Of: &one}}

func Cut(l Limit) int { return l.Size }

func (b Box) Put(s Sizer) {}

func (b Box) Add(o Box) {}
`

// apiOf is what can be called of the package above.
func apiOf(t *testing.T) *surface.API {
	t.Helper()
	tree := treeOf(t)
	hooks := surface.NewHooks(tree, tree, func(string) bool { return true })
	api, err := surface.NewAPI(tree, tree, tree, "example.com/m", hooks)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// treeOf loads the module of the package above.
func treeOf(t *testing.T) *load.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": shapes} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestRoles(t *testing.T) {
	t.Parallel()
	api := apiOf(t)
	leads := func(op surface.Operation) bool { return op.Name == "Calls" || op.Name == "Changed" }
	for _, c := range []struct {
		what    string
		changed []string
		anyInit bool
		want    map[string]wire.Role
	}{
		// Area takes what Changed builds, Name what its caller does.
		{"a function", []string{"Changed"}, false, map[string]wire.Role{"Changed": wire.Changed, "Calls": wire.Caller,
			"Area": wire.Consumer, "Name": wire.Consumer}},
		// The method of the interface shows what the method behind it shows, and what
		// takes the interface consumes. What makes the value behind it leads there.
		{"a method", []string{"(Box).Size"}, false, map[string]wire.Role{"(Box).Size": wire.Changed, "Sizer.Size": wire.Changed, "Make": wire.Caller,
			"Calls": wire.Caller, "Changed": wire.Caller, "Area": wire.Consumer, "Name": wire.Consumer, "Use": wire.Consumer,
			"(Box).Put": wire.Consumer, "(Box).Add": wire.Consumer}},
		{"an initialiser", nil, true, map[string]wire.Role{"Calls": wire.Caller, "Changed": wire.Caller,
			"Area": wire.Consumer, "Name": wire.Consumer, "Apart": wire.Consumer, "(Box).Size": wire.Consumer,
			"Make": wire.Consumer, "Use": wire.Consumer, "Failing": wire.Consumer, "Cut": wire.Consumer, "(Box).Put": wire.Consumer, "(Box).Add": wire.Consumer}},
	} {
		changed := map[string]bool{}
		for _, name := range c.changed {
			changed[name] = true
		}
		got := map[string]wire.Role{}
		for i, role := range rolesOf(api, changed, c.anyInit, leads) {
			if op := api.Op(i); op.Package == "example.com/m" {
				got[op.Name] = role
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s changed: %s", c.what, diff)
		}
	}
}

// What leads to a member stands in the order of how far it is from there. A method of an interface is as near as the
// method behind it, and what makes values with that method is a call away.
func TestLeads(t *testing.T) {
	t.Parallel()
	api := apiOf(t)
	at := map[string]wire.Op{}
	roles := map[wire.Op]wire.Role{}
	for i, op := range api.All() {
		at[op.Name], roles[i] = i, wire.Caller
	}
	roles[at["Apart"]] = wire.Consumer
	far := []map[wire.Op]int{{at["Changed"]: 0, at["Calls"]: 1, at["Apart"]: 1}, {at["(Box).Size"]: 0, at["Use"]: 2}}
	var got [][]string
	for _, list := range leadsOf(api, roles, []string{"Changed", "(Box).Size"}, far) {
		var names []string
		for _, i := range list {
			names = append(names, api.Op(i).Name)
		}
		got = append(got, names)
	}
	if len(got) != 2 || len(got[1]) != 4 {
		t.Fatal(got)
	}
	slices.Sort(got[1][:2])
	if diff := cmp.Diff([][]string{{"Changed", "Calls"}, {"(Box).Size", "Sizer.Size", "Make", "Use"}}, got); diff != "" {
		t.Error(diff)
	}
}

// Where relations of everything are checked, every exported function of the package
// counts as changed.
func TestWanted(t *testing.T) {
	t.Parallel()
	api := apiOf(t)
	roles := wanted(api)
	for i, op := range api.All() {
		if got, want := roles[i] == wire.Changed, op.Exported && op.Package == api.Package; got != want {
			t.Errorf("%s of %s: %t", op.Name, op.Package, got)
		}
	}
	if len(roles) == 0 {
		t.Error("nothing is wanted")
	}
}

func TestWordOf(t *testing.T) {
	t.Parallel()
	want := map[wire.Role]event.Role{wire.Changed: event.RoleChanged, wire.Caller: event.RoleCaller, wire.Consumer: event.RoleConsumer}
	for role, word := range want {
		if got := wordOf(role); got != word {
			t.Errorf("%d is %q", role, got)
		}
	}
}

package build

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// pkg is a package of a version under test.
type pkg struct {
	name    string
	imports []string // of its code
	tests   []string // imports of its tests; nil for none
}

const module = "example.com/m"

// versionOf is a version with these packages, in their order.
func versionOf(side version.Side, list ...pkg) *Version {
	v := &Version{Side: side, Tree: &load.Tree{Module: module}}
	imports := func(names []string) *packages.Package {
		p := &packages.Package{Imports: map[string]*packages.Package{}}
		for _, n := range names {
			p.Imports[module+"/"+n] = nil
		}
		return p
	}
	for _, x := range list {
		p := &load.Package{Path: module + "/" + x.name, Code: imports(x.imports)}
		if x.tests != nil {
			p.Test = imports(x.tests)
		}
		v.Tree.Packages = append(v.Tree.Packages, p)
	}
	return v
}

func changed(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[module+"/"+n] = true
	}
	return out
}

// a is imported by b, b by c and by the tests of t; d has nothing to do with it.
var chain = []pkg{{"a", nil, []string{}}, {"b", []string{"a"}, []string{}}, {"c", []string{"b"}, nil}, {"d", nil, []string{}}, {"t", nil, []string{"b"}}}

func TestAffectedCountsImports(t *testing.T) {
	t.Parallel()
	// Base has an import less: c is two imports away on head alone.
	base := append([]pkg(nil), chain...)
	base[2] = pkg{"c", nil, nil}
	// The tests of u are nearer to the change than its code.
	head := append(append([]pkg(nil), chain...), pkg{"u", []string{"c"}, []string{"a"}})
	b := &Builder{Changed: changed("a"), Versions: version.Both[*Version]{versionOf(version.Base, base...), versionOf(version.Head, head...)}}
	want := map[string]int{module + "/a": 0, module + "/b": 1, module + "/c": 2, module + "/t": 2, module + "/u": 1}
	if diff := cmp.Diff(want, b.Affected()); diff != "" {
		t.Error(diff)
	}
	b.Everything = true
	want[module+"/d"] = math.MaxInt
	if diff := cmp.Diff(want, b.Affected()); diff != "" {
		t.Errorf("everything: %s", diff)
	}
}

// The shorter of two ways counts, whatever the order of the packages.
func TestDistancesAreShortest(t *testing.T) {
	t.Parallel()
	v := versionOf(version.Head, pkg{"far", []string{"near", "mid"}, nil}, pkg{"mid", []string{"near"}, nil}, pkg{"near", []string{"a"}, nil}, pkg{"a", nil, nil})
	want := map[string]int{module + "/a": 0, module + "/near": 1, module + "/mid": 2, module + "/far": 2}
	if diff := cmp.Diff(want, v.distances(changed("a"))); diff != "" {
		t.Error(diff)
	}
}

// callable makes calls in packages of the list.
type callable map[string]bool

func (c callable) Callable(p *load.Package) bool { return c[p.Path] }
func (callable) Prepare(*Suite, string)          {}
func (callable) Overlay(*Suite, *Version, string, string) (map[string]string, error) {
	return nil, nil
}
func (callable) Mend(*Suite, string, version.Both[*execute.BuildError]) bool { return false }

func TestChoose(t *testing.T) {
	t.Parallel()
	head := versionOf(version.Head, append([]pkg{{"bare", nil, nil}}, chain...)...)
	for _, c := range []struct {
		name           string
		asked, exclude []string
		changed        []string
		calls          Caller
		want           []string
	}{
		{"nearest first, those without tests left out", nil, nil, []string{"a"}, nil, []string{"a", "b", "t"}},
		{"as asked for", []string{"./t", "./d", "./a"}, nil, []string{"a"}, nil, []string{"a", "t"}},
		{"excluded", nil, []string{"./b"}, []string{"a"}, nil, []string{"a", "t"}},
		{"no tests, no calls", nil, nil, []string{"bare"}, nil, nil},
		{"no tests, and calls can be made", nil, nil, []string{"bare"}, callable{module + "/bare": true}, []string{"bare"}},
		{"no tests, and calls cannot be made", nil, nil, []string{"bare"}, callable{}, nil},
		{"asked for by name, without tests", []string{"./c"}, nil, []string{"a"}, callable{module + "/c": true}, []string{"c"}},
		{"asked for by name twice", []string{"./c", "./c/...", "./a"}, nil, []string{"a"}, callable{module + "/c": true}, []string{"a", "c"}},
		{"asked for, excluded", []string{"./c"}, []string{"./c"}, []string{"a"}, callable{module + "/c": true}, nil},
		{"asked for with others that have tests", []string{"./..."}, nil, []string{"a"}, callable{module + "/c": true}, []string{"a", "b", "t"}},
		{"asked for, and has nothing to do with the change", []string{"./bare"}, nil, []string{"a"}, callable{module + "/bare": true}, nil},
		{"calls in changed packages only", nil, nil, []string{"a"}, callable{module + "/c": true}, []string{"a", "b", "t"}},
	} {
		b := &Builder{Changed: changed(c.changed...), Asked: c.asked, Exclude: c.exclude, Calls: c.calls,
			Versions: version.Both[*Version]{versionOf(version.Base), head}}
		var want []string
		for _, n := range c.want {
			want = append(want, module+"/"+n)
		}
		if diff := cmp.Diff(want, b.choose(head, b.Affected())); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// What names nothing on either version is listed, by where it was written; what names
// a package of one version is not, even if nothing has to run there.
func TestListUnmatched(t *testing.T) {
	t.Parallel()
	base, head := versionOf(version.Base, append([]pkg{{"gone", nil, nil}}, chain...)...), versionOf(version.Head, chain...)
	for _, c := range []struct {
		name           string
		asked, exclude []string
		want           []string
	}{
		{"nothing is asked for", nil, nil, nil},
		{"all are known", []string{"./...", "./a", module + "/b"}, []string{"./gone", "./d/..."}, nil},
		{"misspelt", []string{"./a", "./aa"}, []string{"./x/.../gen", "./d"}, []string{"packages: ./aa", "exclude: ./x/.../gen"}},
		{"of another module", []string{"example.com/other/..."}, nil, []string{"packages: example.com/other/..."}},
	} {
		var said events
		b := &Builder{Env: &stage.Env{Sink: &said}, Asked: c.asked, Exclude: c.exclude, Versions: version.Both[*Version]{base, head}}
		b.ListUnmatched()
		var got []string
		for _, e := range said {
			if l := e.(event.Limit); l.Kind == event.LimitPattern {
				got = append(got, l.What)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestPatternsAreAllWithoutAny(t *testing.T) {
	t.Parallel()
	if got := (&Builder{}).Patterns(); len(got) != 1 || got[0] != "./..." {
		t.Errorf("%v", got)
	}
}

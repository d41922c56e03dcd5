package harness

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A path is of a file that is there, or of a folder around such files, for one sequence.
func TestPathOfLiterals(t *testing.T) {
	m := NewMachine(newRegistry())
	t.Setenv("TMPDIR", t.TempDir())
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	l := wire.Lit{Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int, N: 2}, text("a"), text("1"), text("b/c.txt"), text("2")}}
	type name string
	v, err := m.Build(l, reflect.TypeFor[name]())
	if err != nil {
		t.Fatal(err)
	}
	of := v.String()
	if b, err := os.ReadFile(of); err != nil || string(b) != "2" {
		t.Errorf("%s holds %q: %v", of, b, err)
	}
	l.E[0].N = 0
	v, err = m.Build(l, reflect.TypeFor[string]())
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(v.String(), "a")); err != nil || string(b) != "1" {
		t.Errorf("the folder has a file with %q: %v", b, err)
	}
	missing := wire.Lit{Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int, N: 1}, text("new/a"), {}, text("b"), text("1")}}
	if v, err = m.Build(missing, reflect.TypeFor[string]()); err != nil {
		t.Fatal(err)
	}
	around := filepath.Dir(filepath.Dir(v.String()))
	if list, err := os.ReadDir(around); err != nil || len(list) != 1 || list[0].Name() != "b" {
		t.Errorf("around %s there are %v, %v", v, list, err)
	}
	m.Run(wire.Sequence{})
	for _, gone := range []string{of, v.String()} {
		if _, err := os.Stat(gone); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", gone, err)
		}
	}
	for what, wrong := range map[string]wire.Lit{
		"a file that is not there": {Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int, N: 2}, text("a"), text("")}},
		"a file elsewhere":         {Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int}, text("../a"), text("")}},
		"half a file":              {Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int}, text("a")}},
	} {
		if _, err := m.Build(wrong, reflect.TypeFor[string]()); err == nil {
			t.Errorf("%s makes a path", what)
		}
	}
	if _, err := m.Build(l, reflect.TypeFor[int]()); err == nil {
		t.Error("a path is a number")
	}
}

// Paths are made where a parameter or a field names files: of files that tests read, with and without a change, and others.
func TestFreshPath(t *testing.T) {
	t.Parallel()
	type options struct{ File, Name string }
	r := newRegistry()
	r.Ops = append(r.Ops, Operation{Name: "Load", Paths: 1 << 1, In: []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[string]()}})
	r.pathFields[field{reflect.TypeFor[options](), "File"}] = true
	plain := NewPlain()
	plain.read = [][2]string{{"a.conf", "key = value"}}
	g := newGenerator(NewMachine(r), plain, 1)
	load := wire.Op(len(r.Ops) - 1)
	seen := map[string]bool{}
	for range 500 {
		b := g.builder(nil)
		if l, ok := b.fresh(reflect.TypeFor[string](), spot{load, 0}, 0); !ok || l.Form != wire.Text {
			t.Fatalf("what names no file is %v", l)
		}
		l, ok := b.fresh(reflect.TypeFor[options](), spot{-1, -1}, 0)
		if !ok || l.E[1].Form == wire.Special {
			t.Fatalf("options are %v", l)
		}
		seen["a field"] = seen["a field"] || l.E[0].Form == wire.Special
		if l, _ = b.fresh(reflect.TypeFor[string](), spot{load, 1}, 0); l.Form != wire.Special {
			continue
		}
		b.changePath(&l)
		at, files, ok := PathOf(l)
		if !ok {
			t.Fatalf("%v is no path", l)
		}
		seen["a folder"] = seen["a folder"] || at < 0
		for _, f := range files {
			read := f.Name == "a.conf"
			seen["as it is"] = seen["as it is"] || read && f.Content == "key = value"
			seen["changed"] = seen["changed"] || read && strings.Contains(f.Content, "key") && f.Content != "key = value"
			seen["another"] = seen["another"] || !read
			seen["of it"] = seen["of it"] || read && at >= 0
			seen["missing"] = seen["missing"] || at >= 0 && files[at].Missing
			seen["missing with its folder"] = seen["missing with its folder"] || at >= 0 && files[at].Missing && strings.HasPrefix(files[at].Name, "new/")
		}
	}
	for _, what := range []string{"a field", "a folder", "as it is", "changed", "another", "of it", "missing", "missing with its folder"} {
		if !seen[what] {
			t.Errorf("never: %s", what)
		}
	}
}

// What one call writes, another one on the same path reads; and a path that is kept is one that the sequence has made before.
func TestPathsAreGivenAgain(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	text := reflect.TypeFor[string]()
	r.Ops = append(r.Ops,
		Operation{Name: "Save", Fn: reflect.ValueOf(func(string) {}), Paths: 1, In: []reflect.Type{text}},
		Operation{Name: "Load", Fn: reflect.ValueOf(func(string) {}), Paths: 1, In: []reflect.Type{text}})
	g := newGenerator(NewMachine(r), NewPlain(), 1)
	load := wire.Op(len(r.Ops) - 1)
	again := 0
	for range 400 {
		b := g.builder(nil)
		if !b.call(load-1, 0) || !b.call(load, 0) {
			t.Fatal("no calls")
		}
		paths := map[int64]int{}
		for i, s := range b.p {
			if s.Op < load-1 || s.Args[0].Form != wire.Ref {
				continue
			}
			if at := s.Args[0].N; at >= int64(i) {
				t.Fatalf("step %d is given what step %d makes", i, at)
			} else if keepsPath(b.p[at]) {
				paths[at]++
			}
		}
		for _, n := range paths {
			if n == 2 {
				again++
			}
		}
	}
	if again < 40 {
		t.Errorf("the same path in %d of 400 sequences", again)
	}
}

package isomorph

import (
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const holding = `package m

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"sort"
)

type list struct {
	next *list
	by   order
	f    func(int) bool
}

func (l *list) Len() int           { return 0 }
func (l *list) Less(i, j int) bool { return l.f(i) }
func (l *list) Swap(i, j int)      {}

type order interface{ Less(i, j int) bool }

type pair[T any] struct {
	of  T
	any interface{}
}

func (pair[T]) String() string { return "" }

type fault struct{ in map[string]chan fault }

func (fault) Error() string { return "" }

type alone int

func (alone) Exported() {}

type handler struct{ inner http.Handler }

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.inner.ServeHTTP(w, r) }

func odd(n int) bool { return n%2 == 1 }

func run(v reflect.Value) error {
	l := &list{f: odd, by: &list{}}
	sort.Sort(l)
	fmt.Println(pair[alone]{}, pair[*list]{of: l})
	http.Handle("/", handler{http.NotFoundHandler()})
	if errors.Is(fault{}, fault{}) {
		return fault{}
	}
	_ = v
	return nil
}
`

// A set that is shared among types is what walking from each of them gives.
func TestFromType(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": holding} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program, err := Analyse(t.Context(), loadTree(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGraph(program)
	if err != nil {
		t.Fatal(err)
	}
	wanted := slices.Clone(g.values.converted)
	for _, b := range g.bodies {
		for x := range b.fn.Signature.Params().Variables() {
			wanted = append(wanted, x.Type())
		}
		wanted = append(wanted, b.fn.Signature.Results())
	}
	for _, name := range []string{"list", "order", "fault", "alone", "handler"} {
		wanted = append(wanted, program.tree.Packages[0].Code.Types.Scope().Lookup(name).Type())
	}
	different := map[int]bool{}
	for _, x := range wanted {
		want := idSet{}
		walkPlainly(&g.values, g, x, want, map[string]bool{})
		got := g.values.fromType(g, x)
		if !maps.Equal(got.ids, want) {
			t.Errorf("%s: bodies %v, want %v", x, got.ids.sorted(), want.sorted())
		}
		different[len(want)] = true
	}
	if len(different) < 3 {
		t.Errorf("all types give one of %d sets: the test says nothing", len(different))
	}
}

// walkPlainly goes through all that a value of a type may hold, from this type alone.
func walkPlainly(v *valueFlow, g *graph, t types.Type, set idSet, seen map[string]bool) {
	t = types.Unalias(t)
	key := g.names.typ(t)
	if seen[key] {
		return
	}
	seen[key] = true
	visit := func(t types.Type) { walkPlainly(v, g, t, set, seen) }
	anything := func() {
		for _, c := range v.converted {
			visit(c)
		}
	}
	if n, ok := t.(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			visit(a)
		}
		if p := n.Obj().Pkg(); p != nil && p.Path() == "reflect" {
			anything()
			return
		}
		v.addMethods(g, n, set)
	}
	switch u := t.(type) {
	case *types.TypeParam:
		anything()
		return
	case *types.Tuple:
		for x := range u.Variables() {
			visit(x.Type())
		}
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		visit(u.Key())
		visit(u.Elem())
	case interface{ Elem() types.Type }:
		visit(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			visit(f.Type())
		}
	case *types.Signature:
		set.addAll(v.withSignature(g, u).ids)
	case *types.Interface:
		for _, c := range v.converted {
			if v.implements(g, c, u) {
				visit(c)
			}
		}
	}
}

package surface

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"
)

const usageSource = `package usage

type Node struct{ next *Node }

type Options struct{ Deep bool }

type Cursor struct{ at int }

func (n *Node) Cursor() *Cursor { return &Cursor{at: 1} }

type Visitor interface{ Visit(*Node) }

func Walk(n *Node, v Visitor, o *Options) {}

func (n *Node) Attach(to *Node, v Visitor) { n.next = to }

func Each[T any](list []T, f func(T)) {}

func Print(o *Options, n *Node) { settle(n, (o)) }

func settle(n *Node, o *Options) { o.settled(); _ = n == n }

func (o *Options) settled() bool { return nil != o && o.Deep }
`

const usageTest = `package usage_test

import (
	"testing"

	"example.com/usage"
)

func Test(t *testing.T) {
	n := &usage.Node{}
	usage.Walk(n, nil, (*usage.Options)(nil))
	n.Attach((nil), nil)
	usage.Each([]int{1}, nil)
	var v usage.Visitor
	usage.Walk(n, v, nil)
}
`

func TestUsage(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/usage\n\ngo 1.21\n", "usage.go": usageSource, "usage_test.go": usageTest} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := loaded(t, root)
	usage := NewUsage(tree)
	scope := find(tree, "example.com/usage").Code.Types.Scope()
	function := func(name string) *types.Func { return scope.Lookup(name).(*types.Func) }
	attach, _, _ := types.LookupFieldOrMethod(types.NewPointer(scope.Lookup("Node").Type()), true, nil, "Attach")
	for _, test := range []struct {
		f             *types.Func
		k             int
		given, called bool
	}{
		{function("Walk"), 0, false, true},
		{function("Walk"), 1, true, true},
		{function("Walk"), 2, true, true},
		{function("Each"), 1, true, true}, // of any instance
		{attach.(*types.Func), 0, false, true},
		{attach.(*types.Func), 1, true, true},
	} {
		given, called := usage.Nil(test.f, test.k)
		if given != test.given || called != test.called {
			t.Errorf("argument %d of %s: given nil %t, called %t; want %t and %t", test.k, test.f.Name(), given, called, test.given, test.called)
		}
	}
	for _, test := range []struct {
		name string
		k    int
		want bool
	}{{"Print", 0, true}, {"Print", 1, false}, {"settle", 1, true}, {"Walk", 2, false}} {
		if got := usage.ProvidesFor(function(test.name), test.k); got != test.want {
			t.Errorf("parameter %d of %s is looked after where it is nil: %t, want %t", test.k, test.name, got, test.want)
		}
	}
	for name, want := range map[string]bool{"usage.Node": true, "usage.Options": false} {
		if got := usage.LeavesEmpty(name); got != want {
			t.Errorf("%s is left empty: %t, want %t", name, got, want)
		}
	}
	for name, want := range map[string]bool{"usage.Cursor": true, "usage.Node": false, "usage.Options": false} {
		if got := usage.FillsHidden(name); got != want {
			t.Errorf("%s is made with a hidden field: %t, want %t", name, got, want)
		}
	}
}

package surface

import (
	"slices"
	"testing"
)

// A method of an interface is called on what a function gives, also where the package has generic types besides: those
// are no candidates for an interface without type arguments, nor for one with another number of them.
func TestInterfacesBesideGenericTypes(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

type Shape interface{ Area() int }

type Pair[T any] interface{ First() T }

type square struct{ n int }

func (s square) Area() int { return s.n * s.n }

type Cell[T any] struct{ of T }

func (c *Cell[T]) Area() int { return 1 }

func (c *Cell[T]) First() T { return c.of }

type Both[K comparable, V any] struct{ k K }

func (b *Both[K, V]) First() K { return b.k }

func NewShape(n int) Shape { return square{n} }

func NewPair(n int) Pair[int] { return &Cell[int]{n} }
`))
	names, _ := registered(apiOf(t, tree, tree, tree, "example.com/m", "square.Area", "Cell.First").File())
	for _, want := range []string{"Shape.Area", "Pair.First"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not called: %q", want, names)
		}
	}
}

// A type that embeds error has a method that is of no package.
func TestInterfaceOfTypeThatEmbedsError(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import "errors"

type Failure interface {
	error
	Code() int
}

type failure struct{ error }

func (f failure) Code() int { return len(f.Error()) }

func New(s string) Failure { return failure{errors.New(s)} }
`))
	names, _ := registered(apiOf(t, tree, tree, tree, "example.com/m", "failure.Code").File())
	if !slices.Contains(names, "Failure.Code") || slices.Contains(names, "Failure.Error") {
		t.Errorf("called are %q", names)
	}
}

// Of a type of others that shows nothing by itself, the methods that tell what is in it are called.
func TestWhatMuteValuesTell(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import (
	"container/list"
	"strings"
)

func Queue(n int) *list.List { return list.New() }

func Text() *strings.Builder { return &strings.Builder{} }
`))
	names, _ := registered(apiOf(t, tree, tree, tree, "example.com/m").File())
	for name, want := range map[string]bool{
		"container/list.List.Len":      true,
		"container/list.List.Front":    true,
		"container/list.List.PushBack": false, // it takes something
		"container/list.List.Init":     false, // it gives the list
		"strings.Builder.Len":          false, // String says what is in it
	} {
		if slices.Contains(names, name) != want {
			t.Errorf("%s is called: %t: %q", name, !want, names)
		}
	}
}

// A package may import what is internal to a folder that it is below, and nothing that is internal elsewhere.
func TestClosed(t *testing.T) {
	t.Parallel()
	w := &writer{api: &API{Package: "example.com/m/a/b"}, lacking: map[string]bool{"example.com/m/moved": true, "example.com/m/internal/moved": true}}
	for path, want := range map[string]bool{
		"example.com/m/internal/x": false, "example.com/m/a/internal": false, "example.com/m/a/b/internal/y": false, "example.com/m/c": false,
		"example.com/m/c/internal/x": true, "example.com/mm/internal": true, "internal/abi": true, "golang.org/x/net/internal/x": true, "example.com/internals": false,
		"example.com/m/moved": true, "example.com/m/internal/moved": true,
	} {
		if got := w.closed(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

// What a message of protocol buffers tells of itself is another text in each program, so that it is not called.
func TestStringOfMessages(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

type Message struct{ A int }

func (*Message) ProtoMessage()  {}
func (*Message) String() string { return "" }
func (*Message) GetA() int      { return 1 }

type Other struct{ A int }

func (*Other) String() string { return "" }
`))
	names, _ := registered(apiOf(t, tree, tree, tree, "example.com/m", "Message.GetA").File())
	if slices.Contains(names, "(*Message).String") || !slices.Contains(names, "(*Message).GetA") || !slices.Contains(names, "(*Other).String") {
		t.Errorf("called are %q", names)
	}
}

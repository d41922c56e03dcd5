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

package surface

import (
	"slices"
	"testing"
)

// Fields that lead to methods are read, and those of what is read: an interface that a type of the package implements, pointers,
// and slices of both. Fields of one version alone, unexported ones and what leads nowhere are not.
func TestSelectors(t *testing.T) {
	t.Parallel()
	const module = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

type Service interface{ List() int }

type Client struct {
	Service Service
	Root    *Node
	Name    *string
	Other   interface{ Other() }
	service Service
	Limits  Limits
	List    []Limits
	Check   func(n int) error
	OnError func(error)
}

type Limits struct{ Max int }

func (l Limits) Allows(n int) bool { return n < l.Max }

type service struct{}

func (service) List() int { return 1 }

type Node struct {
	Children []*Node
	Next     *Node
}

func (n *Node) Size() int { return len(n.Children) }

func Lists() (*[]*Node, **Node, []*[]Limits) { return nil, nil, nil }

func New() *Client {
	return &Client{Service: service{}, Check: func(int) error { return nil }, OnError: nil}
}
`
	base := loaded(t, lay(t, module))
	head := loaded(t, lay(t, module+`
type Late struct{ Root *Node }

func Lately() *Late { return nil }
`))
	a := apiOf(t, base, head, base, "example.com/m", "none")
	var got []string
	for _, o := range a.All() {
		if o.OfTest {
			got = append(got, o.Name)
		}
	}
	if want := []string{"Client.Service", "Client.Root", "Client.Limits", "Client.List", "Client.Check", "Node.Children", "Node.Next", "[]Limits[0]", "[]*Node[0]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

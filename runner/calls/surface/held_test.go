package surface

import (
	"strings"
	"testing"
)

// An interface that only a field of a struct has gets a type that implements it, for callers write such a struct down; below a folder
// called internal, too. One of a field that nobody can set gets none.
func TestStubsOfFields(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- internal/m/m.go --
package m

type Store interface{ Get(key string) (string, error) }

type cache interface{ Drop(key string) }

type Stage interface{ Step(n int) int }

type Stages []Stage

type Server struct {
	Store Store
	Stages Stages
	cache cache
}

func (s *Server) Serve(key string) (string, error) { s.cache.Drop(key); return s.Store.Get(key) }
`))
	a, err := NewAPI(tree, tree, tree, "example.com/m/internal/m", NewHooks(tree, tree, func(string) bool { return true }))
	if err != nil {
		t.Fatal(err)
	}
	source := string(a.File())
	for name, want := range map[string]bool{"Get(a0 string)": true, "Step(a0 int)": true, "Drop(a0 string)": false} {
		if strings.Contains(source, name) != want {
			t.Errorf("%s: %t in %s", name, !want, source)
		}
	}
}

package surface

import (
	"slices"
	"testing"
)

// What makes values in the tests that are built is called though head has no tests. What lets its test wait for others is not.
func TestOfTestsOfOneVersion(t *testing.T) {
	t.Parallel()
	const module = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

type Store struct{ n int }
`
	base := loaded(t, lay(t, module+`
-- m_test.go --
package m

import "testing"

func given(t *testing.T, n int) *Store { return &Store{n} }

func waiting(t *testing.T, n int) *Store {
	t.Parallel()
	return &Store{n}
}

func TestStore(t *testing.T) { given(t, 1) }
`))
	a := apiOf(t, base, loaded(t, lay(t, module)), base, "example.com/m", "none")
	var got []string
	for _, o := range a.All() {
		if o.OfTest {
			got = append(got, o.Name)
		}
	}
	if want := []string{"given"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

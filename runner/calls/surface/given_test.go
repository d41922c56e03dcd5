package surface

import (
	"strings"
	"testing"
)

// What tests give where anything may be given has its type registered, and the same with a pointer for a
// parameter that is none and the other way round; what they give elsewhere has not.
func TestGivenFunctions(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func Handle(f any) string {
	switch f.(type) {
	case func():
	case int:
	}
	return ""
}

func Each(f func(int64)) {}
-- m_test.go --
package m

import (
	"context"
	"testing"
)

func TestHandle(t *testing.T) {
	type request struct{ Name string }
	Each(func(int64) {})
	Handle(func(context.Context, *request) error { return nil })
	for _, f := range []any{func(n ...int) string { return "" }} {
		Handle(f)
	}
	for _, c := range []struct{ f any }{{f: func(string) {}}} {
		Handle(c.f)
	}
}
`))
	file := string(apiOf(t, tree, tree, tree, "example.com/m").File())
	for _, want := range []string{
		"isodeltaH.Given((*func(isodelta0.Context, *struct{Name string}) (error))(nil))",
		"isodeltaH.Given((*func(isodelta0.Context, struct{Name string}) (error))(nil))",
		"isodeltaH.Given((*func(...int) (string))(nil))",
		"isodeltaH.Given((*func(string) ())(nil))",
		"isodeltaH.Given((*func(*string) ())(nil))",
		"isodeltaH.Given((*func() ())(nil))",
	} {
		if !strings.Contains(file, want) {
			t.Errorf("not registered is %s in\n%s", want, file)
		}
	}
	if n := strings.Count(file, "isodeltaH.Given("); n != 6 {
		t.Errorf("%d types are registered, want 6:\n%s", n, file)
	}
}

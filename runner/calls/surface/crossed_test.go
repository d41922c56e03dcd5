package surface

import (
	"go/format"
	"strings"
	"testing"
)

// Struct types are made of those that tests declare: one within another, among the fields, with an option in each tag,
// and with words that stand in a changed function in tags. All of them compile, and the same are made each time.
func TestCrossed(t *testing.T) {
	t.Parallel()
	dir := lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func Marshal(v any) string { return option("string") }

func option(s string) string { return s }
-- m_test.go --
package m

import (
	"sync"
	"testing"
)

func TestMarshal(t *testing.T) {
	Marshal(struct {
		X *int   `+"`json:\"x,omitempty\"`"+`
		Y string `+"`json:\"y\"`"+`
	}{})
	Marshal(struct {
		Name string `+"`json:\"name\"`"+`
		lock sync.Mutex
		Of   func(chan int)
	}{})
}
`)
	tree := loaded(t, dir)
	file := string(apiOf(t, tree, tree, tree, "example.com/m").File())
	if _, err := format.Source([]byte(file)); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string][]string{
		"an embedded struct":                  {"type Inner = struct{", "Inner;"},
		"a pointer to one":                    {"*Inner"},
		"a struct within another":             {"Sub *struct{"},
		"a list of structs":                   {"Sub []*struct{"},
		"an option where the tests have none": {`Y string "json:\"y,omitempty\""`},
		"a word of the changed function":      {`string`},
		"another indirection":                 {"Y *string"},
	} {
		for _, w := range want {
			if !strings.Contains(file, w) {
				t.Errorf("%s is missing: %s in\n%s", what, w, file)
			}
		}
	}
	if again := string(apiOf(t, tree, tree, tree, "example.com/m").File()); again != file {
		t.Errorf("another time it is\n%s", again)
	}
}

package surface

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
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

type Tree []Tree

type Node struct {
	Trees Tree
	Next  *Node `+"`json:\"next\"`"+`
}

func Marshal(v any) string { return option("other") }

func option(s string) string { return s }

func read(n *Node) string { return option("read") }
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
		Inner []string
		Name  string `+"`json:\"name\"`"+`
		lock sync.Mutex
		Of   func(chan int)
	}{})
}
`)
	tree := loaded(t, dir)
	made := func() string {
		a, err := NewAPI(tree, tree, tree, "example.com/m", NewHooks(tree, tree, func(string) bool { return true }))
		if err != nil {
			t.Fatal(err)
		}
		return string(a.File())
	}
	file := made()
	typesCompile(t, file)
	for what, want := range map[string][]string{
		"an embedded struct":                  {"type Inner = struct{", "Inner;"},
		"a pointer to one":                    {"*Inner"},
		"a struct within another":             {"Sub struct{"},
		"a list of structs":                   {"Sub []*struct{"},
		"an option where the tests have none": {`Y string "json:\"y,omitempty\""`},
		"a document":                          {"isodeltaH.Document((*Node)(nil))"},
		"a word of the changed function":      {`json:\"x,other:1\"`},
		"another indirection":                 {"X map[string]*int"},
	} {
		for _, w := range want {
			if !strings.Contains(file, w) {
				t.Errorf("%s is missing: %s in\n%s", what, w, file)
			}
		}
	}
	if again := made(); again != file {
		t.Errorf("another time it is\n%s", again)
	}
}

// typesCompile type-checks the types that a registering file has.
func typesCompile(t *testing.T, file string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("package m\n\nimport (\n")
	for _, m := range regexp.MustCompile(`\t(isodelta\d+) ("[^"]+")`).FindAllStringSubmatch(file, -1) {
		b.WriteString(m[1] + " " + m[2] + "\n")
	}
	b.WriteString(")\n\ntype (\n\tNode struct{}\n\tTree []Tree\n)\n\ntype isodeltaErrorStub struct{}\n\nvar _ = []any{\n")
	for _, m := range regexp.MustCompile(`isodeltaH\.Type\((.*)\)\n`).FindAllStringSubmatch(file, -1) {
		b.WriteString(m[1] + ",\n")
	}
	b.WriteString("}\n")
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "m.go", b.String(), 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("m", fset, []*ast.File{f}, nil); err != nil {
		t.Errorf("%v in\n%s", err, b.String())
	}
}

package harness

import (
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// The type that stands for testing.TB compiles under any name, and its source is formatted.
func TestTBSource(t *testing.T) {
	t.Parallel()
	source := "package p\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nvar _ testing.TB = (*told)(nil)\n\n" + TBSource("told", "testing.", "fmt.")
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := config.Check("p", fset, []*ast.File{file}, nil); err != nil {
		t.Error(err)
	}
	formatted, err := format.Source([]byte(source))
	if err != nil || string(formatted) != source {
		t.Errorf("it is not formatted: %v\n%s", err, formatted)
	}
}

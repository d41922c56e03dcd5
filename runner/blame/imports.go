package blame

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// fitImports makes the imports of code those that it uses: others become blank, and what base's file
// imports is added where it is used. nameOf is the name of a package, by its import path.
func fitImports(code, base string, nameOf func(path string) string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", code, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	before, err := parser.ParseFile(token.NewFileSet(), "", base, parser.ImportsOnly)
	if err != nil {
		return "", err
	}
	used := qualifiers(file)
	imported := map[string]bool{}
	var edits []insertion
	for _, spec := range file.Imports {
		name := nameIn(spec, nameOf)
		imported[name] = true
		if name == "_" || name == "." || name == "C" || used[name] {
			continue
		}
		at := insertion{from: fset.Position(spec.Path.Pos()).Offset, text: "_ "}
		at.to = at.from
		if spec.Name != nil {
			at.from = fset.Position(spec.Name.Pos()).Offset
		}
		edits = append(edits, at)
	}
	end := fset.Position(file.Name.End()).Offset
	for _, spec := range before.Imports {
		if name := nameIn(spec, nameOf); used[name] && !imported[name] {
			imported[name] = true
			edits = append(edits, insertion{end, end, "; import " + name + " " + spec.Path.Value})
		}
	}
	return insert(code, edits), nil
}

// nameIn is the name by which a file knows what it imports.
func nameIn(spec *ast.ImportSpec, nameOf func(path string) string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, _ := strconv.Unquote(spec.Path.Value) // the parser has read it
	return nameOf(path)
}

// qualifiers are the names in front of a dot.
func qualifiers(file *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	return names
}

// insertion puts a text in place of some bytes.
type insertion struct {
	from, to int
	text     string
}

func insert(code string, edits []insertion) string {
	slices.SortStableFunc(edits, func(a, b insertion) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.WriteString(code[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.WriteString(code[at:])
	return out.String()
}

package blame

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// assigned writes the file that puts variables back to what they are without a unit: an initialiser that assigns
// what base initialises them with. It reports false where the unit is none of variables, or is about more
// than their values. What the package's variables were made of before that is not made again.
func assigned(f fileEdits, u unit, number int, nameOf func(path string) string) (string, bool) {
	head, ok := valuesOf(strings.Join(f.head, "\n"))
	if !ok {
		return "", false
	}
	src := f.without(u.hunks)
	base, ok := valuesOf(src)
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, name := range base.names {
		was, is := base.values[name], head.values[name]
		if is.text == "" || was == is {
			continue
		}
		if was.of != is.of {
			return "", false // of another type
		}
		fmt.Fprintf(&b, "\t\t%s = %s\n", name, was.text)
	}
	if b.Len() == 0 {
		return "", false
	}
	text := fmt.Sprintf("package %s\n%s\nfunc init() {\n\tif %s == %d {\n%s\t}\n}\n", base.pkg, base.imports, chosen, number, b.String())
	text, err := fitImports(text, f.text(), nameOf)
	return text, err == nil
}

// value is what a variable is initialised with.
type value struct {
	of   string // its type, "" where none is given
	text string
}

// values are the variables of a file that have a value each.
type values struct {
	pkg     string
	imports string
	names   []string
	values  map[string]value
}

func valuesOf(src string) (values, bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return values{}, false
	}
	text := func(n ast.Node) string { return src[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset] }
	v := values{pkg: file.Name.Name, imports: importsOf(file), values: map[string]value{}}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			if len(spec.Names) != len(spec.Values) {
				continue
			}
			for i, n := range spec.Names {
				if n.Name == "_" {
					continue
				}
				x := value{text: text(spec.Values[i])}
				if spec.Type != nil {
					x.of = text(spec.Type)
				}
				v.names, v.values[n.Name] = append(v.names, n.Name), x
			}
		}
	}
	return v, true
}

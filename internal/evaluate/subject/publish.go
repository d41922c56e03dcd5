package subject

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A twin is the public package that replaces an internal one.
type twin struct {
	path  string
	names map[string]string // by name in the internal package
}

// twins are replaced name by name: a name that is missing here makes the
// package unfit as a subject, so that no change of meaning slips in.
func twins() map[string]twin {
	t := map[string]twin{
		"internal/bytealg": {"strings", map[string]string{
			"IndexByteString":     "IndexByte",
			"LastIndexByteString": "LastIndexByte",
		}},
		"internal/reflectlite": {"reflect", map[string]string{
			"Swapper": "Swapper",
			"ValueOf": "ValueOf",
		}},
	}
	order := map[string]string{}
	for short, long := range map[string]string{"BE": "BigEndian", "LE": "LittleEndian"} {
		for _, size := range []string{"16", "32", "64"} {
			for _, verb := range []string{"", "Put", "Append"} {
				order[short+verb+"Uint"+size] = long + "." + verb + "Uint" + size
			}
		}
	}
	t["internal/byteorder"] = twin{"encoding/binary", order}
	return t
}

// An edit replaces src[start:end].
type edit struct {
	start, end int
	text       string
}

func apply(src []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(src[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(src[at:])
	return out.Bytes()
}

// internal reports whether a package cannot be imported from outside the
// distribution.
func internal(importPath string) bool {
	return strings.HasPrefix(importPath, "golang.org/") || strings.HasPrefix(importPath, "vendor/") ||
		slices.Contains(strings.Split(importPath, "/"), "internal")
}

// publish replaces imports of internal packages in a code file by their public
// twins, at byte offsets, so that no line moves.
func publish(file string, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	known := twins()
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	has := map[string]bool{}
	for _, spec := range f.Imports {
		has[importPath(spec)] = true
	}
	var edits []edit
	replaced := map[string]twin{} // by local name
	for _, spec := range f.Imports {
		p := importPath(spec)
		if !internal(p) {
			continue
		}
		t, ok := known[p]
		if !ok || spec.Name != nil {
			return nil, fmt.Errorf("%s imports %s, which has no public twin", file, p)
		}
		replaced[path.Base(p)] = t
		text := strconv.Quote(t.path)
		if has[t.path] {
			text = ""
		}
		has[t.path] = true
		edits = append(edits, edit{offset(spec.Pos()), offset(spec.End()), text})
	}
	if len(edits) == 0 {
		return src, nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		t, ok := replaced[id.Name]
		if !ok {
			return true
		}
		name, ok := t.names[sel.Sel.Name]
		if !ok {
			err = fmt.Errorf("%s uses %s.%s, which has no public twin", file, id.Name, sel.Sel.Name)
			return false
		}
		edits = append(edits, edit{offset(sel.Pos()), offset(sel.End()), path.Base(t.path) + "." + name})
		return true
	})
	if err != nil {
		return nil, err
	}
	return apply(src, edits), nil
}

// reimport makes a test file import the package from its new place.
func reimport(file string, src []byte, from, to string) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var edits []edit
	for _, spec := range f.Imports {
		if importPath(spec) == from {
			edits = append(edits, edit{fset.Position(spec.Path.Pos()).Offset, fset.Position(spec.Path.End()).Offset, strconv.Quote(to)})
		}
	}
	return apply(src, edits), nil
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value // the parser has checked it
	}
	return p
}

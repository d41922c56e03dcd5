package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestComments: a doc comment begins with what it is about, so that it follows
// when that is renamed, and one of a function that answers yes or no says in the
// usual words what the question is.
func TestComments(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, file := range sources(t) {
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range documented(parsed) {
			checked++
			text := strings.TrimSpace(d.doc.Text())
			if text == "" {
				continue // a directive
			}
			wrong := ""
			if !about(text, d.names) {
				wrong = fmt.Sprintf("the comment of %s begins with %q", d.names[0], firstWords(text))
			} else if d.question && !strings.Contains(strings.Join(strings.Fields(text), " "), "reports whether") {
				wrong = fmt.Sprintf("%s returns a bool and nothing else, so its comment should say what it reports: %q", d.names[0], firstWords(text))
			}
			if wrong != "" {
				t.Errorf("%s: %s", fset.Position(d.doc.Pos()), wrong)
			}
		}
	}
	if checked < 2000 {
		t.Errorf("only %d comments read; is this the module?", checked)
	}
}

// sources are the module's Go files without tests and test data.
func sources(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != ".."):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// declaration is a declaration with a doc comment.
type declaration struct {
	doc      *ast.CommentGroup
	names    []string // of one declaration; a comment may begin with any
	question bool     // a function that returns a bool alone
}

// documented lists the declarations of a file that have comments. In a group of
// constants or variables, a comment may be about several of them.
func documented(file *ast.File) []declaration {
	var list []declaration
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil && d.Name.Name != "init" {
				list = append(list, declaration{d.Doc, []string{d.Name.Name}, returnsBool(d.Type)})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				doc, names := docOf(spec)
				if _, isValue := spec.(*ast.ValueSpec); isValue && d.Lparen.IsValid() {
					continue
				}
				if doc == nil && !d.Lparen.IsValid() {
					doc = d.Doc
				}
				if doc != nil && len(names) > 0 {
					list = append(list, declaration{doc, names, false})
				}
			}
		}
	}
	return list
}

func docOf(spec ast.Spec) (*ast.CommentGroup, []string) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return s.Doc, []string{s.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, n := range s.Names {
			names = append(names, n.Name)
		}
		return s.Doc, names
	}
	return nil, nil
}

func returnsBool(f *ast.FuncType) bool {
	if f.Results == nil || f.Results.NumFields() != 1 {
		return false
	}
	name, ok := f.Results.List[0].Type.(*ast.Ident)
	return ok && name.Name == "bool"
}

// about reports whether a text begins with one of the names, with an article or
// without.
func about(text string, names []string) bool {
	for _, article := range []string{"", "A ", "An ", "The "} {
		for _, n := range names {
			rest, ok := strings.CutPrefix(text, article+n)
			if ok && (rest == "" || strings.ContainsAny(rest[:1], " ,:;.'’\n([…")) {
				return true
			}
		}
	}
	return false
}

func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 6)], " ")
}

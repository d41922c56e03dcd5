package diff

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// leftBehind reports whether a sequence ends by looking at a variable behind a pointer that the call
// before it was given, or that went into what it was given: the buffer that a logger writes
// to. What an earlier call gave, and what is no pointer, changes only where memory is shared.
func leftBehind(f event.Finding) bool {
	if !strings.HasPrefix(f.Base.Value, "*") && !strings.HasPrefix(f.Base.Value, "&") || len(f.Input) > maxParsed {
		return false
	}
	list := statementsOf(f.Input)
	if len(list) < 2 {
		return false
	}
	last, before := list[len(list)-1], list[:len(list)-1]
	looked, ok := last.(*ast.ExprStmt)
	if !ok {
		return false
	}
	variable, ok := looked.X.(*ast.Ident)
	if !ok {
		return false
	}
	into := map[string]bool{}
	for i, s := range slices.Backward(before) {
		if i == len(before)-1 || makesAny(s, into) {
			addNames(into, s)
		}
	}
	return into[variable.Name]
}

// maxParsed bounds the code that is parsed to tell how a value came about, in bytes.
const maxParsed = 1 << 14

// statementsOf are the statements of an input, nil where it is no Go.
func statementsOf(input string) []ast.Stmt {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {\n"+input+"\n}", parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return nil
	}
	return file.Decls[0].(*ast.FuncDecl).Body.List
}

// makesAny reports whether a statement defines one of the variables.
func makesAny(s ast.Stmt, variables map[string]bool) bool {
	var made []ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		made = s.Lhs
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, name := range v.Names {
						made = append(made, name)
					}
				}
			}
		}
	}
	return slices.ContainsFunc(made, func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return ok && variables[name.Name]
	})
}

// addNames adds the identifiers of a statement.
func addNames(names map[string]bool, s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			names[name.Name] = true
		}
		return true
	})
}

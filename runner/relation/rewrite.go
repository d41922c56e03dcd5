package relation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// maxExpression bounds the text of one expression, in bytes.
const maxExpression = 1 << 14

// rewrite returns every identifier of a Go expression or type that is not
// declared in it the name that name says, and leaves the rest of the text as it
// is, but on one line. "" stays "".
func rewrite(expr string, name func(string) string) (string, error) {
	return rewriteEqual(expr, name, nil)
}

// equality spells Equal(a, b): what stands in front of a, between, and behind.
// The expressions are as they were before rewriting.
type equality func(a, b string) (before, between, behind string)

// rewriteEqual is rewrite, with calls of Equal spelled by equal, if that is not
// nil. (Equal)(a, b) is not such a call.
func rewriteEqual(expr string, name func(string) string, equal equality) (string, error) {
	return rewriteAll(expr, name, equal, nil)
}

// rewriteAll is rewriteEqual, with selections x.y from free names spelled by
// selection where it says so; it may be nil.
func rewriteAll(expr string, name func(string) string, equal equality, selection func(x, y string) (string, bool)) (string, error) {
	if expr == "" {
		return "", nil
	}
	src, err := oneLine(expr)
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	e, err := parser.ParseExprFrom(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("%s is no Go expression: %w", strconv.Quote(expr), err)
	}
	var pieces []piece
	at := func(p token.Pos) int { return set.Position(p).Offset }
	w := &freeWalker{name: func(id *ast.Ident) {
		pieces = append(pieces, piece{at(id.Pos()), at(id.End()), name(id.Name)})
	}}
	if equal != nil {
		w.equal = func(call *ast.CallExpr) {
			a, b := call.Args[0], call.Args[1]
			before, between, behind := equal(src[at(a.Pos()):at(a.End())], src[at(b.Pos()):at(b.End())])
			pieces = append(pieces, piece{at(call.Pos()), at(a.Pos()), before}, piece{at(a.End()), at(b.Pos()), between}, piece{at(b.End()), at(call.End()), behind})
		}
	}
	if selection != nil {
		w.selector = func(x *ast.Ident, n *ast.SelectorExpr) bool {
			text, ok := selection(x.Name, n.Sel.Name)
			if ok {
				pieces = append(pieces, piece{at(n.Pos()), at(n.End()), text})
			}
			return ok
		}
	}
	w.walk(e)
	return splice(src, pieces), nil
}

// piece is a part of a text that is replaced, in bytes.
type piece struct {
	from, to int
	text     string
}

func splice(src string, pieces []piece) string {
	slices.SortStableFunc(pieces, func(a, b piece) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for _, p := range pieces {
		b.WriteString(src[done:p.from] + p.text)
		done = p.to
	}
	b.WriteString(src[done:])
	return b.String()
}

// oneLine writes an expression on one line, without comments.
func oneLine(expr string) (string, error) {
	if len(expr) > maxExpression {
		return "", fmt.Errorf("an expression of %d bytes is longer than the %d allowed", len(expr), maxExpression)
	}
	if !strings.ContainsAny(expr, "\n\r") && !strings.Contains(expr, "//") && !strings.Contains(expr, "/*") {
		return expr, nil
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(expr))
	var failed error
	s.Init(file, []byte(expr), func(_ token.Position, msg string) {
		failed = fmt.Errorf("%s is no Go expression: %s", strconv.Quote(expr), msg)
	}, 0)
	var words []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			if n := len(words); n > 0 && words[n-1] == ";" {
				words = words[:n-1]
			}
			return strings.Join(words, " "), failed
		case tok == token.SEMICOLON:
			lit = ";"
		case tok == token.STRING && lit[0] == '`':
			if text, err := strconv.Unquote(lit); err == nil {
				lit = strconv.Quote(text)
			}
		case lit == "" || tok.IsOperator():
			lit = tok.String()
		}
		words = append(words, lit)
	}
}

// freeWalker visits the identifiers of an expression that it does not declare
// itself, no fields and no methods.
type freeWalker struct {
	name  func(*ast.Ident)
	equal func(*ast.CallExpr) // of Equal with two arguments; may be nil
	// selector reports whether it took care of a selection from a name that the
	// expression does not declare; may be nil.
	selector func(x *ast.Ident, n *ast.SelectorExpr) bool
	scopes   []map[string]bool
}

func (w *freeWalker) bound(name string) bool {
	return slices.ContainsFunc(w.scopes, func(s map[string]bool) bool { return s[name] })
}

func (w *freeWalker) declare(name string) {
	if len(w.scopes) > 0 {
		w.scopes[len(w.scopes)-1][name] = true
	}
}

func (w *freeWalker) open()  { w.scopes = append(w.scopes, map[string]bool{}) }
func (w *freeWalker) close() { w.scopes = w.scopes[:len(w.scopes)-1] }

func (w *freeWalker) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *ast.Ident:
			if n.Name != "_" && !w.bound(n.Name) {
				w.name(n)
			}
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && w.selector != nil && !w.bound(x.Name) && w.selector(x, n) {
				return false
			}
			w.walk(n.X)
			return false
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && w.equal != nil && id.Name == "Equal" && len(n.Args) == 2 && !w.bound("Equal") {
				w.equal(n)
				w.walk(n.Args[0])
				w.walk(n.Args[1])
				return false
			}
		case *ast.KeyValueExpr:
			// A key that is a plain name is a field; composite knows where not.
			if _, plain := n.Key.(*ast.Ident); !plain {
				w.walk(n.Key)
			}
			w.walk(n.Value)
			return false
		case *ast.CompositeLit:
			w.composite(n)
			return false
		case *ast.FuncType:
			w.fields(n.Params, n.Results)
			return false
		case *ast.StructType:
			w.fields(n.Fields)
			return false
		case *ast.InterfaceType:
			w.fields(n.Methods)
			return false
		case *ast.FuncLit:
			w.function(n)
			return false
		case *ast.BlockStmt:
			w.open()
			for _, s := range n.List {
				w.walk(s)
			}
			w.close()
			return false
		case *ast.ForStmt, *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.CaseClause, *ast.CommClause:
			w.open()
			w.below(n)
			w.close()
			return false
		case *ast.RangeStmt:
			w.open()
			w.walk(n.X)
			w.targets(n.Tok, n.Key, n.Value)
			w.walk(n.Body)
			w.close()
			return false
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				w.define(n)
				return false
			}
		case *ast.DeclStmt:
			w.declaration(n)
			return false
		case *ast.LabeledStmt:
			w.walk(n.Stmt)
			return false
		case *ast.BranchStmt:
			return false
		}
		return true
	})
}

// below walks the children of a node.
func (w *freeWalker) below(n ast.Node) {
	first := true
	ast.Inspect(n, func(c ast.Node) bool {
		if first {
			first = false
			return true
		}
		if c != nil {
			w.walk(c)
		}
		return false
	})
}

func (w *freeWalker) composite(n *ast.CompositeLit) {
	if n.Type != nil {
		w.walk(n.Type)
	}
	fields := true
	switch n.Type.(type) {
	case *ast.MapType, *ast.ArrayType:
		fields = false
	}
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && !fields {
			w.walk(kv.Key)
			w.walk(kv.Value)
			continue
		}
		w.walk(e)
	}
}

// fields walks the types of a list of fields, parameters or methods.
func (w *freeWalker) fields(lists ...*ast.FieldList) {
	for _, l := range lists {
		if l == nil {
			continue
		}
		for _, f := range l.List {
			w.walk(f.Type)
		}
	}
}

func (w *freeWalker) function(n *ast.FuncLit) {
	w.fields(n.Type.Params, n.Type.Results)
	w.open()
	for _, l := range []*ast.FieldList{n.Type.Params, n.Type.Results} {
		if l == nil {
			continue
		}
		for _, f := range l.List {
			for _, name := range f.Names {
				w.declare(name.Name)
			}
		}
	}
	w.walk(n.Body)
	w.close()
}

// targets are what a range clause assigns to.
func (w *freeWalker) targets(tok token.Token, list ...ast.Expr) {
	for _, e := range list {
		id, plain := e.(*ast.Ident)
		switch {
		case e == nil:
		case plain && tok == token.DEFINE:
			w.declare(id.Name)
		default:
			w.walk(e)
		}
	}
}

func (w *freeWalker) define(n *ast.AssignStmt) {
	for _, e := range n.Rhs {
		w.walk(e)
	}
	for _, e := range n.Lhs {
		if id, ok := e.(*ast.Ident); ok {
			w.declare(id.Name)
		}
	}
}

func (w *freeWalker) declaration(n *ast.DeclStmt) {
	d, ok := n.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			if s.Type != nil {
				w.walk(s.Type)
			}
			for _, v := range s.Values {
				w.walk(v)
			}
			for _, id := range s.Names {
				w.declare(id.Name)
			}
		case *ast.TypeSpec:
			w.declare(s.Name.Name)
			w.walk(s.Type)
		}
	}
}

// uses lists the free identifiers of an expression, sorted.
func uses(expr string) []string {
	var out []string
	_, err := rewrite(expr, func(name string) string {
		out = append(out, name)
		return name
	})
	if err != nil {
		return nil
	}
	slices.Sort(out)
	return slices.Compact(out)
}

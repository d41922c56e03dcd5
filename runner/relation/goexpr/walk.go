package goexpr

import (
	"go/ast"
	"go/token"
	"slices"
)

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

package tested

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

func (w *walker) block(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

// stmt walks a statement, and the function literals in it.
func (w *walker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.DeclStmt:
		w.declare(s)
	case *ast.ExprStmt:
		w.expression(s)
	case *ast.IncDecStmt:
		w.forget(s)
	case *ast.IfStmt:
		w.branch(s)
	case *ast.BlockStmt:
		w.nested(s, s.List)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt)
	case *ast.ForStmt:
		w.loop(s, s.Init, s.Body)
	case *ast.RangeStmt:
		w.over(s)
	case *ast.SwitchStmt:
		w.choice(s)
	case *ast.TypeSwitchStmt:
		w.clauses(s, s.Body)
	case *ast.SelectStmt:
		w.clauses(s, s.Body)
	case *ast.ReturnStmt:
		if w.returns && len(s.Results) == 1 {
			w.claims(s.Results[0], true, s)
		}
		w.literals(s)
	case *ast.DeferStmt:
		w.literals(s)
	case *ast.GoStmt:
		w.literals(s)
	}
}

// settle does what the calls of a statement do to variables.
func (w *walker) settle() {
	for o, t := range w.effects {
		w.vars[o] = t
	}
	clear(w.effects)
	w.ignored = nil
}

func (w *walker) assign(s *ast.AssignStmt) {
	w.literals(s)
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		w.forget(s)
		return
	}
	var values []*term
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		t := w.eval(s.Rhs[0])
		for i := range s.Lhs {
			if t.kind == called && i < t.call.Sig.Results().Len() {
				values = append(values, newResult(t, i))
			} else {
				values = append(values, nil)
			}
		}
	} else {
		for _, e := range s.Rhs {
			values = append(values, w.eval(e))
		}
	}
	w.settle()
	for i, e := range s.Lhs {
		w.bind(e, values[i], i < len(s.Rhs) && len(s.Lhs) == len(s.Rhs), s)
	}
}

// bind gives a variable its value, nil for one that is not known.
func (w *walker) bind(e ast.Expr, t *term, single bool, s *ast.AssignStmt) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		if o := w.root(e); o != nil {
			w.vars[o] = w.unknown(e, o.Type())
		}
		return
	}
	o := w.info.Defs[id]
	if o == nil {
		o = w.local(id)
	}
	if o == nil {
		return
	}
	// An interface variable holds something else than what was put in.
	if t == nil || t.typ == nil || !types.Identical(t.typ, o.Type()) {
		t = newTerm(unknown, o.Name()+" at "+w.place(id), o.Type())
		t.object = o
	}
	w.vars[o] = t
	if single && s.Tok == token.DEFINE {
		w.inits[o] = s.Rhs[slices.Index(s.Lhs, e)]
	}
}

// root is the variable of which an expression is a part.
func (w *walker) root(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			return w.local(x)
		default:
			return nil
		}
	}
}

func (w *walker) declare(s *ast.DeclStmt) {
	w.literals(s)
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, name := range v.Names {
			o := w.info.Defs[name]
			if o == nil {
				continue
			}
			switch {
			case len(v.Values) == 0:
				w.vars[o] = zero(o.Type())
			case len(v.Values) == len(v.Names):
				if t := w.eval(v.Values[i]); types.Identical(t.typ, o.Type()) {
					w.vars[o] = t
				}
				w.inits[o] = v.Values[i]
			}
		}
	}
	w.settle()
}

func (w *walker) expression(s *ast.ExprStmt) {
	w.literals(s)
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		return
	}
	if want, ok := w.prints[call]; ok {
		w.claims(call.Args[0], want, call)
	}
	if !w.assertion(call) {
		w.ignored = call
		w.eval(call)
	}
	w.settle()
}

// branch walks an if statement. One that fails the test claims that its condition does
// not hold.
func (w *walker) branch(s *ast.IfStmt) {
	in := w.inner()
	if s.Init != nil {
		in.stmt(s.Init)
	}
	if w.fails(s.Body) {
		in.claims(s.Cond, false, s)
	}
	cond := in.eval(s.Cond)
	in.literals(s.Cond)
	then := in.inner()
	then.guards = append(then.guards, guard{cond, true})
	then.block(s.Body.List)
	if s.Else != nil {
		other := in.inner()
		other.guards = append(other.guards, guard{cond, false})
		other.stmt(s.Else)
	}
	if leaves(s.Body) {
		w.guards = append(w.guards, guard{cond, false})
	}
	if s.Init != nil {
		// What it declares is gone; what it changes stays.
		for o, t := range in.vars {
			if _, outer := w.vars[o]; outer {
				w.vars[o] = t
			}
		}
	}
	w.forget(s.Body)
	if s.Else != nil {
		w.forget(s.Else)
	}
}

func (w *walker) nested(n ast.Node, list []ast.Stmt) {
	w.inner().block(list)
	w.forget(n)
}

func (w *walker) loop(n ast.Node, init ast.Stmt, body *ast.BlockStmt) {
	in := w.inner()
	if init != nil {
		in.stmt(init)
	}
	in.forget(n)
	in.block(body.List)
	w.forget(n)
}

// over walks a range statement, and notes of what its variables are the elements.
func (w *walker) over(s *ast.RangeStmt) {
	w.literals(s.X)
	if id, ok := s.Value.(*ast.Ident); ok && s.Tok == token.DEFINE {
		if rows := w.rowsOf(s.X); rows != nil {
			w.rows[w.info.Defs[id]] = rows
		}
	}
	w.loop(s, nil, s.Body)
}

// rowsOf is the literal of a table, nil where it is not known.
func (w *walker) rowsOf(e ast.Expr) *ast.CompositeLit {
	for range 3 {
		switch x := ast.Unparen(e).(type) {
		case *ast.CompositeLit:
			return x
		case *ast.Ident:
			e = w.inits[w.info.Uses[x]]
		}
		if e == nil {
			return nil
		}
	}
	return nil
}

// choice walks a switch statement. Without a tag, its cases are conditions.
func (w *walker) choice(s *ast.SwitchStmt) {
	in := w.inner()
	if s.Init != nil {
		in.stmt(s.Init)
	}
	for _, c := range s.Body.List {
		c, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		if s.Tag == nil && len(c.List) == 1 && w.fails(&ast.BlockStmt{List: c.Body}) {
			in.claims(c.List[0], false, c)
		}
		in.inner().block(c.Body)
	}
	w.forget(s)
}

func (w *walker) clauses(n ast.Node, body *ast.BlockStmt) {
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			w.inner().block(c.Body)
		case *ast.CommClause:
			w.inner().block(c.Body)
		}
	}
	w.forget(n)
}

// literals walks the function literals in a statement or expression, but not those in
// further ones.
func (w *walker) literals(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		f, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		in := w.inner()
		in.forget(f.Body) // who knows when it is called
		in.returns = w.quick && isPredicate(f.Type, w.info)
		in.block(f.Body.List)
		w.forget(f.Body)
		return false
	})
}

func isPredicate(f *ast.FuncType, info *types.Info) bool {
	if f.Results == nil || f.Results.NumFields() != 1 {
		return false
	}
	b, ok := info.TypeOf(f.Results.List[0].Type).Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// forget forgets the variables that a part of the test assigns to.
func (w *walker) forget(n ast.Node) {
	drop := func(e ast.Expr) {
		if o := w.root(e); o != nil {
			w.vars[o] = w.unknown(n, o.Type())
			w.vars[o].key += " " + o.Name()
			w.vars[o].object = o
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); !ok || w.info.Defs[id] == nil {
					drop(e)
				}
			}
		case *ast.IncDecStmt:
			drop(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						drop(e)
					}
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				drop(n.X)
			}
		case *ast.CallExpr:
			// A method that acts on a variable, or a function that sorts it.
			if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				if sel := w.info.Selections[s]; sel != nil && sel.Kind() == types.MethodVal {
					if f, recv := w.callee(w.info, n); f != nil && f.Sig.Results().Len() == 0 {
						drop(recv)
					}
				}
			}
		}
		return true
	})
}

// fails reports whether statements make the test fail.
func (w *walker) fails(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		switch f := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			found = found || f.Name == "panic"
		case *ast.SelectorExpr:
			found = found || slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}, f.Sel.Name)
		}
		return !found
	})
	return found
}

// leaves reports whether statements end with what leaves the block around them.
func leaves(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	switch s := body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		if c, ok := s.X.(*ast.CallExpr); ok {
			if f, ok := c.Fun.(*ast.SelectorExpr); ok {
				return slices.Contains([]string{"Skip", "Skipf", "SkipNow", "Fatal", "Fatalf", "FailNow"}, f.Sel.Name)
			}
		}
	}
	return false
}

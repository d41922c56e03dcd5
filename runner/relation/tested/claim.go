package tested

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// A claim is what a test states: two terms are equal or in an order, or a term is true.
type claim struct {
	op          token.Token // EQL, LSS, LEQ; GTR and GEQ are turned around; NOT and ILLEGAL for one term that is false or true
	left, right *term
	guards      []guard
	at          token.Pos
}

// claims notes what a condition states that should be true or should be false.
func (w *walker) claims(e ast.Expr, want bool, at ast.Node) {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			w.claims(e.X, !want, at)
			return
		}
	case *ast.BinaryExpr:
		w.compared(e, want, at)
		return
	case *ast.CallExpr:
		if a, b, ok := w.equality(e); ok {
			if want {
				w.claim(token.EQL, w.eval(a), w.eval(b), at)
			}
			return
		}
	}
	op := token.ILLEGAL
	if !want {
		op = token.NOT
	}
	if t := w.eval(e); t.kind == result {
		w.claim(op, t, nil, at)
	}
}

func (w *walker) compared(e *ast.BinaryExpr, want bool, at ast.Node) {
	switch e.Op {
	case token.LAND, token.LOR:
		if (e.Op == token.LAND) == want {
			w.claims(e.X, want, at)
			w.claims(e.Y, want, at)
			return
		}
		// Where the one does not decide, the other does.
		in := w.inner()
		in.guards = append(in.guards, guard{w.eval(e.X), !want})
		in.claims(e.Y, want, at)
		return
	case token.EQL, token.NEQ:
		if (e.Op == token.EQL) != want {
			return
		}
		a, b := w.eval(e.X), w.eval(e.Y)
		for _, t := range []*term{a, b} {
			if other := a; t.differs != nil {
				if other == t {
					other = b
				}
				if other.value != nil && other.value.Kind() == constant.String {
					w.claim(token.EQL, t.differs[0], t.differs[1], at)
				}
				return
			}
		}
		w.claim(token.EQL, a, b, at)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if a, b, ok := w.distance(e, want); ok {
			w.claim(token.EQL, w.eval(a), w.eval(b), at)
			return
		}
		op := e.Op
		a, b := w.eval(e.X), w.eval(e.Y)
		if !want {
			op = map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS}[op]
		}
		switch op {
		case token.GTR:
			op, a, b = token.LSS, b, a
		case token.GEQ:
			op, a, b = token.LEQ, b, a
		}
		w.claim(op, a, b, at)
	}
}

// distance finds the operands of math.Abs(a-b) < ε.
func (w *walker) distance(e *ast.BinaryExpr, want bool) (a, b ast.Expr, ok bool) {
	small, bound := e.X, e.Y
	less := e.Op == token.LSS || e.Op == token.LEQ
	if _, call := ast.Unparen(bound).(*ast.CallExpr); call {
		small, bound, less = bound, small, !less
	}
	call, is := ast.Unparen(small).(*ast.CallExpr)
	if !is || less != want || len(call.Args) != 1 || !w.isFunction(call, "math", "Abs") {
		return nil, nil, false
	}
	d, is := ast.Unparen(call.Args[0]).(*ast.BinaryExpr)
	if !is || d.Op != token.SUB {
		return nil, nil, false
	}
	return d.X, d.Y, true
}

func (w *walker) isFunction(call *ast.CallExpr, pkg, name string) bool {
	o, ok := typeutil.Callee(w.info, call).(*types.Func)
	return ok && o.Name() == name && o.Pkg() != nil && o.Pkg().Path() == pkg
}

// equality finds the operands of a function that says whether two values are equal.
func (w *walker) equality(call *ast.CallExpr) (a, b ast.Expr, ok bool) {
	if len(call.Args) < 2 {
		return nil, nil, false
	}
	for _, f := range [][2]string{{"reflect", "DeepEqual"}, {"bytes", "Equal"}, {"slices", "Equal"}, {"maps", "Equal"}, {"github.com/google/go-cmp/cmp", "Equal"}} {
		if w.isFunction(call, f[0], f[1]) {
			return call.Args[0], call.Args[1], true
		}
	}
	return nil, nil, false
}

// Words with which names of assertions end, in lower case.
var (
	saysEqual = []string{"equal", "equals", "equalvalues", "exactly", "deepequal", "deepequals", "eq"}
	saysOrder = map[string]token.Token{"less": token.LSS, "lessorequal": token.LEQ, "greater": token.GTR, "greaterorequal": token.GEQ}
)

// assertion notes what a call of a testing library or a helper asserts, and reports
// whether it is one.
func (w *walker) assertion(call *ast.CallExpr) bool {
	name := ""
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	case *ast.IndexExpr:
		if id, ok := f.X.(*ast.Ident); ok {
			name = id.Name
		}
	}
	if f, _ := w.callee(w.info, call); f != nil {
		return false
	}
	args := call.Args
	if len(args) > 0 && isTesting(w.info.TypeOf(args[0])) {
		args = args[1:]
	}
	name = strings.TrimSuffix(strings.ToLower(name), "f")
	if strings.Contains(name, "not") || strings.Contains(name, "unequal") {
		return false
	}
	if op, ok := saysOrder[name]; ok && len(args) >= 2 {
		w.compared(&ast.BinaryExpr{X: args[0], Op: op, Y: args[1]}, true, call)
		return true
	}
	switch {
	case (name == "assert" || name == "check") && len(args) >= 3: // quicktest, gocheck
		s, ok := args[1].(*ast.SelectorExpr)
		id, plain := args[1].(*ast.Ident)
		if ok {
			id, plain = s.Sel, true
		}
		if plain && slices.Contains(saysEqual, strings.ToLower(id.Name)) {
			w.claim(token.EQL, w.eval(args[0]), w.eval(args[2]), call)
			return true
		}
	case name == "true" && len(args) >= 1, (name == "assert" || name == "require") && len(args) == 1:
		w.claims(args[0], true, call)
		return true
	case name == "false" && len(args) >= 1:
		w.claims(args[0], false, call)
		return true
	case (name == "indelta" || name == "inepsilon") && len(args) >= 3,
		len(args) >= 2 && slices.ContainsFunc(saysEqual, func(s string) bool { return strings.HasSuffix(name, s) }):
		w.claim(token.EQL, w.eval(args[0]), w.eval(args[1]), call)
		return true
	}
	return false
}

// isTesting reports whether a type is one that tests fail with.
func isTesting(t types.Type) bool {
	if t == nil {
		return false
	}
	for _, name := range []string{"Errorf", "FailNow"} {
		if o, _, _ := types.LookupFieldOrMethod(t, true, nil, name); o == nil {
			return false
		}
	}
	return true
}

func (w *walker) claim(op token.Token, a, b *term, at ast.Node) {
	if op == token.EQL && a.kind == literal {
		a, b = b, a
	}
	if op == token.EQL && b.value != nil && b.value.Kind() == constant.Bool {
		op = token.NOT
		if constant.BoolVal(b.value) {
			op = token.ILLEGAL
		}
		b = nil
		if a.kind != result {
			return
		}
	}
	w.found = append(w.found, claim{op, a, b, slices.Clone(w.guards), at.Pos()})
}

package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// visit finds the decisions of one declaration, from the outside in. It reports
// whether what is inside n is to be visited, too.
func (c *fileCode) visit(n ast.Node) bool {
	if n == nil {
		c.around = c.around[:len(c.around)-1]
		return true
	}
	c.around = append(c.around, n)
	c.operands(n)
	switch n := n.(type) {
	case *ast.IfStmt:
		c.decide(n.Cond, "if")
	case *ast.ForStmt:
		if n.Cond != nil {
			c.decide(n.Cond, "for")
		} else {
			c.arm(n, n.Body.Lbrace+1, "for")
		}
	case *ast.RangeStmt:
		c.arm(n, n.Body.Lbrace+1, "range")
	case *ast.SwitchStmt:
		c.switchStatement(n)
	case *ast.TypeSwitchStmt:
		for _, s := range n.Body.List {
			clause := s.(*ast.CaseClause)
			c.arm(clause, clause.Colon+1, "typeswitch")
		}
	case *ast.SelectStmt:
		for _, s := range n.Body.List {
			clause := s.(*ast.CommClause)
			c.arm(clause, clause.Colon+1, "select")
		}
	case *ast.BinaryExpr:
		// Used as a value, the left operand decides whether the right one is
		// evaluated; the right one decides nothing.
		if !c.handled[n] && logical(n.Op) {
			c.handled[n] = true
			c.decide(n.X, map[token.Token]string{token.LAND: "and", token.LOR: "or"}[n.Op])
		}
	}
	return true
}

func logical(op token.Token) bool { return op == token.LAND || op == token.LOR }

// decide finds the leaves of an expression that decides a branch.
func (c *fileCode) decide(e ast.Expr, kind string) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		c.decide(x.X, kind)
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			c.decide(x.X, kind)
			return
		}
	case *ast.BinaryExpr:
		if logical(x.Op) {
			c.handled[x] = true
			c.decide(x.X, kind)
			c.decide(x.Y, kind)
			return
		}
	}
	c.leaf(e, kind)
}

func (c *fileCode) leaf(e ast.Expr, kind string) {
	tv, ok := c.info.Types[e]
	if !ok || tv.Value != nil || c.handled[e] {
		c.undecided(e)
		return
	}
	if !exactlyBool(tv.Type) {
		if !boolean(tv.Type) {
			c.undecided(e)
			c.prog.skip(c.file, e.Pos(), "case of type "+tv.Type.String()+" compared with true")
			return
		}
		if comparison(e) {
			c.undecided(e)
			c.prog.skip(c.file, e.Pos(), "comparison that takes its type, "+tv.Type.String()+", from its context")
			return
		}
	}
	call := c.decider(e, kind)
	if !exactlyBool(tv.Type) {
		call = c.names.probe + "." + c.told("N")
		c.prog.NeedsLang = c.prog.NeedsLang || c.old
	}
	c.add(e, kind, c.text(e), call, caseTag{})
}

// told is the function that stands in for one of the probe's where decisions are told.
func (c *fileCode) told(name string) string {
	switch {
	case !c.cfg.Operands:
		return name
	case name == "N":
		return "DN"
	}
	return "D"
}

// caseTag is the tag of a switch that a case is compared with.
type caseTag struct {
	name     string // "" where there is none
	comparer string // of package probe; "" for ==
}

// add records a condition. A tag, where there is one, is compared with it.
func (c *fileCode) add(e ast.Expr, kind, text, call string, by caseTag) {
	reason := ""
	if c.generated && !c.cfg.Generated {
		reason = "in a generated file"
	}
	c.conditions = append(c.conditions, &foundCondition{
		Condition: Condition{
			Package: c.path, Function: c.function, Text: text,
			Place: c.place(e.Pos()), Line: c.line(e.Pos()), Kind: kind,
			Negatable: reason == "", Reason: reason,
		},
		call: call, tag: by, at: c.offset(e.Pos()), end: c.offset(e.End()),
	})
}

func (c *fileCode) arm(n ast.Node, at token.Pos, kind string) {
	c.arms = append(c.arms, &foundArm{
		Arm: Arm{
			Package: c.path, Function: c.function,
			Place: c.place(n.Pos()), Line: c.line(n.Pos()), Kind: kind,
		},
		at: c.offset(at),
	})
}

// exactlyBool reports whether a type is bool, or that of the untyped result of a
// comparison, which may be given to a parameter of type bool and come back as
// one: where the context asks for another type, go/types records that one.
func exactlyBool(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.UntypedBool)
}

func boolean(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		iface, ok := p.Constraint().Underlying().(*types.Interface)
		return ok && booleanSet(iface)
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// booleanSet reports whether every type of an interface's type set is boolean.
func booleanSet(t *types.Interface) bool {
	for i := range t.NumEmbeddeds() {
		switch e := types.Unalias(t.EmbeddedType(i)).(type) {
		case *types.Union:
			all := e.Len() > 0
			for j := range e.Len() {
				all = all && boolean(e.Term(j).Type())
			}
			if all {
				return true
			}
		default:
			if inner, ok := e.Underlying().(*types.Interface); ok && booleanSet(inner) || boolean(e) {
				return true
			}
		}
	}
	return false
}

// comparison reports whether the type of an expression is untyped by itself.
func comparison(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

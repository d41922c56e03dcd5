package instrument

import (
	"go/ast"
	"go/token"
)

// toll is what a call of a function has to pay: the first condition that is
// evaluated consumes fuel, whichever way the call takes.
type toll struct {
	paid    bool
	unclear bool // the first condition may not be evaluated, so all consume fuel
}

// decider returns the function of the probe that a condition goes through: B,
// which consumes fuel, or C, which does not.
//
// What runs for ever goes round a loop or calls without end, maybe from a loop in
// code that is not rewritten. So it is enough that each round of a loop consumes
// fuel, by the first leaf of its condition or by its arm, and each call of a
// function, by its first condition. All others are evaluated at most once in each
// of them, unless there are jumps.
func (c *fileCode) decider(e ast.Expr, kind string) string {
	toll, covered := c.where(e.Pos())
	free := covered || toll.paid
	if kind == "for" {
		free = leftmost(c.loop().Cond) != e && c.consumes(c.loop())
	}
	if free && !toll.unclear {
		return c.names.probe + "." + c.told("C")
	}
	toll.paid = toll.paid || !covered
	return c.names.probe + "." + c.told("B")
}

// undecided notes that an expression decides a branch and is left alone: what
// follows it may not be evaluated.
func (c *fileCode) undecided(e ast.Expr) {
	if toll, covered := c.where(e.Pos()); !toll.paid && !covered {
		toll.unclear = true
	}
}

// where returns the toll of the function around pos, in what is under visit, and
// reports whether pos lies in a loop or clause of it that consumes fuel itself.
func (c *fileCode) where(pos token.Pos) (t *toll, covered bool) {
	var body *ast.BlockStmt
	for i := len(c.around) - 1; i >= 0 && body == nil; i-- {
		switch n := c.around[i].(type) {
		case *ast.ForStmt:
			covered = covered || within(n.Body, pos) && c.consumes(n)
		case *ast.RangeStmt:
			covered = covered || within(n.Body, pos)
		case *ast.CommClause:
			covered = true
		case *ast.TypeSwitchStmt:
			covered = covered || within(n.Body, pos)
		case *ast.FuncLit:
			body = n.Body
		case *ast.FuncDecl:
			body = n.Body
		}
	}
	t, ok := c.tolls[body]
	if !ok {
		t = &toll{unclear: body == nil || jumps(body)}
		c.tolls[body] = t
	}
	return t, covered
}

func within(b *ast.BlockStmt, pos token.Pos) bool { return b.Pos() <= pos && pos < b.End() }

// loop is the loop whose condition is under visit.
func (c *fileCode) loop() *ast.ForStmt { return c.around[len(c.around)-1].(*ast.ForStmt) }

// consumes reports whether each round of a loop consumes fuel.
func (c *fileCode) consumes(n *ast.ForStmt) bool {
	if n.Cond == nil {
		return true
	}
	first := leftmost(n.Cond)
	tv := c.info.Types[first]
	return tv.Value == nil && (exactlyBool(tv.Type) || boolean(tv.Type) && !comparison(first))
}

// leftmost returns the leaf of &&, || and ! that is evaluated first.
func leftmost(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return leftmost(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return leftmost(x.X)
		}
	case *ast.BinaryExpr:
		if logical(x.Op) {
			return leftmost(x.X)
		}
	}
	return e
}

// jumps reports whether a function's body, without the function literals in it,
// has a goto, which makes loops of its own and leaves conditions out.
func jumps(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			found = true
		}
		_, literal := n.(*ast.FuncLit)
		return !literal && !found
	})
	return found
}

package mutant

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/big"
	"strconv"
	"strings"
)

// literal adds the mutants of a number or string.
func (x *finder) literal(lit *ast.BasicLit) {
	switch lit.Kind {
	case token.INT:
		for _, text := range integers(lit.Value) {
			x.constant(lit, text)
		}
	case token.FLOAT:
		for _, text := range floats(lit.Value) {
			x.constant(lit, text)
		}
	case token.STRING:
		s, err := strconv.Unquote(lit.Value)
		if err != nil {
			return
		}
		to := `""`
		if s == "" {
			to = `"x"`
		}
		// A raw string may span lines, which have to stay.
		x.constant(lit, to+strings.Repeat("\n", strings.Count(lit.Value, "\n")))
	}
}

// integers returns n+1 and, unless n is 0, n-1, in decimal or hexadecimal as the
// literal is.
func integers(text string) []string {
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return nil
	}
	form := func(n *big.Int) string {
		if strings.HasPrefix(strings.ToLower(text), "0x") {
			return "0x" + n.Text(16)
		}
		return n.Text(10)
	}
	one := big.NewInt(1)
	out := []string{form(new(big.Int).Add(n, one))}
	if n.Sign() != 0 {
		out = append(out, form(new(big.Int).Sub(n, one)))
	}
	return out
}

func floats(text string) []string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	var out []string
	for _, g := range []float64{f + 1, f - 1} {
		if g == f || g < 0 {
			continue // lost in rounding, or not a literal
		}
		s := strconv.FormatFloat(g, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		out = append(out, s)
	}
	return out
}

// constant adds one replacement of a literal or of true and false, unless the
// language wants a constant there. The schemata replace the outermost constant
// expression around it, since a part of one must be constant.
func (x *finder) constant(e ast.Expr, to string) {
	outer, i := e, len(x.stack)-1
	for ; i >= 0; i-- {
		parent, ok := x.stack[i].(ast.Expr)
		if !ok || x.info.Types[parent].Value == nil {
			break
		}
		outer = parent
	}
	if kv, ok := x.stack[max(i, 0)].(*ast.KeyValueExpr); ok && kv.Key == outer && x.constantKey(i) {
		return
	}
	from, until := x.offset(outer.Pos()), x.offset(outer.End())
	start, end := x.offset(e.Pos()), x.offset(e.End())
	alt := string(x.src[from:start]) + to + string(x.src[end:until])
	c := candidate{Mutant: Mutant{Operator: Constant}, shape: shapePick, node: outer, depth: i + 1, alt: alt}
	switch parent := x.stack[max(i, 0)].(type) {
	case *ast.BinaryExpr:
		c.count = shift(parent.Op) && parent.Y == outer
	case *ast.AssignStmt:
		op, ok := assignment(parent.Tok)
		c.count = ok && shift(op) && parent.Rhs[0] == outer
	}
	// A constant decides no branch; chosen at run time it would be a new leaf.
	c.Plain = basicInfo(x.info.TypeOf(outer))&types.IsBoolean != 0 && decides(x.stack[max(i, 0)])
	x.add(c,
		start, end, to, whole(x.stack, e))
}

// decides reports whether a boolean operand of the node can decide a branch.
func decides(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.CaseClause, *ast.ParenExpr:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.NOT
	case *ast.BinaryExpr:
		return n.Op == token.LAND || n.Op == token.LOR
	}
	return false
}

// constantKey reports whether the composite literal above a key, which is the
// i-th ancestor, indexes an array or slice.
func (x *finder) constantKey(i int) bool {
	if i == 0 {
		return false
	}
	lit, ok := x.stack[i-1].(*ast.CompositeLit)
	if !ok {
		return false
	}
	switch x.info.TypeOf(lit).Underlying().(type) {
	case *types.Array, *types.Slice:
		return true
	}
	return false
}

// whole returns what shows a constant to people: the largest expression around
// it within the same statement, but no function or composite literal.
func whole(stack []ast.Node, e ast.Expr) ast.Node {
	var out ast.Node = e
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.CompositeLit, *ast.FuncLit:
			return out
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.IncDecStmt:
			return n
		case ast.Expr:
			out = n
		default:
			return out
		}
	}
	return out
}

package report

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// inlined puts values into the call that uses them, as one would write it by
// hand: "NewFromInt(31).Mod(NewFromInt(32))" for two variables and a call. Only
// the steps right before the call are taken, and only a variable that is used
// once, so that nothing seems to happen in another order than it did. Variables
// that keep names stay.
func inlined(steps []statement, keep string) []statement {
	last := len(steps) - 1
	if keep != "" && keep == steps[last].defines {
		return steps
	}
	call := steps[last].value
	from := last
	for from > 0 {
		s := steps[from-1]
		if s.defines == "" || mentions(keep, s.defines) > 0 {
			break
		}
		text, ok := substitute(call, s.defines, s.value)
		if !ok || len([]rune(text)) > inputLength {
			break
		}
		call = text
		from--
	}
	if from == last {
		return steps
	}
	made := statement{text: call, value: call}
	return append(append([]statement(nil), steps[:from]...), made)
}

// mentions counts the uses of a name in an expression.
func mentions(expression, name string) int {
	e, ok := parseExpression(expression)
	if !ok {
		return 0
	}
	n := 0
	ast.Inspect(e, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && id.Name == name {
			n++
		}
		return true
	})
	return n
}

// substitute writes a value in the place of the only use of a name. It fails
// where the place needs a variable, or hides when it is evaluated.
func substitute(expression, name, value string) (string, bool) {
	e, ok := parseExpression(expression)
	v, isValue := parseExpression(value)
	if !ok || !isValue || mentions(expression, name) != 1 {
		return "", false
	}
	var use *ast.Ident
	usable := true
	var stack []ast.Node
	ast.Inspect(e, func(node ast.Node) bool {
		if node == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := node.(*ast.Ident); ok && id.Name == name {
			use = id
			for i, parent := range stack {
				child := node
				if i+1 < len(stack) {
					child = stack[i+1]
				}
				usable = usable && takesValue(parent, child)
			}
		}
		stack = append(stack, node)
		return true
	})
	if use == nil || !usable {
		return "", false
	}
	if _, isUnary := v.(*ast.UnaryExpr); isUnary && selects(e, use) {
		value = "(" + value + ")"
	}
	from, to := int(use.Pos())-1, int(use.End())-1
	if from < 0 || to > len(expression) || from > to {
		return "", false
	}
	return expression[:from] + value + expression[to:], true
}

// takesValue reports whether the child may be any value within parent.
func takesValue(parent, child ast.Node) bool {
	switch p := parent.(type) {
	case *ast.CallExpr:
		return true
	case *ast.SelectorExpr:
		return p.X == child
	case *ast.CompositeLit:
		return p.Type != child
	case *ast.ParenExpr:
		return true
	}
	return false // &x, x[i], func literals, keys
}

// selects reports whether a method is called on this use of the name.
func selects(e ast.Node, use *ast.Ident) bool {
	found := false
	ast.Inspect(e, func(node ast.Node) bool {
		if s, ok := node.(*ast.SelectorExpr); ok && s.X == use {
			found = true
		}
		return true
	})
	return found
}

// parseExpression bounds what it parses: go/parser recurses, and the text is
// hostile.
func parseExpression(text string) (ast.Expr, bool) {
	if text == "" || len(text) > 4096 {
		return nil, false
	}
	e, err := parser.ParseExpr(text)
	return e, err == nil
}

// definition is the name that "x := value" gives its only value; "" for any
// other statement.
func definition(s *ast.AssignStmt) string {
	if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return ""
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok || id.Name == "_" {
		return ""
	}
	switch s.Rhs[0].(type) {
	case *ast.CallExpr, *ast.BasicLit, *ast.CompositeLit:
		return id.Name
	case *ast.UnaryExpr:
		if u := s.Rhs[0].(*ast.UnaryExpr); u.Op == token.AND {
			if _, ok := u.X.(*ast.CompositeLit); ok {
				return id.Name
			}
		}
	}
	return ""
}

package instrument

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// switchStatement makes the cases of a switch conditions.
//
//	switch tag { case c: }           becomes  switch t := tag; { case B(i, t == (c)): }
//	switch init; tag { case c: }     becomes  switch init; {default: switch t := tag; { case B(i, t == (c)): }}
//
// The comparison type-checks exactly where the case did, since the language
// defines the one by the other: a constant tag takes its default type, an
// untyped case takes the tag's. In the second form the outer switch stays the
// target of its label, and its only clause ends as the inner switch ends, so
// that the statement is terminating where it was.
func (c *fileCode) switchStatement(s *ast.SwitchStmt) {
	if s.Tag == nil || c.constantTrue(s.Tag) {
		for _, e := range cases(s) {
			c.decide(e, "switch")
		}
		return
	}
	tag, ok := c.info.Types[s.Tag]
	if !ok || len(cases(s)) == 0 {
		return
	}
	if tag.Value != nil && c.allConstant(cases(s)) {
		c.undecided(s.Tag)
		return // decided by the compiler
	}
	open, close := c.names.tag+" := ", "; "
	if s.Init != nil {
		open = "{default: switch " + open
		c.edits.open(c.offset(s.Body.Rbrace), "}")
	}
	c.edits.open(c.offset(s.Tag.Pos()), open)
	c.edits.close(c.offset(s.Tag.End()), close)
	text := c.text(s.Tag) + " == "
	for _, e := range cases(s) {
		if b, ok := e.(*ast.BinaryExpr); ok && logical(b.Op) {
			// The left operand starts where the case starts: two conditions
			// would have one key. The case is the one that has a match.
			c.skipLeft(b)
		}
		c.add(e, "case", text+c.text(e), c.decider(e, "case"), caseTag{c.names.tag, c.caseComparer(s.Tag, e)})
	}
}

func (c *fileCode) skipLeft(b *ast.BinaryExpr) {
	c.handled[b] = true
	c.prog.skip(c.file, b.X.Pos(), "left operand at the start of a case that is a condition itself")
	if left, ok := b.X.(*ast.BinaryExpr); ok && logical(left.Op) {
		c.skipLeft(left)
	}
}

func cases(s *ast.SwitchStmt) []ast.Expr {
	var out []ast.Expr
	for _, clause := range s.Body.List {
		out = append(out, clause.(*ast.CaseClause).List...)
	}
	return out
}

func (c *fileCode) constantTrue(e ast.Expr) bool {
	tv := c.info.Types[e]
	return tv.Value != nil && tv.Value.Kind() == constant.Bool && constant.BoolVal(tv.Value) &&
		types.Identical(types.Default(tv.Type), types.Typ[types.Bool])
}

func (c *fileCode) allConstant(list []ast.Expr) bool {
	for _, e := range list {
		if c.info.Types[e].Value == nil {
			return false
		}
	}
	return true
}

package instrument

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/probe"
)

// wrapping is text around an expression.
type wrapping struct {
	at, end     int
	open, close string
	// A comparison's operator becomes the comma between two arguments.
	operator, width int
}

// operands has an expression tell what it compares, where its type allows that.
// The rewriting gives the same values in the same order; it only looks at them.
func (c *fileCode) operands(n ast.Node) {
	if !c.cfg.Operands {
		return
	}
	c.prog.NeedsLang = c.prog.NeedsLang || c.old
	switch n := n.(type) {
	case *ast.BinaryExpr:
		c.comparison(n)
	case *ast.CallExpr:
		c.predicate(n)
	case *ast.IndexExpr:
		c.key(n)
	}
}

func (c *fileCode) wrap(n ast.Node, open, close string) {
	c.wrappings = append(c.wrappings, wrapping{at: c.offset(n.Pos()), end: c.offset(n.End()), open: open, close: close})
}

// operators are the numbers of comparisons in package probe.
func operators() map[token.Token]int {
	return map[token.Token]int{token.EQL: probe.Equal, token.NEQ: probe.NotEqual, token.LSS: probe.Less, token.LEQ: probe.LessEqual,
		token.GTR: probe.Greater, token.GEQ: probe.GreaterEqual}
}

func (c *fileCode) comparison(n *ast.BinaryExpr) {
	how, ok := operators()[n.Op]
	tv := c.info.Types[n]
	if !ok || tv.Value != nil || tv.Type == nil || !exactlyBool(tv.Type) {
		return
	}
	helper := c.comparer(n.X, n.Y)
	if helper == "" {
		return
	}
	c.wrappings = append(c.wrappings, wrapping{at: c.offset(n.Pos()), end: c.offset(n.End()),
		open: c.names.probe + "." + helper + "(" + strconv.Itoa(how) + ", ", close: ")",
		operator: c.offset(n.OpPos), width: len(n.Op.String())})
}

// comparer names the function that compares two operands of one basic type, "" where
// there is none.
func (c *fileCode) comparer(x, y ast.Expr) string {
	a, b := c.info.Types[x], c.info.Types[y]
	if a.Type == nil || b.Type == nil || !types.Identical(a.Type, b.Type) || c.shifts(x) || c.shifts(y) {
		return ""
	}
	return helperOf("O", a.Type)
}

// helperOf names the function of package probe for a type.
func helperOf(prefix string, t types.Type) string {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return ""
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsUntyped != 0 {
		return ""
	}
	switch info := b.Info(); {
	case info&types.IsUnsigned != 0:
		return prefix + "U"
	case info&types.IsInteger != 0:
		return prefix + "I"
	case info&types.IsFloat != 0:
		return prefix + "F"
	case info&types.IsString != 0:
		return prefix + "S"
	}
	return ""
}

// shifts reports whether an expression shifts a constant by what is none: it takes its
// type from where it stands, which would be another place.
func (c *fileCode) shifts(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.SHL || b.Op == token.SHR) &&
			c.info.Types[b.X].Value != nil && c.info.Types[b].Value == nil {
			found = true
		}
		return !found
	})
	return found
}

// predicates are functions of two texts, in packages strings and bytes.
func predicates() map[string]int {
	return map[string]int{"HasPrefix": probe.Prefix, "HasSuffix": probe.Suffix, "Contains": probe.Within, "Index": probe.Within, "LastIndex": probe.Within,
		"Count": probe.Within, "EqualFold": probe.Fold, "Equal": probe.Equal, "Compare": probe.Unrelated, "ContainsAny": probe.OneOf, "IndexAny": probe.OneOf,
		"TrimPrefix": probe.Prefix, "TrimSuffix": probe.Suffix, "Split": probe.Within}
}

func (c *fileCode) predicate(n *ast.CallExpr) {
	s, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || len(n.Args) != 2 || n.Ellipsis.IsValid() {
		return
	}
	f, ok := c.info.Uses[s.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil || f.Signature().Results().Len() != 1 {
		return
	}
	helper := map[string]string{"strings": "PS", "bytes": "PB"}[f.Pkg().Path()]
	how, ok := predicates()[f.Name()]
	if helper == "" || !ok || f.Signature().Params().Len() != 2 ||
		!types.Identical(f.Signature().Params().At(0).Type(), f.Signature().Params().At(1).Type()) {
		return
	}
	c.wrap(n.Fun, c.names.probe+"."+helper+"("+strconv.Itoa(how)+", ", ")")
}

// key has the key that a map is asked for tell itself. The map is named twice then, so
// it has to be a variable or a field.
func (c *fileCode) key(n *ast.IndexExpr) {
	if !plainPath(n.X) || c.info.Types[n.X].Type == nil {
		return
	}
	m, ok := c.info.Types[n.X].Type.Underlying().(*types.Map)
	if !ok || c.info.Types[n.Index].Type == nil || !types.Identical(c.info.Types[n.Index].Type, m.Key()) || c.shifts(n.Index) {
		return
	}
	helper := map[string]string{"KS": "KS", "KI": "KI", "KU": "KI"}[helperOf("K", m.Key())]
	if helper == "" || strings.ContainsAny(c.text(n.X), "\n") {
		return
	}
	c.wrap(n.Index, c.names.probe+"."+helper+"("+c.text(n.X)+", ", ")")
}

func plainPath(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return plainPath(x.X)
	}
	return false
}

// caseComparer names the function that compares the tag of a switch with a case.
func (c *fileCode) caseComparer(tag, e ast.Expr) string {
	if !c.cfg.Operands {
		return ""
	}
	a, b := c.info.Types[tag], c.info.Types[e]
	if a.Type == nil || b.Type == nil || c.shifts(e) {
		return ""
	}
	// A constant tag takes its default type.
	if t := types.Default(a.Type); types.Identical(t, b.Type) {
		return helperOf("O", t)
	}
	return ""
}

// writeWrappings writes them from the outside in, as edits asks for.
func (c *fileCode) writeWrappings() {
	slices.SortStableFunc(c.wrappings, func(a, b wrapping) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.end, a.end))
	})
	for _, w := range c.wrappings {
		c.edits.open(w.at, w.open)
		c.edits.close(w.end, w.close)
		if w.width > 0 {
			c.edits.replace(w.operator, w.operator+w.width, ",")
		}
	}
}

package mutant

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// tableSize is the number of elements above which a composite literal is a
// table: mutants in it would outnumber all the others of the package.
const tableSize = 32

// A candidate is a mutant with what the schemata need to know of its place.
type candidate struct {
	Mutant
	pkg    *load.Package
	syntax *ast.File
	shape  shape
	// node is what the schemata rewrite; mutants of one shape and node share
	// the rewriting.
	node  ast.Node
	depth int         // of node in the syntax tree
	op    token.Token // that replaces the node's, for relations and arithmetic
	alt   string      // that replaces the node, for constants
	count bool        // the constant is a shift count, which may have no type
}

// shape says how the schemata rewrite a place. Of two at one node, the later
// in this order goes around the other.
type shape int

const (
	shapeBinary shape = iota // a op b, relational or arithmetic
	shapeAssign              // x op= y
	shapeStep                // x++
	shapeAndOr               // a && b
	shapeNot                 // a boolean expression, negated
	shapePick                // a constant
	shapeKeep                // a statement
)

// A finder collects the candidates of one file.
type finder struct {
	tree   *load.Tree
	pkg    *load.Package
	info   *types.Info
	syntax *ast.File
	file   *token.File
	name   string
	src    []byte
	stack  []ast.Node // ancestors of the node being visited
	out    []candidate
}

// find returns all candidates of a tree, ordered by package, file and place.
func find(t *load.Tree) ([]candidate, map[string][]byte, error) {
	var out []candidate
	sources := map[string][]byte{}
	for _, pkg := range t.Packages {
		if pkg.Code == nil || usesCgo(t, pkg) {
			continue
		}
		for _, f := range pkg.Code.Syntax {
			file := t.Fset.File(f.FileStart)
			src, err := os.ReadFile(file.Name())
			if err != nil {
				return nil, nil, err
			}
			name := t.Rel(file.Name())
			sources[name] = src
			if ast.IsGenerated(f) {
				continue
			}
			x := &finder{tree: t, pkg: pkg, info: pkg.Code.TypesInfo, syntax: f, file: file, name: name, src: src}
			ast.PreorderStack(f, nil, func(n ast.Node, stack []ast.Node) bool {
				x.stack = stack
				return x.visit(n)
			})
			slices.SortStableFunc(x.out, func(a, b candidate) int { return a.Start - b.Start })
			out = append(out, x.out...)
		}
	}
	return out, sources, nil
}

// usesCgo reports whether the package's syntax is not that of its own files:
// what cgo writes stands in the build cache.
func usesCgo(t *load.Tree, pkg *load.Package) bool {
	return slices.ContainsFunc(pkg.Code.Syntax, func(f *ast.File) bool {
		return filepath.Dir(t.Fset.File(f.FileStart).Name()) != pkg.Dir
	})
}

// visit adds the candidates at one node and reports whether to look below it.
func (x *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ArrayType, *ast.StructType, *ast.InterfaceType, *ast.FuncType, *ast.MapType, *ast.ChanType:
		return false
	case *ast.CompositeLit:
		return len(n.Elts) <= tableSize
	case *ast.BinaryExpr:
		x.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			x.removeNot(n)
		}
	case *ast.BasicLit:
		x.literal(n)
	case *ast.Ident:
		x.boolean(n)
	case *ast.IfStmt:
		x.insertNot(n.Cond)
	case *ast.ForStmt:
		x.insertNot(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					x.insertNot(e)
				}
			}
		}
	case *ast.AssignStmt:
		x.compound(n)
		if n.Tok != token.DEFINE && !discards(n) {
			x.delete(n)
		}
	case *ast.IncDecStmt:
		x.step(n)
		x.delete(n)
	case *ast.ExprStmt:
		if _, ok := n.X.(*ast.CallExpr); ok {
			x.delete(n)
		}
	}
	return true
}

func (x *finder) offset(p token.Pos) int { return x.file.Offset(p) }

// line returns text on one line, shortened, for people.
func line(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 80
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}

// add completes a candidate: the bytes from start to end, within whole, become
// replacement.
func (x *finder) add(c candidate, start, end int, replacement string, whole ast.Node) {
	c.pkg, c.syntax, c.File, c.Start, c.End = x.pkg, x.syntax, x.name, start, end
	c.Original, c.Replacement = string(x.src[start:end]), replacement
	c.Line = x.file.Line(whole.Pos())
	c.Function = x.function()
	c.Initial = c.Function == ""
	if c.depth == 0 {
		c.depth = len(x.stack)
	}
	from, to := x.offset(whole.Pos()), x.offset(whole.End())
	c.Before = line(string(x.src[from:to]))
	c.After = line(string(x.src[from:start]) + replacement + string(x.src[end:to]))
	x.out = append(x.out, c)
}

func (x *finder) function() string {
	for _, n := range x.stack {
		fn, ok := n.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if fn.Recv == nil || len(fn.Recv.List) == 0 {
			return fn.Name.Name
		}
		return "(" + types.ExprString(fn.Recv.List[0].Type) + ")." + fn.Name.Name
	}
	return ""
}

// binary adds the mutants of a binary expression's operator.
func (x *finder) binary(e *ast.BinaryExpr) {
	if e.Op == token.LAND || e.Op == token.LOR {
		x.insertNot(e.X)
		x.insertNot(e.Y)
	}
	if x.info.Types[e].Value != nil {
		return // folded by the compiler; its literals are mutated instead
	}
	kind := Arithmetic
	var ops []token.Token
	c := candidate{shape: shapeBinary, node: e}
	switch {
	case e.Op == token.LAND || e.Op == token.LOR:
		kind, c.shape, c.Structural = Logical, shapeAndOr, true
		ops = []token.Token{token.LAND + token.LOR - e.Op}
	case relational(e.Op):
		kind = Relational
		ops = x.relations(e)
	default:
		if op, ok := arithmetic(e.Op); ok && numeric(x.info.TypeOf(e)) {
			ops = []token.Token{op}
		}
	}
	for _, op := range ops {
		c.Operator, c.op = kind, op
		if !ordered(op) && kind == Relational && len(ops) == 1 {
			c.shape = shapeNot // == and != are each other's negation, whatever the type
		}
		at := x.offset(e.OpPos)
		if op.Precedence() == e.Op.Precedence() {
			x.add(c, at, at+len(e.Op.String()), op.String(), e)
			continue
		}
		// Another precedence would regroup the operands: keep them in place.
		start, end := x.offset(e.Pos()), x.offset(e.End())
		text := "(" + string(x.src[start:at]) + op.String() + string(x.src[at+len(e.Op.String()):end]) + ")"
		x.add(c, start, end, text, e)
	}
}

func relational(op token.Token) bool { return ordered(op) || op == token.EQL || op == token.NEQ }

func ordered(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

// relations returns the replacements of a relation: its boundary, its opposite,
// and the one that differs only at, or off, equality. The other two are killed
// by whatever kills these. Those that are certainly equivalent are left out.
func (x *finder) relations(e *ast.BinaryExpr) []token.Token {
	table := map[token.Token][]token.Token{
		token.LSS: {token.LEQ, token.GEQ, token.NEQ},
		token.LEQ: {token.LSS, token.GTR, token.EQL},
		token.GTR: {token.GEQ, token.LEQ, token.NEQ},
		token.GEQ: {token.GTR, token.LSS, token.EQL},
		token.EQL: {token.NEQ, token.LEQ, token.GEQ},
		token.NEQ: {token.EQL, token.LSS, token.GTR},
	}
	ops := table[e.Op]
	// Strings stay with == and !=: the compiler compares them in ways (without
	// converting byte slices) that a generic function would spoil.
	if !ordered(e.Op) && !(numeric(x.operand(e)) && !complexType(x.operand(e))) {
		return ops[:1]
	}
	var out []token.Token
	for _, op := range ops {
		if !x.sameByRange(e, op) {
			out = append(out, op)
		}
	}
	return out
}

// sameByRange reports whether an operator gives the same as the expression's own
// because one side is zero and the other cannot be negative.
func (x *finder) sameByRange(e *ast.BinaryExpr, op token.Token) bool {
	sides := []token.Token{e.Op, op}
	left, right := e.X, e.Y
	if x.zero(left) { // 0 < n is n > 0
		left, right = right, left
		mirror := map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}
		for i, s := range sides {
			if m, ok := mirror[s]; ok {
				sides[i] = m
			}
		}
	}
	if !x.zero(right) || !x.nonNegative(left) {
		return false
	}
	class := map[token.Token]int{ // over {0, positive}
		token.EQL: 1, token.LEQ: 1,
		token.NEQ: 2, token.GTR: 2,
		token.GEQ: 3, token.LSS: 4,
	}
	return class[sides[0]] == class[sides[1]]
}

func (x *finder) zero(e ast.Expr) bool {
	v := x.info.Types[e].Value
	return v != nil && (v.Kind() == constant.Int || v.Kind() == constant.Float) && constant.Sign(v) == 0
}

func (x *finder) nonNegative(e ast.Expr) bool {
	if b, ok := x.info.TypeOf(e).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := x.info.Uses[id].(*types.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap")
}

// operand returns the type in which a relation compares.
func (x *finder) operand(e *ast.BinaryExpr) types.Type {
	if x.info.Types[e.X].Value != nil {
		return x.info.TypeOf(e.Y)
	}
	return x.info.TypeOf(e.X)
}

func arithmetic(op token.Token) (token.Token, bool) {
	table := map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD,
		token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
		token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
		token.SHL: token.SHR, token.SHR: token.SHL,
	}
	to, ok := table[op]
	return to, ok
}

func basicInfo(t types.Type) types.BasicInfo {
	if t == nil {
		return 0
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()
	}
	return 0
}

// numeric reports whether a type is one of numbers. It is false for type
// parameters: their operators are left alone.
func numeric(t types.Type) bool     { return basicInfo(t)&types.IsNumeric != 0 }
func complexType(t types.Type) bool { return basicInfo(t)&types.IsComplex != 0 }

// compound adds the mutant of a compound assignment's operator.
func (x *finder) compound(s *ast.AssignStmt) {
	binary, ok := assignment(s.Tok)
	if !ok || !numeric(x.info.TypeOf(s.Lhs[0])) {
		return
	}
	to, _ := arithmetic(binary)
	at := x.offset(s.TokPos)
	x.add(candidate{Mutant: Mutant{Operator: Arithmetic}, shape: shapeAssign, node: s, op: to},
		at, at+len(s.Tok.String()), to.String()+"=", s)
}

// assignment returns the operator of a compound assignment.
func assignment(tok token.Token) (token.Token, bool) {
	if tok >= token.ADD_ASSIGN && tok <= token.AND_NOT_ASSIGN {
		return tok - token.ADD_ASSIGN + token.ADD, true
	}
	return 0, false
}

func (x *finder) step(s *ast.IncDecStmt) {
	at := x.offset(s.TokPos)
	to := token.INC + token.DEC - s.Tok
	op := token.ADD
	if to == token.DEC {
		op = token.SUB
	}
	x.add(candidate{Mutant: Mutant{Operator: Arithmetic}, shape: shapeStep, node: s, op: op},
		at, at+len("++"), to.String(), s)
}

// insertNot adds the negation of a condition that is a leaf. A relation is
// left out, since its opposite is a relational mutant.
func (x *finder) insertNot(e ast.Expr) {
	if e == nil {
		return
	}
	depth := len(x.stack) + 1
	for p, ok := e.(*ast.ParenExpr); ok; p, ok = e.(*ast.ParenExpr) {
		e = p.X
		depth++
	}
	switch l := e.(type) {
	case *ast.BinaryExpr:
		return
	case *ast.UnaryExpr:
		if l.Op == token.NOT {
			return // removing it is the same mutant
		}
	}
	if x.info.Types[e].Value != nil {
		return
	}
	at := x.offset(e.Pos())
	x.add(candidate{Mutant: Mutant{Operator: Logical}, shape: shapeNot, node: e, depth: depth}, at, at, "!", e)
}

func (x *finder) removeNot(e *ast.UnaryExpr) {
	if x.info.Types[e].Value != nil {
		return
	}
	at := x.offset(e.OpPos)
	inner := ast.Unparen(e.X)
	b, ok := inner.(*ast.BinaryExpr)
	c := candidate{Mutant: Mutant{Operator: Logical}, shape: shapeNot, node: inner, depth: len(x.stack) + 2}
	c.Structural = ok && (b.Op == token.LAND || b.Op == token.LOR)
	x.add(c, at, at+len("!"), "", e)
}

// boolean adds the opposite of true and false.
func (x *finder) boolean(id *ast.Ident) {
	opposite := map[string]string{"true": "false", "false": "true"}[id.Name]
	if opposite == "" || x.info.Uses[id] != types.Universe.Lookup(id.Name) {
		return
	}
	x.constant(id, opposite)
}

func discards(s *ast.AssignStmt) bool {
	for _, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	calls := false
	for _, r := range s.Rhs {
		ast.Inspect(r, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.CallExpr, *ast.UnaryExpr, *ast.IndexExpr, *ast.StarExpr, *ast.SelectorExpr, *ast.TypeAssertExpr, *ast.SliceExpr:
				calls = true // or may panic, as a bounds check written on purpose does
			}
			return true
		})
	}
	return !calls
}

// delete adds the deletion of a statement in a list of statements; its
// newlines stay.
func (x *finder) delete(s ast.Stmt) {
	if len(x.stack) == 0 {
		return
	}
	switch parent := x.stack[len(x.stack)-1].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
	case *ast.CommClause:
		if parent.Comm == s {
			return
		}
	default:
		return
	}
	start, end := x.offset(s.Pos()), x.offset(s.End())
	x.add(candidate{Mutant: Mutant{Operator: Deletion}, shape: shapeKeep, node: s},
		start, end, strings.Repeat("\n", strings.Count(string(x.src[start:end]), "\n")), s)
}

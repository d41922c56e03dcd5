package instrument

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// A PointKind is what stands at a variation point.
type PointKind string

const (
	PointText      PointKind = "text"
	PointInteger   PointKind = "integer"
	PointFloat     PointKind = "float"
	PointTruth     PointKind = "truth"
	PointList      PointKind = "list"      // a literal of a slice
	PointMap       PointKind = "map"       // a literal of a map whose keys are literals
	PointTable     PointKind = "table"     // a package-level variable with the rows of a table
	PointStatement PointKind = "statement" // a call, or an assignment to a field
)

// Point is a variation point of a test: a literal, or a statement, in whose place an iteration
// can have another one, or none.
type Point struct {
	ID int // as given to probe.VS and the like
	load.Place
	End     int // offset behind it
	Line    int
	Ordinal int // from 0, among those of the same function that read the same
	Package string
	Test    string // the top-level function around it
	Kind    PointKind
	Text    string // of the source, white space folded
	Value   string // of a constant: the text itself, or digits
	Bits    int    // of an integer; negative where it has no sign
	Length  int    // of a list, or table
	// Before and Elements are the source of a list: up to its first element, and each of them; or the name of a table, and
	// of each of its fields.
	Before   string
	Elements []string
	// Group is the same for what stands in the same place otherwise: in the same field of
	// other rows of a table, and the same argument of other calls. "" where there is no such place.
	Group string
}

// varier finds the variation points of one declaration.
type varier struct {
	*testPackage
	f     *file
	test  string
	stack []ast.Node
	// ordinals counts points by their text.
	ordinals map[string]int
}

// vary has the variation points of a function's body ask the probe.
func (w *testPackage) vary(f *file, d *ast.FuncDecl, test string) {
	v := &varier{testPackage: w, f: f, test: test, ordinals: map[string]int{}}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if n == nil {
			v.stack = v.stack[:len(v.stack)-1]
			return true
		}
		if !v.visit(n) {
			return false
		}
		v.stack = append(v.stack, n)
		return true
	})
}

// parent is the nth node around the current one, from 0.
func (v *varier) parent(n int) ast.Node {
	if n >= len(v.stack) {
		return nil
	}
	return v.stack[len(v.stack)-1-n]
}

// visit wraps a node where it can be varied, and reports whether what is in it may be.
func (v *varier) visit(n ast.Node) bool {
	if !v.inPlay(n) {
		return false
	}
	switch n := n.(type) {
	case *ast.BasicLit:
		v.literal(n)
	case *ast.Ident:
		v.truth(n)
	case *ast.CompositeLit:
		v.list(n)
	case *ast.RangeStmt:
		v.table(n)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && v.acts(call) {
			v.statement(n)
		}
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 && n.Tok == token.ASSIGN {
			if _, ok := n.Lhs[0].(*ast.SelectorExpr); ok {
				v.statement(n)
			}
		}
	}
	return true
}

// inPlay reports whether what is in a node may be varied: no types, constants and clauses, whose
// values the compiler wants to know; no operands of what compares, and no arguments of what judges: they are
// expectations.
func (v *varier) inPlay(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.StructType, *ast.ArrayType, *ast.InterfaceType, *ast.FuncType, *ast.MapType, *ast.ChanType:
		return false
	case *ast.GenDecl:
		return n.Tok == token.VAR
	}
	switch p := v.parent(0).(type) {
	case *ast.CaseClause:
		e, ok := n.(ast.Expr)
		return !ok || e.Pos() > p.Colon
	case *ast.BinaryExpr:
		if p.Op == token.SHL || p.Op == token.SHR {
			return false
		}
		if comparison(p) {
			return callsSomething(n)
		}
	case *ast.KeyValueExpr:
		if p.Key == n {
			lit, _ := v.parent(1).(*ast.CompositeLit)
			if lit == nil {
				return false
			}
			_, isMap := v.under(lit).(*types.Map)
			return isMap
		}
	case *ast.CallExpr:
		if p.Fun != n && v.expects(p) {
			return callsSomething(n)
		}
	}
	return true
}

// expects reports whether a call is one of package testing, prints, or is given a test and judges by it.
func (v *varier) expects(call *ast.CallExpr) bool {
	fn := v.callee(call)
	if fn == nil {
		return false
	}
	if fn.Pkg() != nil && (fn.Pkg().Path() == "testing" || fn.Pkg().Path() == "log" || fn.Pkg().Path() == "time") {
		return true
	}
	return judgesBy(fn)
}

// judgesBy reports whether a function of another module is given what a test fails by, as assert.Equal is.
func judgesBy(fn *types.Func) bool {
	s := fn.Signature()
	if r := s.Recv(); r != nil && len(fn.Name()) > 0 {
		// Methods of assert.Assertions and the like.
		if named, ok := types.Unalias(deref(r.Type())).(*types.Named); ok && named.Obj().Name() == "Assertions" {
			return true
		}
	}
	if s.Params().Len() < 2 {
		return false
	}
	first := s.Params().At(0).Type()
	if i, ok := first.Underlying().(*types.Interface); ok {
		for k := range i.NumMethods() {
			if name := i.Method(k).Name(); name == "Errorf" || name == "Fatalf" || name == "FailNow" {
				return true
			}
		}
	}
	return false
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// callsSomething reports whether an expression holds a call or a function.
func callsSomething(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			found = true
		}
		return !found
	})
	return found
}

func (v *varier) under(e ast.Expr) types.Type {
	t := v.info.TypeOf(e)
	if t == nil {
		return nil
	}
	return deref(t).Underlying()
}

// literal wraps a number or a text of a predeclared type.
func (v *varier) literal(lit *ast.BasicLit) {
	tv, ok := v.info.Types[lit]
	if !ok || tv.Value == nil {
		return
	}
	b, ok := types.Unalias(tv.Type).(*types.Basic)
	if !ok || b.Info()&types.IsUntyped != 0 || b.Kind() == types.Uintptr || !v.predeclared(b.Name(), lit.Pos()) {
		return
	}
	p := Point{Value: tv.Value.ExactString()}
	function := ""
	switch {
	case b.Info()&types.IsString != 0:
		p.Kind, p.Value, function = PointText, constant.StringVal(tv.Value), "VS"
	case b.Info()&types.IsInteger != 0:
		p.Kind, p.Bits, function = PointInteger, bitsOf(b), "VI["+b.Name()+"]"
	case b.Info()&types.IsFloat != 0:
		f, _ := constant.Float64Val(tv.Value)
		p.Kind, p.Value, function = PointFloat, strconv.FormatFloat(f, 'g', -1, 64), "VF["+b.Name()+"]"
	default:
		return
	}
	v.wrapPoint(lit, p, function)
}

// bitsOf is how many bits an integer type has, negative where it has no sign.
func bitsOf(b *types.Basic) int {
	bits := map[types.BasicKind]int{types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Uint8: -8, types.Uint16: -16, types.Uint32: -32,
		types.Uint: -64, types.Uint64: -64}[b.Kind()]
	if bits == 0 {
		return 64
	}
	return bits
}

// predeclared reports whether a name means a predeclared type, or value, at a position.
func (v *varier) predeclared(name string, at token.Pos) bool {
	scope := v.pkg.Types.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	found, _ := scope.LookupParent(name, at)
	return found == types.Universe
}

// truth wraps true and false.
func (v *varier) truth(id *ast.Ident) {
	tv, ok := v.info.Types[id]
	if !ok || tv.Value == nil || tv.Type != types.Typ[types.Bool] || v.info.Uses[id] == nil || v.info.Uses[id].Parent() != types.Universe {
		return
	}
	v.wrapPoint(id, Point{Kind: PointTruth, Value: tv.Value.String()}, "VB")
}

// list wraps a literal of a slice. Tables are left alone: to leave a row out shows nothing new.
func (v *varier) list(lit *ast.CompositeLit) {
	if lit.Type == nil || len(lit.Elts) == 0 {
		return
	}
	if _, isMap := v.info.TypeOf(lit).Underlying().(*types.Map); isMap {
		v.keyed(lit)
		return
	}
	slice, ok := v.under(lit).(*types.Slice)
	if !ok {
		return
	}
	if _, isTable := types.Unalias(slice.Elem()).(*types.Struct); isTable {
		return
	}
	switch p := v.parent(0).(type) {
	case *ast.UnaryExpr: // its address
		return
	case *ast.SelectorExpr: // of a call that is observed as a whole
		return
	case *ast.IndexExpr, *ast.SliceExpr:
		return
	case *ast.RangeStmt:
		if p.X == lit {
			return
		}
	}
	p := Point{Kind: PointList, Length: len(lit.Elts), Before: fold(string(v.f.src[v.f.offset(lit.Pos()) : v.f.offset(lit.Lbrace)+1]))}
	for _, e := range lit.Elts {
		if _, keyed := e.(*ast.KeyValueExpr); keyed {
			return
		}
		p.Elements = append(p.Elements, v.f.text(e))
	}
	v.wrapPoint(lit, p, "VL")
}

// keyed wraps a literal of a map.
func (v *varier) keyed(lit *ast.CompositeLit) {
	switch v.parent(0).(type) {
	case *ast.UnaryExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.RangeStmt:
		return
	}
	p := Point{Kind: PointMap, Length: len(lit.Elts), Before: fold(string(v.f.src[v.f.offset(lit.Pos()) : v.f.offset(lit.Lbrace)+1]))}
	var keys []string
	for _, e := range lit.Elts {
		entry, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return
		}
		key, ok := entry.Key.(*ast.BasicLit)
		if !ok || len(lit.Elts) > maxKeys {
			return
		}
		keys = append(keys, key.Value)
		p.Elements = append(p.Elements, v.f.text(e))
	}
	id := v.point(lit, p)
	v.f.edits.open(v.f.offset(lit.Pos()), fmt.Sprintf("%s.VM(%d, ", v.names.probe, id))
	v.f.edits.close(v.f.offset(lit.End()), ", "+strings.Join(keys, ", ")+")")
}

// maxKeys bounds the entries of a map that may be left out.
const maxKeys = 40

// acts reports whether a call may be left out or made twice.
func (v *varier) acts(call *ast.CallExpr) bool {
	fn := v.callee(call)
	if fn == nil || fn.Pkg() == nil || v.expects(call) || takesTest(fn.Signature()) {
		return false
	}
	switch fn.Pkg().Path() {
	case "fmt", "os", "runtime", "sync":
		return false
	}
	return true
}

// statement has a statement executed as often as the probe says.
func (v *varier) statement(s ast.Stmt) {
	switch p := v.parent(0).(type) {
	case *ast.BlockStmt, *ast.CaseClause:
	case *ast.CommClause:
		if p.Comm == s {
			return
		}
	default:
		return // the init of an if, the post of a for
	}
	id := v.point(s, Point{Kind: PointStatement})
	n := v.names.hook + "n"
	v.f.edits.open(v.f.offset(s.Pos()), fmt.Sprintf("for %s := %s.VN(%d); %s > 0; %s-- { ", n, v.names.probe, id, n, n))
	v.f.edits.close(v.f.offset(s.End()), " }")
}

// wrapPoint passes an expression through a function of the probe.
func (v *varier) wrapPoint(e ast.Expr, p Point, function string) {
	p.Group = v.group(e)
	id := v.point(e, p)
	v.f.edits.open(v.f.offset(e.Pos()), fmt.Sprintf("%s.%s(%d, ", v.names.probe, function, id))
	v.f.edits.close(v.f.offset(e.End()), ")")
}

// point numbers a variation point.
func (v *varier) point(n ast.Node, p Point) int {
	v.suite.NeedsLang = v.suite.NeedsLang || v.old
	p.ID, p.Place, p.End = len(v.suite.Points), v.f.place(n.Pos()), v.f.offset(n.End())
	p.Line, p.Package, p.Test, p.Text = v.f.line(n.Pos()), v.path, v.test, v.f.text(n)
	p.Ordinal = v.ordinals[p.Text]
	v.ordinals[p.Text]++
	v.suite.Points = append(v.suite.Points, p)
	return p.ID
}

// group is the field or the argument that an expression is given to.
func (v *varier) group(e ast.Expr) string {
	switch p := v.parent(0).(type) {
	case *ast.KeyValueExpr:
		lit, _ := v.parent(1).(*ast.CompositeLit)
		if key, ok := p.Key.(*ast.Ident); ok && lit != nil && p.Value == e {
			return types.TypeString(v.info.TypeOf(lit), nil) + "." + key.Name
		}
	case *ast.CompositeLit:
		for i, x := range p.Elts {
			if x == e {
				if _, ok := v.under(p).(*types.Struct); ok {
					return fmt.Sprintf("%s.%d", types.TypeString(v.info.TypeOf(p), nil), i)
				}
				return types.TypeString(v.info.TypeOf(p), nil)
			}
		}
	case *ast.CallExpr:
		if fn := v.callee(p); fn != nil {
			for i, a := range p.Args {
				if a == e {
					return fmt.Sprintf("%s#%d", fn.FullName(), i)
				}
			}
		}
	}
	return ""
}

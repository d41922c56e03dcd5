package law

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
)

// Code is a tree as a Go expression.
type Code struct {
	Text string // of the kind's Go type
	// Given is a Go expression that reports whether Text may be evaluated: nothing panics or
	// is no number. "" if nothing can.
	Given string
	// Bounds is a Go expression that reports whether no whole number overflows, so that Text
	// is what the tree is. "" if none can. It may be false where the tree is defined, for
	// large numbers.
	Bounds  string
	Imports []string // paths of the packages that both use, of the standard library, in order
}

// Go writes a tree as Go, with the Go expressions of variables. whole is the Go type that
// whole numbers have in those, int64 or int.
func Go(x *Expr, variables []Variable, whole string) Code {
	w := &writer{variables: variables, whole: whole, plain: whole == "int"}
	w.conditions(x)
	code := Code{Text: w.at(x, token.LowestPrec), Given: strings.Join(w.given, " && "), Bounds: strings.Join(w.bounds, " && ")}
	for _, p := range []string{"math", "slices", "strings", "unicode/utf8"} {
		if name := p[strings.LastIndexByte(p, '/')+1:]; w.packages[name] {
			code.Imports = append(code.Imports, p)
		}
	}
	return code
}

// writer writes a tree as Go.
type writer struct {
	variables []Variable
	given     []string
	bounds    []string
	whole     string
	plain     bool // lengths are of type int
	packages  map[string]bool
}

// typ returns the Go type of a kind's values.
func (w *writer) typ(k Kind) string { return strings.Replace(k.GoType(), "int64", w.whole, 1) }

// from writes the name of what a package declares.
func (w *writer) from(pkg, name string) string {
	if w.packages == nil {
		w.packages = map[string]bool{}
	}
	w.packages[pkg] = true
	return pkg + "." + name
}

// at writes a tree in parentheses if its operator does not hold more tightly than that.
func (w *writer) at(x *Expr, precedence int) string {
	text, own := w.of(x)
	if own <= precedence {
		return "(" + text + ")"
	}
	return text
}

// list writes operands of a call.
func (w *writer) list(args []*Expr) string {
	var out []string
	for _, a := range args {
		out = append(out, w.at(a, token.LowestPrec))
	}
	return strings.Join(out, ", ")
}

func (w *writer) call(function string, args ...*Expr) (string, int) {
	return function + "(" + w.list(args) + ")", token.HighestPrec
}

// closure calls a function that is written there: of parameters of the operands' types.
func (w *writer) closure(result Kind, body string, args ...*Expr) (string, int) {
	var params []string
	for i, a := range args {
		params = append(params, string(rune('a'+i))+" "+w.typ(a.kind))
	}
	return fmt.Sprintf("func(%s) %s { %s }(%s)", strings.Join(params, ", "), w.typ(result), body, w.list(args)), token.HighestPrec
}

// binary writes an operator of Go between two operands.
func (w *writer) binary(t token.Token, x *Expr) (string, int) {
	p := t.Precedence()
	return w.at(x.args[0], p-1) + " " + t.String() + " " + w.at(x.args[1], p), p
}

// of writes a tree, and gives the precedence of its operator.
func (w *writer) of(x *Expr) (string, int) {
	if x.op != Read && x.isConstant() {
		return w.constant(x)
	}
	switch x.op {
	case Read:
		return w.variable(x)
	case Not:
		return w.not(x.args[0])
	case And:
		return w.binary(token.LAND, x)
	case Or:
		return w.binary(token.LOR, x)
	case Implies:
		return w.at(Apply(Not, x.args[0]), token.LOR.Precedence()-1) + " || " + w.at(x.args[1], token.LOR.Precedence()), token.LOR.Precedence()
	}
	switch {
	case x.kind == Bool && x.op != First && x.op != Last:
		return w.comparison(x, false)
	case x.kind.IsNumber():
		return w.number(x)
	}
	return w.sequence(x)
}

// variable writes a variable, which may be any expression.
func (w *writer) variable(x *Expr) (string, int) {
	text := w.variables[x.variable].Go
	if e, err := parser.ParseExpr(text); err == nil {
		switch e.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.ParenExpr:
			return text, token.HighestPrec
		}
	}
	return "(" + text + ")", token.HighestPrec
}

// constant writes a tree without variables, which Go would evaluate while it compiles.
func (w *writer) constant(x *Expr) (string, int) {
	v := Value(x, nil)
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v), token.HighestPrec
	case int64:
		return strconv.FormatInt(v, 10), token.UnaryPrec
	case float64:
		if math.IsInf(v, 0) {
			return w.from("math", "Inf") + "(" + strconv.Itoa(int(math.Copysign(1, v))) + ")", token.HighestPrec
		}
		return strconv.FormatFloat(v, 'g', -1, 64), token.UnaryPrec
	case string:
		return strconv.Quote(v), token.HighestPrec
	case nil:
		return "func() " + w.typ(x.kind) + ` { panic("undefined") }()`, token.HighestPrec
	}
	return strings.Replace(fmt.Sprintf("%#v", v), "int64", w.whole, 1), token.HighestPrec
}

func (w *writer) not(a *Expr) (string, int) {
	if a.op == Equal && !a.isConstant() {
		return w.comparison(a, true)
	}
	return "!" + w.at(a, token.UnaryPrec-1), token.UnaryPrec
}

// number writes what gives a number.
func (w *writer) number(x *Expr) (string, int) {
	a := x.args[0]
	switch x.op {
	case Add:
		return w.binary(token.ADD, x)
	case Sub:
		return w.binary(token.SUB, x)
	case Mul:
		return w.binary(token.MUL, x)
	case Neg:
		return "-" + w.at(a, token.UnaryPrec), token.UnaryPrec
	case Abs:
		if x.kind == Float {
			return w.call(w.from("math", "Abs"), a)
		}
		return w.closure(Int, "return max(a, -a)", a)
	case Min, Max:
		name := map[Op]string{Min: "min", Max: "max"}[x.op]
		if len(x.args) == 1 {
			name = w.from("slices", strings.ToUpper(name[:1])+name[1:])
		}
		return w.call(name, x.args...)
	case Len:
		plain := w.plain
		w.plain = w.whole == "int"
		text, p := w.call("len", a)
		w.plain = plain
		if plain {
			return text, p
		}
		return w.whole + "(" + text + ")", p
	case Sum:
		return w.closure(x.kind, "var n "+w.typ(x.kind)+"; for _, v := range a { n += v }; return n", a)
	}
	return w.end(x)
}

// end writes the first or last element of a list.
func (w *writer) end(x *Expr) (string, int) {
	a := x.args[0]
	switch {
	case x.op == First:
		return w.at(a, token.UnaryPrec) + "[0]", token.HighestPrec
	case a.op == Read:
		text := w.at(a, token.UnaryPrec)
		return text + "[len(" + text + ")-1]", token.HighestPrec
	}
	return w.closure(x.kind, "return a[len(a)-1]", a)
}

// sequence writes what gives a text or a list.
func (w *writer) sequence(x *Expr) (string, int) {
	a := x.args[0]
	switch x.op {
	case First, Last:
		return w.end(x)
	case Lower:
		return w.call(w.from("strings", "ToLower"), a)
	case Upper:
		return w.call(w.from("strings", "ToUpper"), a)
	case Trim:
		return w.call(w.from("strings", "TrimSpace"), a)
	case Sort:
		return w.from("slices", "Sorted") + "(slices.Values(" + w.list(x.args) + "))", token.HighestPrec
	case Append:
		return "append(" + w.from("slices", "Clone") + "(" + w.at(a, token.LowestPrec) + "), " + w.at(x.args[1], token.LowestPrec) + ")", token.HighestPrec
	case Rotate:
		return w.closure(x.kind, "n := min(1, len(a)); return "+w.from("slices", "Concat")+"(a[n:], a[:n])", a)
	}
	if x.kind == Text {
		return w.text(x)
	}
	switch x.op {
	case Concat:
		return w.call(w.from("slices", "Concat"), x.args...)
	case Tail:
		return w.at(a, token.UnaryPrec) + "[1:]", token.HighestPrec
	case Init:
		return w.closure(x.kind, "return a[:len(a)-1]", a)
	}
	return w.closure(x.kind, "a = "+w.from("slices", "Clone")+"(a); slices.Reverse(a); return a", a)
}

// text writes what gives a text, by runes.
func (w *writer) text(x *Expr) (string, int) {
	a := x.args[0]
	switch x.op {
	case Concat:
		return w.binary(token.ADD, x)
	case Tail:
		return "string([]rune(" + w.list(x.args) + ")[1:])", token.HighestPrec
	case Init:
		return w.closure(Text, "r := []rune(a); return string(r[:len(r)-1])", a)
	}
	return w.closure(Text, "r := []rune(a); "+w.from("slices", "Reverse")+"(r); return string(r)", a)
}

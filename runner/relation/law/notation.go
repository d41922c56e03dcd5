package law

import (
	"strconv"
	"strings"
)

// How tightly the parts of a notation hold together.
const (
	loose = iota
	implication
	disjunction
	conjunction
	comparison
	addition
	multiplication
	prefix
	tight
)

// Notation writes a tree in mathematical notation, with the Math names of variables.
func Notation(x *Expr, variables []Variable) string {
	text, _ := notation{variables}.of(x)
	return text
}

type notation struct{ variables []Variable }

// at writes a tree in parentheses if it holds less tightly than that.
func (n notation) at(x *Expr, level int) string {
	text, own := n.of(x)
	if own < level {
		return "(" + text + ")"
	}
	return text
}

// of writes a tree, and says how tightly it holds together.
func (n notation) of(x *Expr) (string, int) {
	switch x.op {
	case Read:
		return n.variables[x.variable].Math, tight
	case Constant:
		return constantText(x)
	case Not:
		if c := x.args[0]; c.op == Equal {
			return n.infix(c, " ≠ ", comparison, addition, addition)
		}
		return "¬" + n.at(x.args[0], prefix), prefix
	case Implies:
		return n.infix(x, " ⇒ ", implication, disjunction, implication)
	case Or:
		return n.infix(x, " ∨ ", disjunction, disjunction, disjunction)
	case And:
		return n.infix(x, " ∧ ", conjunction, conjunction, conjunction)
	case Add, Sub:
		return n.sum(x)
	case Mul:
		return n.product(x)
	case Neg:
		return "−" + n.at(x.args[0], multiplication), addition
	case Append:
		return n.at(x.args[0], addition) + " ++ [" + n.at(x.args[1], loose) + "]", addition
	case Concat:
		return n.infix(x, " ++ ", addition, addition, addition)
	}
	if x.kind == Bool && x.op != First && x.op != Last {
		return n.comparison(x)
	}
	var args []string
	for _, a := range x.args {
		args = append(args, n.at(a, loose))
	}
	return words[x.op] + "(" + strings.Join(args, ", ") + ")", tight
}

// words are the operators that are written as functions.
var words = map[Op]string{
	Abs: "abs", Min: "min", Max: "max", Len: "len", Lower: "lower", Upper: "upper", Trim: "trim",
	Reverse: "reverse", Tail: "tail", Init: "init", Sum: "sum", First: "first", Last: "last", Sort: "sort", Rotate: "rotate",
}

func (n notation) comparison(x *Expr) (string, int) {
	op, a := x.op, x.args[0]
	switch {
	case op == Sorted:
		return n.at(a, addition) + " is sorted", comparison
	case op == Less && a.op == Constant:
		return n.at(x.args[1], addition) + " > " + n.at(a, addition), comparison
	case op == AtMost && a.op == Constant:
		return n.at(x.args[1], addition) + " ≥ " + n.at(a, addition), comparison
	case op == Equal && a.kind == Bool:
		return n.infix(x, " = ", comparison, prefix, prefix)
	}
	sign := map[Op]string{
		Equal: " = ", Less: " < ", AtMost: " ≤ ", Contains: " contains ", HasPrefix: " starts with ",
		HasSuffix: " ends with ", Same: " is a permutation of ",
	}[op]
	return n.infix(x, sign, comparison, addition, addition)
}

func (n notation) infix(x *Expr, sign string, own, left, right int) (string, int) {
	return n.at(x.args[0], left) + sign + n.at(x.args[1], right), own
}

func (n notation) sum(x *Expr) (string, int) {
	a, b := x.args[0], x.args[1]
	left := n.at(a, addition)
	if x.op == Sub {
		return left + " − " + n.at(b, multiplication), addition
	}
	if text, _ := constantText(b); b.op == Constant && strings.HasPrefix(text, "−") {
		return left + " − " + strings.TrimPrefix(text, "−"), addition
	}
	return left + " + " + n.at(b, addition+truth(b.op == Neg)), addition
}

// product writes a constant factor in front.
func (n notation) product(x *Expr) (string, int) {
	a, b := x.args[0], x.args[1]
	if b.op == Constant {
		a, b = b, a
	}
	sign := "·"
	level := multiplication
	if text, _ := constantText(a); a.op == Constant && strings.HasPrefix(text, "−") {
		return text + sign + n.at(b, multiplication), addition
	}
	return n.at(a, multiplication) + sign + n.at(b, multiplication), level
}

// constantText writes a constant; a negative one holds as a sum does.
func constantText(x *Expr) (string, int) {
	text := ""
	switch v := x.value.(type) {
	case bool:
		return strconv.FormatBool(v), tight
	case int64:
		text = strconv.FormatInt(v, 10)
	case float64:
		text = strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return strconv.Quote(v), tight
	}
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		return "−" + rest, addition
	}
	return text, tight
}

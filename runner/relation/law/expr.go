package law

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Expr is a tree: a variable, a constant, or an operator with its operands. It does
// not change.
type Expr struct {
	op       Op
	kind     Kind
	args     []*Expr
	variable int
	value    any
	key      string
	size     int
	over     *overload
}

// Var reads the variable with index i of a table, which has to be of that kind.
func Var(i int, k Kind) *Expr {
	return &Expr{op: Read, kind: k, variable: i, key: "$" + strconv.Itoa(i), size: 1}
}

// Const is a constant: a bool, int64, float64 or string. It panics on others, and on a
// float64 that is infinite or no number.
func Const(v any) *Expr {
	x := &Expr{op: Constant, kind: KindOf(v), value: v, size: 1}
	switch v := v.(type) {
	case bool:
		x.key = strconv.FormatBool(v)
	case int64:
		x.key = "i" + strconv.FormatInt(v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			panic(fmt.Sprintf("law: %v is no constant", v))
		}
		if v == 0 {
			x.value = 0.0 // there is but one
			v = 0
		}
		x.key = "f" + strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		x.key = strconv.Quote(v)
	default:
		panic(fmt.Sprintf("law: a %T is no constant", v))
	}
	return x
}

// Apply applies an operator to operands. It returns nil if the operator does not take
// operands of those kinds.
func Apply(op Op, args ...*Expr) *Expr {
	o := find(op, args)
	if o == nil {
		return nil
	}
	x := &Expr{op: op, kind: o.result, args: slices.Clone(args), size: 1, over: o}
	var key strings.Builder
	key.WriteByte('(')
	key.WriteString(strconv.Itoa(int(op)))
	for _, a := range args {
		x.size += a.size
		key.WriteByte(' ')
		key.WriteString(a.key)
	}
	key.WriteByte(')')
	x.key = key.String()
	return x
}

// Op returns what the root does.
func (x *Expr) Op() Op { return x.op }

// Kind returns the kind of the tree's value.
func (x *Expr) Kind() Kind { return x.kind }

// Size returns the number of nodes.
func (x *Expr) Size() int { return x.size }

// Key returns a text that only equal trees have, and that Parse reads.
func (x *Expr) Key() string { return x.key }

// Value returns the value of a constant, nil for other trees.
func (x *Expr) Value() any { return x.value }

// Variable returns the index of the variable that a Read reads, −1 for other trees.
func (x *Expr) Variable() int {
	if x.op != Read {
		return -1
	}
	return x.variable
}

// Args returns the operands, none of a variable or a constant.
func (x *Expr) Args() []*Expr { return slices.Clone(x.args) }

// Nodes returns all subtrees, each before its own.
func (x *Expr) Nodes() []*Expr {
	all := make([]*Expr, 0, x.size)
	var visit func(x *Expr)
	visit = func(x *Expr) {
		all = append(all, x)
		for _, a := range x.args {
			visit(a)
		}
	}
	visit(x)
	return all
}

// Replace returns the tree with another subtree in place of Nodes()[n], nil if that is
// of another kind.
func (x *Expr) Replace(n int, by *Expr) *Expr {
	if n == 0 {
		if by.kind != x.kind {
			return nil
		}
		return by
	}
	n--
	for i, a := range x.args {
		if n >= a.size {
			n -= a.size
			continue
		}
		changed := a.Replace(n, by)
		if changed == nil {
			return nil
		}
		args := slices.Clone(x.args)
		args[i] = changed
		return Apply(x.op, args...)
	}
	return nil
}

// Reads reports whether the tree reads the variable with index i.
func (x *Expr) Reads(i int) bool {
	if x.op == Read {
		return x.variable == i
	}
	return slices.ContainsFunc(x.args, func(a *Expr) bool { return a.Reads(i) })
}

// isConstant reports whether the tree reads no variable.
func (x *Expr) isConstant() bool {
	return x.op == Constant || x.op != Read && !slices.ContainsFunc(x.args, func(a *Expr) bool { return !a.isConstant() })
}

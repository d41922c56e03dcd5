package law

import "slices"

// Op is what a node of a tree does. Most take operands of several kinds.
type Op uint8

// The operators.
const (
	Read     Op = iota // the value of a variable
	Constant           // a value that is the same for all rows

	Not
	And
	Or
	Implies

	Equal
	Less
	AtMost

	Add
	Sub
	Mul
	Neg
	Abs
	Min // of two numbers, or of a list's
	Max

	Len // of a text, in bytes; of a list
	Concat
	Contains // a text in a text, an element in a list
	HasPrefix
	HasSuffix
	Lower
	Upper
	Trim    // space around a text
	Reverse // runes or elements
	Tail    // without the first rune or element
	Init    // without the last

	Sum
	First
	Last
	Sort
	Rotate // the first element comes last
	Append // an element, to a list
	Same   // the same elements, each as often
	Sorted

	operators // how many there are
)

// A Signature is an operator with kinds that it takes, and the kind that it gives.
type Signature struct {
	Op     Op
	Args   []Kind
	Result Kind
}

// Signatures returns the signatures of all operators, in a fixed order.
func Signatures() []Signature {
	var all []Signature
	for op, list := range overloads {
		for _, o := range list {
			all = append(all, Signature{Op: Op(op), Args: slices.Clone(o.args), Result: o.result})
		}
	}
	return all
}

// isSymmetric reports whether the order of operands does not matter.
func (o Op) isSymmetric(k Kind) bool {
	switch o {
	case And, Or, Equal, Same, Add, Mul:
		return true
	case Min, Max:
		return k.IsNumber() // of two
	}
	return false
}

// overload is a signature of an operator, and what computes its column.
type overload struct {
	args   []Kind
	result Kind
	run    kernel
}

// overloads are those of each operator.
var overloads = declare()

// find returns the overload for operands, nil if there is none.
func find(op Op, args []*Expr) *overload {
	if op >= operators {
		return nil
	}
	for i := range overloads[op] {
		o := &overloads[op][i]
		if slices.EqualFunc(o.args, args, func(k Kind, x *Expr) bool { return x != nil && x.kind == k }) {
			return o
		}
	}
	return nil
}

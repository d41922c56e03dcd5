package genetic

import (
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// Plain reports whether a tree is a relation that somebody would write down: one comparison
// of what is no truth value, or what one truth value implies for another, with other outputs
// on each side, each read once. What is on both sides disguises a bound (f(x) = abs(f(x))) or an "or" (a text
// that is put together holds its parts), and so does the lesser or greater of two numbers.
// Bounds hold for many reasons and often fail at the next threshold, so of orders only those
// are plain that compare the numbers which two calls give: the length of the text that a
// number is written as does not always grow with it.
func Plain(x *law.Expr, outputs []int) bool {
	args := x.Args()
	if len(args) != 2 || slices.ContainsFunc(args, isDisguise) {
		return false
	}
	if slices.ContainsFunc(args, func(n *law.Expr) bool { return readsTwice(n, outputs) }) {
		return false
	}
	left, right := read(args[0], outputs), read(args[1], outputs)
	if slices.ContainsFunc(left, func(o int) bool { return slices.Contains(right, o) }) {
		return false
	}
	switch x.Op() {
	case law.Equal, law.Same:
		return true
	case law.Contains:
		return len(left) == 1 && len(right) == 1 && args[0].Op() != law.Concat && cuts(x) == 0
	case law.HasPrefix, law.HasSuffix:
		return len(left) == 1 && len(right) == 1 && args[0].Op() != law.Concat && cuts(x) <= 1
	case law.AtMost, law.Less:
		return len(left) == 1 && len(right) == 1 && isShifted(args[0], left[0]) && isShifted(args[1], right[0])
	case law.Implies:
		return len(left) == 1 && len(right) == 1
	}
	return false
}

// read returns those of the outputs that a tree reads.
func read(x *law.Expr, outputs []int) []int {
	return slices.DeleteFunc(slices.Clone(outputs), func(o int) bool { return !x.Reads(o) })
}

// readsTwice reports whether an operand reads one output at several places: it mostly stands
// for a constant, as abs(y) − y does where y is not negative.
func readsTwice(x *law.Expr, outputs []int) bool {
	seen := map[int]bool{}
	for _, n := range x.Nodes() {
		if n.Op() != law.Read || !slices.Contains(outputs, n.Variable()) {
			continue
		}
		if seen[n.Variable()] {
			return true
		}
		seen[n.Variable()] = true
	}
	return false
}

// isDisguise reports whether an operand is an order or a truth value in another form.
func isDisguise(x *law.Expr) bool {
	return slices.ContainsFunc(x.Nodes(), func(n *law.Expr) bool {
		switch n.Op() {
		case law.Min, law.Max:
			return len(n.Args()) == 2
		}
		return n.Kind() == law.Bool && n.Op() != law.Read
	})
}

// cuts counts where a tree leaves out an end. What is left of a text when a character is
// cut off is often somewhere in any other one, and when two are, mostly at its ends, too.
func cuts(x *law.Expr) int {
	n := 0
	for _, of := range x.Nodes() {
		if of.Op() == law.Tail || of.Op() == law.Init {
			n++
		}
	}
	return n
}

// isShifted reports whether a tree is an output that is a number, or it with a variable or a
// positive constant added or taken away. A factor turns the order round for what is
// negative, so that it tells of small numbers only.
func isShifted(x *law.Expr, output int) bool {
	if !x.Kind().IsNumber() {
		return false
	}
	of := func(n *law.Expr) bool { return n.Variable() == output }
	simple := func(n *law.Expr) bool {
		return n.Op() == law.Read || n.Value() != nil && law.Value(law.Apply(law.Abs, n), nil) == n.Value()
	}
	args := x.Args()
	switch x.Op() {
	case law.Read:
		return true
	case law.Add:
		return of(args[0]) && simple(args[1]) || of(args[1]) && simple(args[0])
	case law.Sub:
		return of(args[0]) && simple(args[1])
	}
	return false
}

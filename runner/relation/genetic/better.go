package genetic

import (
	"cmp"
	"strings"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// readable orders relations that detect the same rows, the one to keep first: the smaller
// one, the one that reads fewer variables, the one that holds less often by chance, the
// one that says of the last variable, an output of the follow-up, what it is.
func readable(chance *law.Evaluator, a, b *law.Expr) int {
	if c := cmp.Or(a.Size()-b.Size(), reads(a)-reads(b)); c != 0 {
		return c
	}
	return cmp.Or(failures(chance, b)-failures(chance, a), led(a)-led(b), strings.Compare(a.Key(), b.Key()))
}

// reads counts where a tree reads a variable.
func reads(x *law.Expr) int {
	n := 0
	for _, node := range x.Nodes() {
		if node.Op() == law.Read {
			n++
		}
	}
	return n
}

// failures counts the rows for which a relation fails.
func failures(e *law.Evaluator, x *law.Expr) int {
	n := 0
	for _, v := range e.Verdicts(x) {
		if v == law.Fails {
			n++
		}
	}
	return n
}

// led is 0 if the left side of a comparison is the last of the variables that it reads,
// else 1.
func led(x *law.Expr) int {
	nodes := x.Nodes()
	if len(nodes) < 2 || nodes[1].Op() != law.Read {
		return 1
	}
	for _, n := range nodes[2:] {
		if n.Op() == law.Read && n.Variable() > nodes[1].Variable() {
			return 1
		}
	}
	return 0
}

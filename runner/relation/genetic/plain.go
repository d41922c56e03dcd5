package genetic

import (
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// Plain reports whether a tree is a relation that somebody would write down: an equality,
// or that one text or list holds another. What is put together of truth values, or bounds
// something by what is no output, holds for many reasons; and an order that holds for all
// inputs at hand often fails at the next threshold.
func Plain(x *law.Expr, outputs []int) bool {
	quiet := func(of *law.Expr) bool { return !slices.ContainsFunc(outputs, of.Reads) }
	return !slices.ContainsFunc(x.Nodes(), func(n *law.Expr) bool {
		switch n.Op() {
		case law.Not, law.And, law.Or, law.Implies, law.Less, law.AtMost:
			return true
		case law.Equal:
			return slices.ContainsFunc(n.Args(), func(of *law.Expr) bool { return of.Kind() == law.Bool && of.Op() != law.Read })
		case law.Min, law.Max:
			return slices.ContainsFunc(n.Args(), quiet)
		}
		return false
	})
}

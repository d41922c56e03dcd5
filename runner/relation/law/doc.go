// Package law is a typed language of metamorphic relations: trees over what calls were
// given and what they returned. Trees are evaluated in this process, over columns of
// recorded values, so that a search can try many thousands of them and nothing is
// compiled for any.
//
// An Expr is a tree that never changes. Its operators are those of Table I of GenMorph
// (Ayerdi, Terragni, Jahangirova, Arrieta, Tonella: "Automatically Generating
// Metamorphic Relations via Genetic Programming"), extended to what Go has: whole and
// floating-point numbers are two kinds, texts and lists are two, and lists have the
// operators of package slices. Division, toString and xor of the table are left out: the
// first is a multiplication on the other side, the others read badly.
//
// # How
//
//   - A Table holds rows of recorded values, a column for each Variable.
//   - A value can be undefined: it was not recorded, it is no number, or an operator has
//     no result, as the first element of an empty list has none and a sum that overflows.
//     An undefined operand makes every operator undefined. A row for which a relation is
//     undefined says nothing about it.
//   - An Evaluator computes the column of a whole subtree at a time, and keeps it under
//     the subtree's Key, so that trees which share subtrees share the work.
//   - Simplify gives the normal form: constants are folded, operands of symmetric
//     operators are ordered, and what cancels is gone. Where both the tree and its normal
//     form are defined they are equal; where one is, the other may be undefined.
//   - Notation writes a tree for readers, Go writes it as Go. What Go may not evaluate
//     stands in Code.Given, and where Go would overflow in Code.Bounds.
//
// Floating-point numbers are compared with a relative tolerance of 1e-9: those that are
// that close are equal, and neither is less.
//
// # What it cannot do
//
//   - It has no kinds for structs, maps, pointers and errors. Their parts can be
//     variables.
//   - The Go expressions of variables have the types of their kinds: int64 or int, float64,
//     []int64 and so on. Others have to be converted where they are read.
//   - Simplify is no decision procedure: equivalent trees may have different normal forms.
//   - Code.Bounds is stricter than being defined: it bounds operands instead of asking
//     whether the result overflows.
package law

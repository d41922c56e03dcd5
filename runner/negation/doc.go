// Package negation explores the branches that a test leaves out, by negating
// conditions in the same way on both versions: Algorithm 2 of "Isomorphic
// Regression Testing: Executing Uncovered Branches without Test Augmentation"
// (Zhang et al., FSE 2016).
//
// The package decides which negation set to run next; it runs nothing. It
// speaks of conditions by the number of their matched pair, so that one set
// means the same thing on base and on head.
//
// A branch is a candidate for a test when the test takes its sibling and not
// the branch itself. The universal list (VL) holds the candidates that no test
// of the suite covers, the unique list (QL) all of them. After a variant has
// run, branches whose sibling it has newly reached give negation sets one
// larger, up to the depth asked for. The paper filters what is already
// covered; here that means: covered by the test (or, for the universal list,
// by the suite), or already taken by, or queued for, an earlier variant of the
// same test. So the queue is at most one set per branch and test, at any
// depth, and it ends.
//
// # Both branches taken
//
// A condition that a test takes both ways is on neither list: negating it
// executes no new branch by itself. The paper leaves it out, since it is after
// uncovered branches. It is worth negating all the same, because every evaluation
// goes the other way: the branches come in another order, with other states, as
// where a loop ends at its first turn. Options.Both adds one set for each such
// condition, behind those of the lists and in the order of Rank. There is no choice
// among evaluations: the 1st and the 7th are inverted alike, as for every negated
// condition.
//
// What it cannot do: choose between two sets that lead to the same branch; the
// first that gets there, in the order asked for, stands for both.
package negation

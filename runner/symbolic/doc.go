// Package symbolic looks for inputs of a function that take a branch by way of equations,
// where trying finds none, and proves of some branches that no input takes them.
//
// # How
//
//   - The paths of a function towards the branch are walked on go/ssa, the shortest first,
//     with unknowns in place of arguments. Of each path there are conditions: what decided
//     it, and that nothing on it panicked. Calls of functions that have a body are followed,
//     8 in each other; loops for 30 rounds in which something about the arguments was
//     learnt.
//   - There are equations for integers of Go's widths, which wrap around; booleans; lengths
//     and bytes of strings, and their equality, order, prefixes and concatenation; structs
//     and arrays of these; slices of these, and pointers to them, with what is written to
//     them; dynamic types where the code itself has just put them in. Package variables,
//     maps, channels, closures, floating-point numbers, goroutines, reflection and functions
//     of other modules have none: what comes from there is any value of its type.
//   - A solver is asked for values of the unknowns: circuits for gini, which isodelta is
//     built with, small numbers first where there are products; then z3 and cvc5 where
//     they stand on the PATH, as processes that read SMT-LIB and are killed when they take
//     too long. A model counts only if the evaluator of this package agrees, whoever it is
//     from.
//   - Solutions become arguments, and whoever asked runs them (package aim): only what is
//     seen to take the branch counts. So what has no equation costs inputs, and never
//     makes a wrong one.
//
// # What infeasible means
//
// That a branch is infeasible is said only of an outcome of a condition, and where all
// paths to it through the function that has it were walked to their end, with any
// arguments and any memory, each without a solution: nothing that has no equation, no
// bound that was met, no question that was not decided. Two arguments may lead to the
// same memory: what is written through one of them ends all claims, and so does append
// where there may be room. That there is no solution is believed of gini alone, whose
// circuits are compared with the evaluator's arithmetic in tests. A solver on the PATH may
// refute it with a model, but cannot claim anything by itself, since nobody knows what
// program that is.
//
// Left out are data races and package unsafe, with which a Go program may do anything.
// Lengths are taken to be less than 2^56 bytes.
//
// # What it cannot do
//
// It is no interpreter, and follows no recorded execution: where a value has no equation,
// it does not take the one that a run had, but guesses with the solver, and mostly guesses
// wrong. Elements behind the 24th are told apart only at known indexes. Texts are ranged
// over as long as they are ASCII. Objects of two pointers are not compared. Strings have
// no theory of their own: splitting, searching, and conversions to numbers are functions
// of other modules. Solutions with values of fields that are not exported are dropped, and
// those of interfaces and functions are left to whoever makes calls. There is no solver for
// linear arithmetic by itself. Solvers are bounded by time, so on a slow machine more is
// undecided; squares of wide numbers and quotients mostly are.
package symbolic

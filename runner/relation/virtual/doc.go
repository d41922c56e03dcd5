// Package virtual makes virtual mutants of a function, and tells which of them a relation
// refutes. A virtual mutant needs no build: it gives other outputs than were recorded,
// changed in one way, for the inputs of one cell. A cell holds inputs that a condition of
// the function would hardly tell apart: they take the same branches of it, where that is
// known, have numbers between the same constants of the function or at the same one, texts
// and lists that are empty, of one element or longer, and the same order of the numbers.
//
// # How
//
// Mutants numbers what it meets, so that the sets of all relations of a function have the
// same numbering. Which relations are shown is chosen by these sets (package report).
//
// # What it cannot do
//
// A real fault may be of no cell and no change that is tried here. Of a function with many
// cells, several share their mutants. Beyond maxMutants no
// further ones are made.
package virtual

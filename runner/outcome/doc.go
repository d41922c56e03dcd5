// Package outcome holds what one execution of a test did, as values: its result,
// digests and texts of its observations, and sets of the branches and functions
// that it executed. Package execute makes them, packages diff, negation and
// coverage read them; none of these needs to know how a test is run.
//
// # Branches
//
// The branches of a program are numbered. Condition i has two, 2*i for false and
// 2*i+1 for true; behind those of all conditions, arm j of switches and selects
// has 2*conditions+j. Matched conditions, the pairs of base and head, are
// numbered in the same way by their place in the list of pairs.
//
// # What it cannot do
//
// Sets are as long as the program that they were made for; those of two versions
// must not be mixed.
package outcome

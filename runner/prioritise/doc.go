// Package prioritise orders source inputs by the paths that they take, such that those first
// show most of what a program does: PaDMT (Sun, Liu, Fu, Liu, Liu: "Path-directed source test case
// generation and prioritization in metamorphic testing").
//
// # How
//
// Order is Algorithm 1: next is always the input whose path has most units that no path before
// it has (Definition 4). Units are what the caller counts by: statements in the paper, branches
// here. They can have weights, so that what a change touches comes first; the paper has none.
//
// As printed, the algorithm does not end once no input that is left adds anything: no distance
// is greater than 0, so that nothing is chosen and nothing taken away. Order begins anew then,
// as if nothing had been chosen before, so that the inputs that are left are ordered in the
// same way among themselves.
//
// # What it cannot do
//
// Sets know neither order nor how often a unit is executed, so that a loop's second round is no
// other path.
package prioritise

// Package coverage tells what tests, variants and calls executed: drawn in the
// control-flow graphs of functions, and counted as adequacy of the testing.
//
// # How
//
// A Record takes in each execution. Conditions and loops are counted at run time,
// statements are not: from the branches that were taken, spread infers which nodes of a
// graph ran and which certainly did not. The drawing (Graphs) and the statement criteria
// of k-MR coverage (Metamorphic, package diff/adequacy) read the same inference. Branch,
// extended and patch coverage (Branches) count each suite on its own version: base's
// tests on base, head's on head.
//
// # What it cannot do
//
// A statement that panics in the midst of its node makes the next look executed. Where
// nothing was run or counted, nothing is said: that is no "never". Graphs that are too
// large to be drawn, or more than a report holds, are listed as limits.
package coverage

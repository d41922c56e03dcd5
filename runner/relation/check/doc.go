// Package check checks metamorphic relations on both versions: the same groups of calls
// run on base and on head, and what holds on base and not on head is broken.
//
// # How
//
// A Registrar says which relations functions may have, before anything is built: a
// relation is a closure that is compiled into the test binary. It registers declared
// relations first, then those that tests of base state (package tested), then templates
// (package relation), then adapters for functions of numbers. A Stage runs the groups of each function, by source inputs that both versions
// can run, and counts what became of them. Relations of functions of numbers are inferred
// on base (package automr) and kept in a cache by a digest of all code that the function
// may execute; so is what searches have found that came to their end. Those of other functions are evolved from values recorded on base (packages
// law and genetic), and judged on inputs that the search has not seen: a shape cuts what a
// call takes and gives into cells of the kinds that law has, and what has no kind is seen
// through observers. What seems broken is shrunk, but for evolved ones, and repeated in
// fresh processes.
//
// A relation that nobody declared is a law of the branches that its groups took. Where other
// inputs, whose calls give something, take another branch of the function, it is not judged,
// and how many are not is told.
//
// Functions that differ in most of the sequences that call them come first, and what is
// evolved of them before anything is inferred: there that results differ says nothing any
// more. What of their results differs nearly always is left out of what is evolved, if
// anything else is left. Which relations are registered is decided before any call, so that their number is
// the same for all.
//
// Of a comparison in shards, each checks the relations of its share of the functions. A
// relation that is kept is left out of the merge where another shard has a finding of the
// function that this one does not have.
//
// At the end, when all findings are known, each relation that is told is judged once more
// on the inputs of the findings that call its function. What one refutes is dropped, or
// broken; what is kept and could not be judged so is left out.
//
// There are two ways to run groups. Relations that were registered are judged in the test
// process. Inferred and evolved ones are not known when it is built, so the process gives
// numbers or values and the verdict is made here.
//
// # What it cannot do
//
// What observers tell is not looked at with conditions negated. Evidence by branch is not
// asked of inferred relations. Of maps and of lists of structs only the length and the keys
// of results are in cells, and nothing that lies deeper than a field or element; a receiver is
// observed afterwards only where an earlier call made it.
//
// Calls in place, calls from other packages, and findings of tests have no input that a
// relation could be judged on. How adequate the testing was still counts relations that
// such an input refuted at the end.
//
// A relation that nobody declared is believed if it holds for 15 inputs with three
// different outputs, lists of equal elements aside; it may hold by chance. Functions whose behaviour varies by itself,
// that start goroutines or that assign to package-level variables are left out. Where the
// time ends while a slow function is called, what was not checked by then is lost, and
// listed.
package check

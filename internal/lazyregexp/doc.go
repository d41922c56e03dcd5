// Package lazyregexp has regular expressions that are compiled when they are
// first used.
//
// The program starts itself again as the sandbox's helper, once for each process
// that runs tests. Expressions in variables of packages are compiled at each of
// these starts, though the helper needs none, and took 8 of its 18 ms. Within a
// test binary they are compiled at once, so a fault in one is found.
//
// What it cannot do: a pattern that does not compile is found at its first use in
// the program itself; only test binaries find it at their start.
package lazyregexp

// Package build makes test binaries: for each suite, the tests of one version, and
// each package that the change may concern, one binary with base's code and one
// with head's.
//
// # How
//
// A suite always runs in its own tree. The other version's code comes as an overlay
// of it, so both versions run the same tests, with the same testdata, at the same
// path. Into the overlay go the instrumented code of the version (package
// instrument), the instrumented tests, the probe, the seeded run time (package
// execute/deterministic), and what makes calls of our own (Caller).
//
// What both versions import is compiled by one go command while they are loaded
// (CompileAhead). Where there is no time to compile it for the seeded run time and once more
// without it, for tests to paste, a run goes without that run time.
//
// Test declarations that do not fit the other version are mended: the first time a
// declaration goes without observations, the second time it is dropped, and listed; where few rows of
// its table or subtests do not fit, these alone. The
// types of both versions are loaded, so most of them are found by type-checking here
// (fit), before anything is compiled; the compiler has the last word.
// Head's suite is built whole; of base's suite those tests are built that the change
// edits or removes, because the rest are the same tests.
//
// # What it cannot do
//
// Files that the go command reads from disk in spite of an overlay (go.mod and its
// like) are exchanged in the tree itself, so the two versions of such a package are
// built one after the other. Files that tests read at run time are each suite's own:
// a change of them is listed.
package build

// Package probe is the run-time part of isodelta that is linked into the tests of
// the module under test. It never runs inside isodelta itself: its sources are
// embedded (see Overlay) and become a package of the distribution through the
// build's -overlay. The sources are the same for every module, so the go command
// compiles them once; how large a program is, the parent tells in its first line.
//
// What it does. Rewritten code calls B or C for each condition, A for each arm that
// has no condition (range bodies, select clauses, …) and F at the entry of each
// changed function; rewritten tests call T and S as their first statement and
// O1…O6 around the expressions that they look at, and pass what can be varied through VS, VI and the like. Without the environment
// variable ISODELTA_PROBE all of this is inert: conditions keep their values,
// work is unlimited, nothing is observed.
//
// With it, the parent talks to the process over two pipes (file descriptors 3
// and 4). The test binary is started for one test with a huge -test.count, and
// each iteration's prologue (T) reads one command line: which conditions to
// negate, how much work is allowed, what to report in detail. When the test
// and all its cleanups are over, one record goes back. So one process runs
// thousands of variants. A file without a name (descriptor 5) tells the parent
// what was under way, should the process die. The parent keeps the clock: the child has no
// timer of its own, which would switch Go's deadlock detector off.
//
// Work is counted (fuel), not timed. When it runs out, the next condition
// panics, and goes on panicking, since the code under test may recover.
//
// Observations are digested by reflection. Two digests are kept for each site:
// the visible one (exported fields, elements, Error and String) decides; the
// hidden one (unexported state) is a hint, because a refactoring may change a
// representation. Values are rendered only on request. A site that has looked
// at some megabytes in one iteration goes on thriftily (fewer nodes, both ends
// of long texts), then only counts, so that observing never dwarfs the test.
//
// Guard runs a call under a limit of work and catches its panic. A goroutine that goes on meanwhile, by a ticker, and uses up what the
// call may use ends in its place (stray). Where LocatePanics asks for it, it
// tells where in the module that comes from. NoteAsked and Asked tell which variables of the environment
// the code looks up meanwhile, as far as the seeded run time has it.
//
// Hooked functions call Enter while Watch is on, which is the case only within
// an iteration for which the harness (see access.go) was given an order. Tests call functions of other modules through
// Called, which gives the function itself at all other times.
//
// Where a search wants to know what was compared, code is rewritten to call D for each
// condition and OI, OU, OF and OS for each comparison (PS and PB for functions of two
// texts, KS and KI for keys of maps): a Tracer is told each decision with the operands
// compared since the one before, in order. Nothing of this is called by the ordinary
// rewriting.
//
// What it cannot do: tables are plain bytes, not atomics, so a condition that
// several goroutines evaluate at once may lose a count of work, never a value.
// A panic on a goroutine of the code's own ends the process, as it does in Go;
// the parent sees that and starts another.
//
// The package uses the standard library only, and the language of Go 1.21:
// the build tag in each file lifts modules with an older go line up to that.
package probe

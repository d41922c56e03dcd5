// Package aim finds inputs that take a branch of one version, and shows them as tests. It
// needs no other version.
//
// # How
//
//   - Goals are the branches on a line: the outcomes of its conditions, and what is
//     executed without one (bodies of range loops, clauses).
//   - isomorph.Ahead says how many decisions lie between each outcome of each condition and
//     the goal (the approach level), also across calls, and which functions lead there.
//   - The package under test is built once more, with comparisons that tell their operands
//     (instrument.Config.Operands), and with what makes calls (package calls). The
//     ordinary build has nothing of it.
//   - The search runs in the test process, tens of thousands of executions a second, led
//     by where an execution parts from the way to the goal and by what was compared
//     there: package calls/harness says how. Exported functions come first. Where they do
//     not get there with half of the executions, those that are not exported are called.
//   - What is left is asked of equations (package symbolic), from the function that has
//     the branch and from the nearest that lead there. Their solutions run first in one
//     more search. Where they show that no input takes the branch, that is said.
//   - What takes the goal is made smaller, and written as a test that wants what the code
//     gives now. The test is run with the code as it is, where it has to pass, and with the
//     ordinary instrumentation, where it has to take the branch: only then the goal
//     counts as taken.
//
// Operands come from a rewriting of our own. The Go compiler's instrumentation for
// libFuzzer tells most of them without any (with another internal/fuzz in an overlay), but
// not floating-point numbers, what predicates of package strings look at, keys of maps, or
// which condition is about to decide; and its hooks are none of what Go promises. A
// rewriting had to be there for these anyway, and with it the order of the decisions and
// the operands of each are known without guessing.
//
// Work is counted in executions, and everything is drawn from one seed: the same tree
// gives the same inputs, unless inputs end the process, the run time is not seeded, or a
// solver does not answer in time.
//
// # What it cannot do
//
// That nothing was found says nothing about whether there is something: only what is proved
// is called infeasible. Hashes of what has no equations need luck. Package
// initialisers and goroutines that outlive a call are not searched. Only what the
// package's own functions lead to is called, not those of packages that import it. Values
// that nothing can make (connections, files of a kind) stay out of reach, as for package
// calls; so do errors that other packages declare, and
// documents whose grammar no text of the code and its tests shows.
package aim

// Package instrument rewrites the sources of a loaded tree so that one build
// serves every variant: conditions can be negated, branches and functions are
// counted, and what tests look at is observed, all at run time, by calls of
// package probe. It changes no file; it gives new contents for an overlay.
//
// # How
//
// Text is inserted at byte offsets of the original source. No line is added or
// removed and the syntax tree is not touched, so positions, directives and
// comments stay as they are, and errors of the compiler point to lines of the
// original. The probe is imported on the package clause's line, under a name
// that occurs nowhere in the package.
//
// Code rewrites non-test files. Each leaf of &&, || and ! in the condition of
// an if or for, or in a case without a tag, becomes probe.B(i, leaf). Where
// && or || is used as a value, the left operand decides a branch and is
// wrapped, the right one is not. A case of a switch with a tag becomes a
// comparison with a variable that holds the tag (see switchStatement). Only
// the first condition of a function and the first leaf of a loop consume fuel.
// The others go through probe.C, which consumes none (see decider). Range loops,
// clauses of select and of type switches and endless loops have no condition:
// probe.A counts them, which also makes them consume fuel. Changed functions
// get probe.F as their first statement. Functions to be hooked are given
// themselves, their receiver and their arguments to probe.Enter, behind a
// test of probe.Watch; parameters without a name get one.
//
// Types decide what is safe. Leaves of type bool, or untyped, go through B.
// Named booleans go through the generic N. A comparison that takes a named
// type from its neighbour cannot be wrapped without naming that type: it is
// left alone and listed in Skipped.
//
// For a search that is led by what conditions compare (Config.Operands), Code rewrites
// comparisons, too, wherever they stand: a < b of integers becomes probe.OI(2, a, b), and
// likewise for other basic types, cases of a switch, functions of two texts and keys of
// maps. The condition goes through probe.D, which tells a Tracer the outcome with what was
// compared before it. This is another build of the package; numbers of conditions are
// the same in both.
//
// Tests rewrites test files: prologues in tests, fuzz targets and subtests, variation points
// where Config.Vary asks for them (see Point), and observers around calls into the module, operands of comparisons and
// arguments of functions that judge values. A plain operand is left alone when
// a function is called after it in the same evaluation: the compiler reads
// such an operand after the call, and a wrapped one would be read before.
// Calls of functions of other modules, but the standard library, go through probe.Called, so that they can be recorded.
// Benchmarks stay byte for byte; TestMain asks first whether it is
// to run the tests and do nothing else; init functions, of code as well, defer
// what lets them end alone where the process would. Examples with an output become
// tests in a file of their own, since package testing does not repeat them.
//
// Conditions are known by package, function, text and ordinal, tests by a
// digest of their tokens and of all they use; neither holds a line number.
//
// # What it cannot do
//
//   - Files that import "C" are left alone, since the compiler is given a
//     translation of them; so are functions marked go:nosplit.
//   - A condition that only an interface value decides (case v: in a switch
//     without a tag) is not negated, nor is what the compiler decides: constants
//     and switches of constants.
//   - Where a case of a tag switch starts with && or ||, its left operand is
//     not a condition of its own, or two would share one place.
//   - Comparisons of interfaces, pointers, complex numbers and type parameters do not tell
//     their operands, nor do those with a constant that is shifted by a variable.
//   - A loop made of goto without a condition consumes no fuel.
//   - Calls of function values are not observed as calls into the module, nor
//     results of calls with more than six. Arguments of package net and of
//     other packages that work on them concurrently are not looked at.
//   - Subtests that are started in non-test code (a suite library, a helper
//     package) and fuzz targets that are not literals are not guarded against
//     panics; the latter are listed.
//   - A test's reason for not being comparable is judged by its own body.
//   - A rewritten module needs type parameters: below Go 1.18 NeedsLang asks
//     the builder for a newer language.
//   - A function whose parameters declare its own name, or its receiver's type's,
//     cannot be hooked, nor can init, main and functions without a body: see
//     Unhooked. While watching is off, a hook costs a load and a branch; but a
//     hooked function is not inlined, and what its pointer arguments point to
//     moves to the heap.
//   - Methods promoted from an embedded type of another module count as that
//     module's.
package instrument

// Package ison measures isodelta as the ISON paper measures its prototype, on
// packages of the Go distribution. Its parts, each with its flag value:
//
//	preservation  every test and subtest has the same result instrumented
//	2             Table 2: branches executed in addition, at depth 1 and at any
//	3             Tables 3 and 4: faults detected in addition, at depth 1
//	pruning       whole comparisons with and without pruning
//	throughput    persistent mode, one process per variant, recompiling
//	overhead      processor time of the suite, instrumented against plain
//
// # How
//
// Table 2 is runner.Compare with a head that is its base, so that what it finds
// is a false alarm. Branches are those of package instrument: both outcomes of
// each condition, and arms without a condition, such as the bodies of range
// loops.
//
// Table 3 does not build once per mutant. The schemata of package mutant,
// instrumented, are one binary, in which an environment variable chooses the
// mutant; without it the binary is base. The engine's own stages run it:
// baseline, then explore, and confirm for what differs. The evaluation tells them
// what both versions have in common (space). Which conditions may be negated is
// decided by Algorithm 1 (package isomorph) on the original and the text with the
// mutant, not by the schemata, whose conditions are all the same. Head runs only
// where base entered the mutated function, because elsewhere it executes the same
// code.
//
// Three things are not as in a comparison. They save time, and change what is
// detected only where time is short. What base does under a negation set is run
// once and remembered for all mutants. The lists come one after the other for
// all tests, because detections are counted by list; within a list, the mutated
// function's conditions come first. And a mutant is done with at the first
// confirmed difference that the engine reports.
//
// M_unkill are the mutants that the subject's own tests do not kill (package
// mutant), equivalent ones among them. "Observed" are those of which an
// unmodified test sees another value, "VL" and "QL" those that show under a
// negation set of the universal or the unique list at a site where the test saw
// no difference before, which is how the paper counts; the unique list holds
// the universal one. "Reported" are those of QL with a difference that the
// engine reports (diff.Plausible): where the forced state is wrong for both
// versions it only counts. "QL+both" also inverts conditions of which a test takes
// both branches (package negation).
//
// The overhead and the preservation use the distribution's own run time, the
// rest the seeded one.
//
// # What it cannot do
//
// Mutants that change which conditions there are (structural ones) and those
// that no schemata can hold are left out of Table 3, and counted. Time limits cut the largest
// searches; what was cut is printed. Variants per second depend on how busy the
// machine is; the ratios less, as their parts are measured one after the other.
package ison

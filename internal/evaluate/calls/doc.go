// Package calls measures calls of our own, as the engine makes them, on
// packages of the Go distribution. Its parts, each with its flag:
//
//	-detection   mutants that the subject's own tests do not kill: how many are
//	             shown, by which technique
//	-alarms      comparisons of a subject with itself, under several seeds
//	-throughput  calls compared per second, and what hooks cost that are off
//
// # How
//
// Detection makes mutants as package mutant does, has the subject's own tests
// judge them, takes a sample of the survivors, at equal distances over the
// code, and runs runner.Compare on each as a user would: base is the commit,
// head the working tree with the mutant in it. What the table calls reached,
// by origin, observed and forced are the rungs of the findings; a survivor may
// be on several. Joined is any of them. Equivalent mutants are in the counts,
// so the shares are lower bounds; those whose SSA form is the original's are
// counted apart as well.
//
// The counts of sequences and negation sets, and not the budget, are meant to
// end a comparison, so that a busy machine finds the same. Where the budget
// ended it before, the column "cut" says so.
//
// An alarm is any finding where head is base; the engine's pruning is off
// there, and all functions are called.
//
// Throughput counts calls that both versions made and that were compared, for
// each second of processor time of all processes together, which is what one
// core does: the machine may be busy, and the versions run side by side. It
// drives package runner/calls directly for generated calls, and the hooks for
// calls in place, with base as head. The start of the processes is part of the
// time, and for calls in place so are the tests themselves.
//
// # What it cannot do
//
// A sample of the survivors is not all of them; both numbers are printed.
// Mutants are small and single. A subject with one package has no consumers
// elsewhere, and its tests are the distribution's, which are better than most.
// What is shown is not judged by anybody: that the one changed place caused it
// is certain, that a reader would understand it is not.
package calls

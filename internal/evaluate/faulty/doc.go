// Package faulty measures functions with hand-written metamorphic relations: what each of their
// inputs covers, and which mutants each of their metamorphic groups detects.
//
// Code says where the functions and their relations are. They are laid out as a module and built
// twice: once with counters for statements and branches, once with all mutants that package
// mutant makes, chosen at run time; mutants that this form cannot hold get a program each. A
// child process answers one question of package measure about one mutant.
//
// A mutant is equivalent if no output differs, neither of the pool and its groups nor of as many
// random inputs as are allowed. A panic violates the relation whose group meets it; one that hangs,
// for a second of processor time, needs no relation to be noticed.
//
// "Equivalent" is what was not told apart: a mutant that differs only where a sum is exactly a
// limit may be among them.
package faulty

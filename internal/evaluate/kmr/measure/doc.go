// Package measure is what runs in the processes of the evaluation of k-MR
// coverage, where the subjects may be mutated or instrumented: it draws source
// inputs, executes metamorphic groups, and tells the parent what they gave. The
// parent builds a program of it, gives one Request on standard input, and reads
// one Response.
//
// It confines nothing: a mutant that hangs is ended by the parent.
package measure

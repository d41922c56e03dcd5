// Command answer runs the subjects. It reads a Question from its standard input and writes
// what each input gives to its standard output, with one of the mutants of the subjects
// where it was built with them.
//
// It is a program of its own because a mutant may not come to an end: whoever asks can end
// it. It keeps nothing between questions, and checks no input.
package main

// Command methods runs the 23 methods of Table II of GenMorph, written in Go from the
// documentation of the Java libraries that they are of. It reads a Request from its
// standard input and writes what each input gives to its standard output, with one of the
// mutants of methods.go where it was built with them.
package main

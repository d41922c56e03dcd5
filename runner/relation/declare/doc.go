// Package declare compiles the metamorphic relations, and the categories of inputs
// and outputs, that .isodelta.yml declares: texts become forms of package relation.
//
// A Declaration is what the file says, each text with its place there. Compile finds
// the function that it is about on both versions, by the names that go doc uses. Then
// it type-checks every expression in a package made for it, which declares what the
// documentation promises: parameters, results, after and followup, Equal, the
// names of the package under test and packages of the standard library
// (relation.Standard). What compiles is spelled with the variables of the form.
//
// All mistakes of a file are reported together, each at its line and where possible
// its column, with what was probably meant. Where the two versions differ in the
// function, it is no mistake: the relation is not compared, and listed as a limit.
//
// It starts the go command, to load packages of the standard library that expressions
// use and the module does not.
//
// What it cannot do:
//   - Expressions can use the package's own names and seven packages of the standard
//     library, and no others.
//   - Of an expression with several mistakes, the first is reported.
//   - A generic function has to be declared with its type arguments, and one whose
//     parameters cannot be named from within its package not at all.
package declare

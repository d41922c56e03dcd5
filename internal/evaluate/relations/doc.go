// Package relations measures whether laws that are told of everyday functions of numbers
// are true: forty functions of fees, bounds, rounding, codes, lists and tables (package
// subjects), whose laws are inferred as package check has them inferred, with the constants
// of the function.
//
// # How
//
// Truth: each relation that is kept is evaluated as it is printed, within the bounds that
// its notation has (automr.Relation.Printed), on many random inputs of all magnitudes up to
// a million, a third of them at the function's constants and next to them. One that fails
// for any of them is false.
//
// Planted laws: each function has a case that few inputs meet. The laws of the function
// without that case are inferred, too; those that the inputs above show to be false of the
// whole function are planted. One is refuted if it is not among the laws of the whole
// function, as printed.
//
// # What it cannot do
//
// The inputs are drawn as people use numbers, so a law that is false for others passes.
// Functions on texts, maps and structs are not among the subjects. Whether the few laws
// that are shown kill as many mutants as all is not measured.
package relations

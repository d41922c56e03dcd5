// Package everyday is how evaluations take functions of numbers as people write
// them: the constants of a function, the domain that these give, and inputs as
// people use them.
//
// A program under evaluation is described to package automr as package check
// describes one; laws are judged on inputs of all magnitudes up to a million, a
// third of them at the function's constants and next to them.
package everyday

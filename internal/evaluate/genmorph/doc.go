// Package genmorph repeats the evaluation of GenMorph (Table II of the paper): output
// relations are evolved of 23 methods, and it is counted which mutants of the methods they
// detect.
//
// # How
//
// The methods (program methods) are those of the table, written in Go from what the Java
// libraries document; what fails gives no output. For each transformation of a method's
// inputs a search is made as isodelta relations infer makes it, with the outputs of the
// method as it is, and perturbed ones for incorrect executions. What it tells is judged on
// fresh inputs; then, on inputs of a third kind, it is judged again, and run on each
// mutant.
//
// No mutant takes part in the search, and no generator or seed of inputs serves both
// searching and measuring. Mutants are those of package mutant, all that compile up to a
// number for each method, equivalent ones among them.
//
// Three scores: the mean over single relations, with 0 for those that a fresh or a
// measuring input refutes, as the paper counts; the union of the relations that are shown;
// and the union of all that survive. A mutant counts as detected if a relation is violated.
// One that panics or hangs is not detected by that.
//
// # What it cannot do
//
// The methods are not the paper's, nor are the mutants. The directed search for
// counterexamples (OASIs) has no equivalent: the inputs for measuring stand for it. Test
// suites with recorded outputs are not generated, so what relations add to them is not
// measured.
package genmorph

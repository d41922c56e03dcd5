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
// In the search, incorrect executions are perturbed outputs and those of the method with a
// condition negated (operator logical of package mutant); mutants of that operator are
// not measured with, and no generator or seed of inputs serves both purposes. Mutants are
// all that compile up to a number for each method, equivalent ones among them.
//
// Three scores: the mean over single relations, with 0 for those that a fresh or a
// measuring input refutes, as the paper counts; the union of the relations that are shown;
// and the union of all that survive. As in the paper, a mutant is detected if it violates a
// relation. It is also detected if a call of a group panics, fails or hangs that returns with
// the original, because that ends a test there. How many mutants violate a relation is told
// apart.
//
// # What it cannot do
//
// The methods are not the paper's, nor are the mutants. The directed search for
// counterexamples (OASIs) has no equivalent: the inputs for measuring stand for it. The
// suites that relations are added to are ten random inputs with recorded outputs, no
// suites of EvoSuite or Randoop.
package genmorph

// Package genetic searches output relations of a function by genetic programming:
// GenMorph (Ayerdi, Terragni, Jahangirova, Arrieta, Tonella: "Automatically Generating
// Metamorphic Relations via Genetic Programming").
//
// A Transform makes follow-up inputs from source inputs (section 5 of the paper). Given
// executions of both, correct and incorrect ones, Evolve searches for trees (package law)
// that hold for all pairs of correct executions and fail for many pairs in which one
// execution is incorrect (section 6).
//
// # How
//
//   - A row of a table is a source execution with its follow-up. A row on which a relation
//     fails is a false positive if it is correct (definition 2), and detected if it is
//     not; rows that are not detected are false negatives (definition 3).
//   - Two populations evolve side by side (algorithm 1). One compares individuals by false
//     positives, then false negatives, then size (definition 4), the other by false
//     negatives first (definition 5). They exchange their best now and then.
//   - Parents are chosen by tournament or by best match (6.1.1); offspring comes from
//     crossover of subtrees and from mutations of a leaf, a subtree, a constant (6.1.2).
//     The elite has no two of the same text, and no two that detect the same rows (6.2).
//   - The paper's populations begin with random trees. Here half of them are the best of
//     all small comparisons, which are enumerated first: most laws worth reading are among
//     them.
//   - Perturb makes incorrect rows out of correct ones: one output changed, or those of both
//     calls in the same way. The paper runs mutants; rows of executions that were made
//     incorrect by other means, such as negated conditions, can be added.
//   - Whatever comes by in either population can be kept: the smallest relation for each
//     set of detected rows, of equally small ones the one that says most. Of these, the
//     ones that detect most for their size are chosen greedily, as long as they add enough,
//     and those that add nothing to the others are left out. What holds for random rows
//     is a tautology, and no law.
//
// The result depends on the tables, the options and the seed, not on the machine.
//
// # What it cannot do
//
//   - A kept law holds for the rows at hand. Whether it holds elsewhere (section 7, the
//     filter) has to be asked of other rows; bounds by constants are the likeliest to fail.
//   - Follow-ups of one source input only, and one follow-up each.
//   - Perturbed outputs are not what faults give. A law that detects none of them may
//     still detect faults.
//   - Plain laws are single comparisons. What holds only under a condition is not told.
//   - Xor, division and toString of Table I are no operators of package law.
package genetic

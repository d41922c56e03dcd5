// Package adequacy measures how adequate metamorphic testing was: the k-MR
// coverage of Fu, Sun, Zhang and Liu, "Test Adequacy for Metamorphic Testing:
// Criteria, Measurement, and Implication".
//
// A requirement (a branch to take, a statement to run, a choice to use …) is
// met by the share of k relations that the best of its source inputs was
// associated with, at most 1, and not at all if no source input satisfies it.
// Source input and relation are associated when a metamorphic group of both was
// executed and its outputs were verified (Definition 1). The adequacy is the
// mean over all requirements (Definition 5, equations 3 to 5). KMR computes
// that from lists; a Function collects what is known of one function and gives
// a Score for each Criterion; scores add up to those of packages and totals.
//
// # Requirements
//
//	statement      each statement that the caller names
//	branch         each branch that the caller names
//	I-choice       each declared choice of each input category
//	I-choice-pair  each two choices of different input categories, except those
//	               declared Impossible: the paper adapts the all-combination
//	               criterion, so a pair counts although it was never seen
//	IO-CTF         each declared complete test frame
//
// A complete test frame is a combination of at most one choice of each input
// category with the choices of output categories that such inputs lead to
// (CHOC'LATE-DIP, which the paper names its source). A source input satisfies
// the frame that is exactly its own choices. Which combinations are feasible is
// known only to whoever writes the specification; where no frames are declared,
// Seen gives those that some source input had. The frames must not depend on
// which suite is measured: take those of all versions and suites together, or a
// suite that sees more is measured by more.
//
// # What counts as a relation
//
// Definition 3 counts relations, and so does this package: by name. The paper's
// intent is that the relations of one source input expect different things of
// the outputs; who wants to count those gives relations with the same output
// relation the same name. k is 3, and 2 for IO-CTF, which is what the paper
// found beyond which little is gained.
//
// # What it cannot do
//
// It does not know whether a relation is right or says much: one that always
// holds counts like any other. A function without requirements has the score
// 0 of 0, which weighs nothing in sums. A pair of choices that cannot go
// together and is not declared so keeps the score below 1.
package adequacy

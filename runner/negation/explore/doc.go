// Package explore runs tests with branch conditions negated in the same way on both
// versions (ISON, Algorithm 2), and compares what they do.
//
// # How
//
// Package negation has a queue of negation sets for each test. Sets are run round by
// round: a round is a level of urgency, the sets of one depth, rank and list of all
// tests; what is on no list (package negation) comes last in its depth. Within a round,
// tests that execute Δ come first, quicker ones before slower. Base goes ahead; head
// follows with those variants that may differ. A process is replaced after so many
// variants. A variant may do 20 times the work of the test as it is (FuelFor).
//
// A difference that no input is likely to lead to (package diff, Plausible) is counted
// and not handed on.
//
// # What it cannot do
//
// A negated branch may be one that no input takes. Only matched conditions are negated,
// and only those that a test of the suite evaluates. What the budget or the largest
// number of variants leave out is counted.
package explore

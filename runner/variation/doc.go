// Package variation runs existing tests with something else in the place of one of their
// literals, or with a statement left out or executed twice, in the same way on both versions.
// A test knows how to build what it needs: servers, files, fakes, values of unexported
// types. What it gives them is only one input of many, and the next one may differ. It takes time from calls'
// neighbours, relations and forced branches, so it is done only where it is asked for.
//
// This is input amplification as a survey calls it (Danglot, Vera-Perez, Yu, Zaidman,
// Monperrus, Baudry: "A Snowballing Literature Study on Test Amplification", JSS 157, 2019),
// with the other version as the oracle: what the test expects does not fit any more, and what
// it looks at is compared.
//
// # How
//
// Package instrument has numbered the variation points of tests; one build serves all variants.
// Tests that execute Δ have their turns, quick ones first. In a turn, a test runs with so many
// variations of its points: texts and numbers of the same field in other rows, and of the same
// argument in other calls, those that the change and the code contain, and what package harness
// makes of them; lists without an element, with one twice, with two in another order; maps without an entry; rows of a
// package-level table with a field of another row; calls and assignments left out or executed twice. A point is
// dropped when two variations change nothing that a test executes or sees: it is an expectation, or a name. Base goes
// ahead; head follows with what may differ.
//
// # What it cannot do
//
// What else is evaluated before a test begins stays as it is, and so do literals of named types and whatever the
// compiler wants to know. Tests that take long are left alone. A variant may be an input that nobody gives, as
// generated calls may. A test that keeps what a variation leaves behind has a process for each, which takes longer.
//
// A test to paste is written only where what varies and what is looked at both stand in the test's own function, and base
// gives plain values there.
package variation

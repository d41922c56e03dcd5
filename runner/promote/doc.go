// Package promote finds real inputs for branches while two versions are compared. A
// difference that only a forced branch shows is promoted where an input that takes the
// branch shows it, too.
//
// # How
//
//   - Goals are, once calls were made, the branches of Δ that no test and no call took on
//     either version, and the branches of its callers that lead to Δ (Change); and, once
//     branches were forced, those of forced findings (Forced). What lies next to something
//     that was executed comes first, and of that what the change itself adds.
//   - The package is built once more, with conditions that tell what they compare, and
//     package aim searches for each goal. Where it finds an input it goes on until it has
//     some tens.
//   - The inputs are run on both versions by the search that makes calls (package calls).
//     What differs is shrunk, confirmed and written as a test, like any other sighting;
//     and calls go on from there.
//   - What trying does not take is asked of equations (package symbolic). Where they prove
//     that no input takes a branch, differences that forcing it shows cannot be, and are
//     set aside (Settle).
//
// Of a forced finding that is left, Fate says how many calls take its branches without
// showing it, or how many inputs were tried in vain.
//
// # What it cannot do
//
// Proofs are about head alone. It searches where calls are made, and with exported functions alone. Where building
// again would take more than the time there is, nothing is searched. A set of several
// branches is searched one branch at a time, though it takes an input that takes all.
// A condition that a test takes both ways and that was inverted each time has no branch
// to search for. Not found says nothing about whether there is an input.
package promote

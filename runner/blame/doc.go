// Package blame finds the edits of a change without which a difference does not show.
//
// # How
//
// The lines that differ are put together into units: what differs of one top-level declaration
// of head, and where a declaration differs in several places, each of these by itself. For one unit after
// the other head's code is built with the unit as it is on base, and nothing else. Where a
// test that passes on base and fails on head passes on that, the difference does not show without
// the unit: it is to blame. Functions whose signature is the same stand in one binary as they are on head and
// as they are without each of their units, and an environment variable chooses (mutant schemata); what cannot
// be put there, such as tables, has binaries of its own. This is delta debugging (A. Zeller, "Yesterday, my program worked.
// Today, it does not. Why?", ESEC/FSE 1999) with subsets of all but one unit, the declarations
// first and their parts only where it pays. Tests that the change edits or adds, and that pass on head,
// run as well: where one fails without a unit, it is what that test expects.
//
// What only base has, between declarations, is added where a unit does not build without it.
// Imports follow what the code uses.
//
// # What it cannot do
//
// Units that build only together, as a parameter and all that passes it, are not told apart and are
// not blamed. Of two units that each make the same difference neither is. What is to blame
// is not therefore wrong: that is for the reader to say.
package blame

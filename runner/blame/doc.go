// Package blame finds the edits of a change without which a difference does not show.
//
// # How
//
// The lines that differ are put together into units: what differs of one top-level declaration
// of head, and where a declaration differs in several places, each of these by itself. For one unit after
// the other head's code runs with the unit as it is on base, and nothing else changed. Where
// that does what base does, the difference does not show without the unit: it is to blame. This is
// delta debugging (A. Zeller, "Yesterday, my program worked. Today, it does not. Why?", ESEC/FSE 1999)
// with subsets of all but one unit.
//
// Functions whose signature is the same stand in one binary as they are on head and
// as they are without each of their units, and an environment variable chooses (mutant schemata). Variables
// are put back there by an initialiser. There are two such binaries:
//
//   - An Undoing is the binary that makes calls. It is built while calls are made, and then the calls of all
//     findings are made again (reach.Stage.Undo), which takes a second or two.
//   - Tests to paste whose findings come from no call of ours, such as those in place, are built with the same code (together).
//
// What cannot be put there, and variables from which others were made before, have binaries of their own, with the tests
// to paste, if there is time.
//
// Tests that the change edits or adds, and that pass on head, run as well: where one fails without a unit, the unit is what
// that test expects.
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

// Package isomorph says what two versions of a module have in common and in
// what they differ: which conditions are the same decision in both, which
// functions changed, and from where a changed function can still be reached.
// It runs no process and reads no clock; of files it reads only what the trees
// name (go.mod, embedded and vendored files, files not in Go).
//
// # Matching
//
// [Match] is Algorithm 1 of the ISON paper on the intermediate form of
// golang.org/x/tools/go/ssa. Functions pair by package path, receiver, name and
// signature; closures, when the instructions that make use of them pair. Nodes
// are instructions: they are equal when opcode, types, constants, callees and
// matched operands are, so "err != nil" on the results of two calls is two
// different nodes. Jumps and debug information are stepped over. From the
// entries on, both graphs are walked side by side, and a mismatch ends the walk
// on that path. Pairs found so are strict.
//
// Phi nodes stand for no statement. Two of them are paired when the edges walked
// give them equal values, on the assumption that edges walked later will too;
// a pair that turns out wrong is forbidden, and the walk starts again. A phi node
// without a partner ends no path: what uses it will differ.
//
// By default matching continues past an edit, and labels what it finds there
// resynchronised. Both bodies are laid out in the order of flow and aligned, by
// dynamic programming with a price for each edited stretch, on tokens: a node
// with its operands, some levels deep. Only pairs that all best alignments agree
// on count. From each that is consistent with what is matched, the walk
// goes on, operands unmatched on both sides now passing as equal. Last come nodes
// whose outline (operands without what goes into calls) occurs once on each
// side of a stretch between matched nodes.
//
// Two deviations from the paper keep equal texts from being confused, and only
// take pairs away: a strict pair that the alignment shows to belong elsewhere is
// dropped (a condition inserted before another one with the same text is equal
// to it as a node; only what follows tells them apart), and changed functions
// are matched in both directions, what they agree on being kept. So no
// condition has two partners, and swapping the versions swaps the pairs.
//
// # Conditions
//
// A condition is a leaf: what is left of the conditions of if, for and tagless
// switch, and of the left operands of && and ||, when they are taken apart at
// &&, ||, ! and parentheses; or a case expression of a switch with a tag. The If
// instruction it decides follows the DebugRef that names it. Range loops, type
// switches, select and range-over-func branch without a leaf and are counted by
// reason ([Unmapped]), as are constants, and leaves that start where another one
// does.
//
// # The changed set
//
// A function belongs to Δ when its canonical text differs: instructions in the
// order of flow with values numbered, closures in place, neither positions nor
// names of locals nor debug information. Constants appear by value, so their
// users change with them. Functions that mention a package variable which is initialised
// otherwise belong to it, too ([Function.Data]). What can make unchanged functions behave differently
// is a prune blocker: definitions and method sets of types, initialisation,
// directives, embedded files, requirements, code outside the module.
//
// # Reachability
//
// [Program.Reach] builds a call graph over the module and its tests, at the
// level of blocks. Packages exist in several variants, with objects of their own
// each, so functions are known by position and types by name; that is why the
// analyses of x/tools (cha, vta), which compare types by identity, are not used.
// Calls through interfaces lead to all types that have methods of the names;
// through function values, to functions of the signature; and in the view of one
// test, only to what some executed function has converted or taken as a value.
// Code outside the module calls back whatever can be got at from its arguments
// by type; packages not known to be quiet, also all that such packages were
// given before. Where a goroutine, or a parallel subtest, can reach Δ, nothing
// is assumed of the order of things. Imports of unsafe, cgo and
// plugin, linkname directives and files not in Go make [Reach.Sound] false.
//
// [Ahead] says how many decisions lie between each outcome of a condition and a branch,
// for a search that wants to take it: backwards over blocks and from entries to the
// blocks that call. It guides, and need not be sound.
//
// # What it cannot do
//
//   - A renamed function, or one whose signature changed, has no counterpart.
//   - Conditions moved to another function are not followed there.
//   - Calls into dependencies that go by reflection are not seen, nor what changed types
//     there do, but for structs with other tags; Δ has functions of the module that call what differs, see [Result.Depend].
//   - Data races, finalisers and calls made by reading source positions
//     (runtime.Caller) are not modelled.
//   - A stretch of more than a million pairs of nodes without a node that is
//     unique on both sides is not aligned.
package isomorph

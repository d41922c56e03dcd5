// Package speed measures how soon a comparison shows something, and where its time
// goes: with cold caches, with warm ones, and at the second push of a pull request.
//
// # How
//
// It runs the isodelta command as a user does, on copies of repositories, each with two
// revisions; by default on packages of the distribution with one mutant as the change.
// Each binary that is named, else the one built from this module, compares every
// subject three times in a row, with caches and a folder for temporary files of its
// own: cold, where Go's build cache is empty (modules are downloaded before); warm,
// the same again; and push, where one changed file of head has one more statement.
// With several binaries each subject is done by all before the next one.
//
// Figures are read from the stream that the command writes. Processor time is that
// of the command and all that it started and waited for; bytes compiled are what the
// build cache has grown by.
//
// # What it cannot do
//
// It counts no processes, and what other work on the machine does to times it
// cannot know: run it alone.
package speed

// Package present puts a comparison into the forms that GitHub shows: the
// comment, the check run, and the annotations on changed lines, with links into
// the repository. The action posts them for its own run, and publish for a run
// of a fork, so that both look the same.
//
// What is said is package report's; who is told, and how, is package bot's.
package present

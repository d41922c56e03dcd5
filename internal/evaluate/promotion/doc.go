// Package promotion counts what became of the search for inputs in comparisons that were
// made: of the branches of the change that nothing had taken, and of what only forced
// branches showed.
//
// # How
//
// It reads streams that the isodelta command wrote (--output json=FILE), and adds up what
// they say: goals by their state (Summary.Goals), forced findings that an input shows, too
// (Finding.Merged), those that many inputs speak against (Summary.Folded), and those that
// are left, by their fate.
//
// # What it cannot do
//
// It compares nothing by itself. Whether a finding is the regression that people later
// mended is for others to judge.
package promotion

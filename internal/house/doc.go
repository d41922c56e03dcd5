// Package house holds the checks of this module as a whole, as tests: what no
// single package can know about itself.
//
// The members of the stream's closed sets are what is written anywhere. Comments
// of declarations begin with the declared name. What documentation names, is
// there, and docs/dependencies.md says who imports what.
//
// It reads the source and asks the go command; it builds and runs nothing of ours.
// It cannot tell whether a comment or a document is true.
package house

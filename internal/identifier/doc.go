// Package identifier takes names of Go code apart.
//
// # How
//
// Words splits a name where a capital follows a small letter, where the last capital of an
// acronym begins the next word, and between letters and anything else.
//
// # What it cannot do
//
// It knows nothing of what words mean, and takes two acronyms in a row for one.
package identifier

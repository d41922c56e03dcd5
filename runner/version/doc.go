// Package version has the notation for the two versions that are compared: a
// Side names one of them, and Both holds a value for each.
//
// Base always comes first, in memory as in every list that is made of it. What a
// version is made of stands elsewhere: its tree in package load, what is built of
// it in package build. There is no third version and no word for one; a merge
// base takes base's place.
package version

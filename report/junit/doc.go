// Package junit writes a comparison in the XML that JUnit's Ant task made common,
// for systems that show test results. Nothing of it is a test of the compared
// repository: a case is a behaviour change, or a function that was called on
// both versions, or a metamorphic relation, and a suite is a package.
//
// A behaviour change to which the policy objects is a failure; any other, the
// intended and the accepted ones included, is a passed case that tells about it
// in its output. A broken relation that nobody has taken on is a failure, any other
// passes, unless the policy objects to it; where very many are kept, they are
// counted. A function that could not be compared is a skipped case. The
// first suite is isodelta's own and holds one case, the comparison: it is an
// error where that is not whole or explored nothing, so that a file is never
// empty and never green without work.
//
// What XML cannot hold, and what a reader could not see, has to be spelled out by
// the caller; what is left of the former becomes U+FFFD.
package junit

// Package paste tries tests to paste: Go tests that show a finding, or a relation that
// does not hold any more, and that anybody can put beside the code.
//
// # How
//
// The tests of one package are built together as users build them, without
// instrumentation and without the seeded run time, into a binary of each version; where
// they do not build together they are built one by one. A test is shown if it passes on
// base and fails on head, in ten fresh processes of each: in one alone, with its file in the package's folder and
// with leave to write there (unless the folder is too large to be copied for it), and in the others
// with the next tests of its package, unless it then does anything else. They have all processors. A recorded test is run again in
// the same way (Times).
//
// # What it cannot do
//
// A test that needs more than its package's own test binary (other flags, a TestMain that
// wants arguments) does not pass on base and is not shown. What there is no time to try is
// counted, and not shown.
package paste

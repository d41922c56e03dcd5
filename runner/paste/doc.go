// Package paste tries tests to paste: Go tests that show a finding, or a relation that
// does not hold any more, and that anybody can put beside the code.
//
// # How
//
// The tests of one package are built together, without any instrumentation but the
// seeded run time, into a binary of each version; where they do not build together they
// are built one by one. A test is shown if it passes on base and fails on head. The same
// binaries serve to run a recorded test again (Times).
//
// # What it cannot do
//
// A test that needs more than its package's own test binary (other flags, a TestMain that
// wants arguments) does not pass on base and is not shown. What there is no time to try is
// counted, and not shown.
package paste

// Package baseline runs the tests of both suites on both versions as they are, with
// nothing negated: what differs is observed, and what a test is good for in later
// stages is known.
//
// # How
//
// Each test runs five times on either version: all but one in one process, the last in
// another, so that what differs between processes shows too. Two executions are enough
// where nothing of Δ is executed; fewer than asked for have to do for a slow test. What
// varies by itself is left out of comparisons and listed; a test whose outcome varies
// is not used. A test that passes only the first time that a process runs it has a
// process for each run, as suites of ginkgo need it. A test that fails on its own version
// is tried again with leave to write to its package's folder.
//
// Tests from which fewer calls lead to Δ come first, but slow ones wait until the others
// ran. What the time does not suffice for is listed.
//
// # What it cannot do
//
// A test that would take too large a part of the time is ended, and says nothing: its
// repetitions cannot be told from a hang. What happens once in many executions is not
// seen to vary; package confirm runs every difference again.
package baseline

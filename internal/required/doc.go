// Package required makes a test fail, rather than be skipped, where a machine
// lacks what the machine of .ci/run has to have.
//
// A test that cannot run without a tool, a sandbox or the seeded run time calls
// [Skip] with what is missing. Elsewhere that skips it; where [Switch] names the
// [Thing], the test fails. So nobody needs more than Go and git, and nothing of
// what .ci/run stands for is left out in silence.
//
// It does not see a test that calls t.Skip by itself.
package required

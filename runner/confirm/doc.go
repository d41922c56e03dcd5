// Package confirm makes findings of differences: what was seen once is run again, in
// fresh processes on both versions, and what is the same each time becomes a finding.
//
// # How
//
// Differences wait in a Queue, in groups of what is likely to be one cluster: the same
// suite, outcomes, and functions of Δ. Where no function of Δ was entered there is
// nothing to say that two differences have one cause, so they are a group for each test
// and condition. Of each group the simplest comes first, until as many stand as are
// wanted; what is left over waits for Rest, which works it off while there is time.
//
// A variant is run with nothing negated first, each time: if that differs as well, the
// versions do not differ by the negation. Sites whose digests vary between repetitions
// are left out. What the time does not suffice for is counted, not dropped in silence.
//
// # What it cannot do
//
// Five repetitions do not show what varies once in a hundred. A difference that a busy
// machine's time-outs hide is counted as one that did not repeat.
package confirm

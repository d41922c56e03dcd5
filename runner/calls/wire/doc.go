// Package wire is what a test process that makes calls of our own and the parent
// have in common: the things they send each other, and how these are written
// down. Both import it: the parent as it stands, the process as a copy injected
// into the module under test, beside package harness, which does what is asked.
//
// Sequences. A Sequence is a list of calls. An argument is a literal (Lit) or
// refers to a result of an earlier step, so a sequence names no memory: both
// versions can run it, it can be cut and extended, and it can be kept in a file.
// A literal names types, operations and fields by number; the numbers are those
// of the file that registers them, which both versions share.
//
// Frames. The parent asks in frames (see FrameSetup and those below it), and each
// is answered by one. What is many and small, sequences with their traces or with
// the values that they give, is binary; what is few and has many fields is JSON. A
// trace holds digests, which are enough to compare versions; values (Values, Valued)
// are for a parent that calculates with them.
//
// Blobs. What hooked functions were given while a test ran, and the calls made in
// place there, come with the result of the test (EncodeRecords, EncodeCalls).
//
// What comes from a test process is not trusted, since it runs code in states
// that nobody foresaw: a decoder refuses it, or returns something that holds no
// more than its bytes can stand for.
//
// What it cannot do: it has no versions. A process is always built by the program
// that asks it; only sequences outlive a run, in findings to replay.
//
// The package uses the standard library and package probe only, and the language
// of Go 1.21: see package harness.
package wire

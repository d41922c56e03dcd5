// Package execute builds instrumented test binaries and drives them.
//
// Build and run are separate phases, and the exit status of a process is never
// a verdict. Build runs `go test -c` with an overlay; its errors are positions
// that the caller can mend (a test declaration that does not fit the other
// version is dropped) or report. A Session drives one test of one binary in
// persistent mode: the process is started once, warmed up with an iteration
// that is not recorded, and then runs one iteration for each Command; see
// package probe for the other end of the wire.
//
// Outcomes are the closed set of package event. The parent keeps the clock:
// an iteration that takes longer than the session's limit is killed with its
// whole process group and is Hung, which is never evidence. So is a process of a Dialog that asks for it (Idle) and none of whose
// threads does anything for a while, on Linux. A process that
// ends by itself is Died, with its last words; the next command starts another.
// One that the sandbox's keeper could not start is a [StartError], no outcome.
//
// Tests are hostile: no file is opened in a folder that they write to, what
// comes back has limits, and every wait has a deadline.
//
// What it cannot do: it runs the tests of one package binary one at a time,
// and it does not know what its numbers mean (see instrument for that).
package execute

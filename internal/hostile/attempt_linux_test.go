package hostile_test

import (
	"os"
	"strings"
	"time"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// attempt is one way out that a test of testdata/attempts tries.
type attempt struct {
	what string
	test string
	// hold says what stands against it.
	hold hold
	// root says that without a sandbox only root succeeds, fragile that this
	// depends on the machine: on its file system, or on what its kernel has.
	root, fragile bool
	// proven reports whether the attempt has had an effect; nil believes what
	// the attempt says, and where it says so with the secret.
	proven func(s *stage) bool
	secret bool // success shows the stage's secret
	drive  func(s *stage, lab *execute.Lab, a attempt) outcome
}

// hold is what stands against an attempt: a gap that the level has or has not,
// or one of the following.
type hold sandbox.Gap

const (
	always hold = "always" // it is held even where there is no sandbox
	locked hold = "locked" // every sandbox holds it
	never  hold = "never"  // nothing holds it
)

func attempts() []attempt {
	gap := func(g sandbox.Gap) hold { return hold(g) }
	return []attempt{
		{what: "change a file", test: "TestWrite", hold: gap(sandbox.Writing), proven: (*stage).keepChanged},
		{what: "remove a file", test: "TestRemove", hold: gap(sandbox.Writing), proven: (*stage).keepChanged},
		{what: "empty a file", test: "TestTruncate", hold: gap(sandbox.Truncating), proven: (*stage).keepChanged},
		{what: "change a file's permissions", test: "TestChmod", hold: gap(sandbox.Attributes), proven: func(s *stage) bool {
			info, err := os.Stat(s.path("keep"))
			return err != nil || info.Mode().Perm() != 0o600
		}},
		{what: "set a file's owner", test: "TestChown", hold: gap(sandbox.Attributes)},
		{what: "change a file's times", test: "TestTimes", hold: gap(sandbox.Attributes), proven: func(s *stage) bool {
			info, err := os.Stat(s.path("keep"))
			return err != nil || info.ModTime().Before(time.Unix(2, 0))
		}},
		{what: "set an extended attribute", test: "TestAttribute", hold: gap(sandbox.Attributes), fragile: true},
		{what: "read a secret in a file of the user's", test: "TestReadFile", hold: gap(sandbox.Reading), secret: true},
		{what: "read another user's private file", test: "TestReadOther", hold: locked, root: true, secret: true},
		{what: "find the token in its own environment", test: "TestOwnEnvironment", hold: always, secret: true},
		{what: "find the token in isodelta's environment", test: "TestEnvironment", hold: locked, secret: true},
		{what: "read isodelta's memory", test: "TestMemory", hold: locked, fragile: true},
		{what: "trace another process", test: "TestTrace", hold: locked, fragile: true},
		{what: "end another process", test: "TestSignal", hold: gap(sandbox.Signals), proven: func(s *stage) bool { return !s.victimLives() }},
		{what: "end its keeper and leave a process behind", test: "TestKeeper", hold: gap(sandbox.Signals), fragile: true, proven: (*stage).sleeps},
		{what: "leave a daemon behind", test: "TestDaemon", hold: gap(sandbox.Outliving), proven: (*stage).sleeps},
		{what: "connect to a server by TCP", test: "TestTCP", hold: gap(sandbox.Network), secret: true},
		{what: "connect to a socket in the file system", test: "TestSocket", hold: gap(sandbox.Sockets), secret: true},
		{what: "the same by a link of its own", test: "TestLinkedSocket", hold: gap(sandbox.Sockets), secret: true},
		{what: "the same by changing the address meanwhile", test: "TestSwappedSocket", hold: gap(sandbox.Sockets), secret: true},
		{what: "send a datagram to such a socket", test: "TestDatagram", hold: gap(sandbox.Sockets)},
		{what: "the same from one of a pair", test: "TestPair", hold: gap(sandbox.Sockets)},
		{what: "connect to an abstract socket", test: "TestAbstractSocket", hold: gap(sandbox.Sockets), secret: true},
		{what: "make a socket to the hypervisor", test: "TestHypervisor", hold: locked, fragile: true},
		{what: "set up io_uring", test: "TestRing", hold: locked, fragile: true},
		{what: "reach the session's keyring", test: "TestKeyring", hold: locked, fragile: true},
		{what: "fill the temporary folder", test: "TestFill", hold: locked},
		{what: "the same with files that have no name", test: "TestFillNameless", hold: gap(sandbox.Filling)},
		{what: "write a huge file", test: "TestHugeFile", hold: locked},
		{what: "take memory", test: "TestPrivateMemory", hold: locked},
		{what: "the same where addresses are reserved", test: "TestReservedMemory", hold: never},
		{what: "take shared memory", test: "TestSharedMemory", hold: never},
		{what: "start processes without end", test: "TestCrowd", hold: gap(sandbox.Crowding)},
		{what: "mount a file system", test: "TestMount", hold: locked, root: true},
		{what: "make a user namespace", test: "TestUserNamespace", hold: locked, fragile: true},
		{what: "set the host's name", test: "TestHostName", hold: locked, root: true},
		{what: "forge a result", test: "TestForge", hold: never, drive: (*stage).forge},
		{what: "stop isodelta with a damaged result", test: "TestBreak", hold: always, drive: (*stage).hang},
		{what: "have isodelta wait at a pipe, or read a link, in its folder", test: "TestPipes", hold: always, drive: (*stage).hang},
		{what: "have the clean-up follow links", test: "TestLinks", hold: always, drive: (*stage).links},
	}
}

// expected reports whether the attempt is to succeed at a level that leaves
// open what found says.
func (a attempt) expected(found sandbox.Found, root bool) bool {
	switch {
	case found.Level == sandbox.None:
		return a.hold != always && (root || !a.root)
	case a.hold == never:
		return true
	case a.hold == always, a.hold == locked:
		return false
	}
	for _, gap := range found.Open {
		if hold(gap) == a.hold {
			return true
		}
	}
	return false
}

// outcome is what came of an attempt.
type outcome struct {
	Done   bool
	Reason string // of a failure
	Absent bool   // the level, or what was to be attacked, is not there
}

// read finds an attempt's own words in what its process printed.
func read(output string) outcome {
	_, said, ok := strings.Cut(output, "\nOUTCOME ")
	if !ok {
		lines := strings.Split(strings.TrimSpace(output), "\n")
		return outcome{Reason: "ended: " + lines[len(lines)-1]}
	}
	said, _, _ = strings.Cut(said, "\n")
	if proof, done := strings.CutPrefix(said, "done:"); done {
		return outcome{Done: true, Reason: proof}
	}
	return outcome{Reason: strings.TrimPrefix(said, "refused: ")}
}

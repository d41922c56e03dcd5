package sandbox

import (
	"os"
	"os/exec"
)

// Level says how far processes are locked in.
type Level string

// Levels, weakest first.
const (
	None            Level = "none"
	Landlock        Level = "landlock"
	LandlockNetwork Level = "landlock+netns"
	// Namespaces adds to the network's those of processes and mounts.
	Namespaces Level = "landlock+namespaces"
)

// Policy says what a process may do.
type Policy struct {
	// Writable are directories, or files, below which everything may be
	// written, created and removed. They must exist.
	Writable []string
	// Temp is a directory that is writable, too; "" is none. With Namespaces it is an empty file system
	// in memory that nobody outside sees. [Probe] makes its own
	// below it, or in the system's place.
	Temp string
	// TempBytes is what all files together may take in each file system in memory, and below Writable.
	TempBytes uint64
	// Network leaves the network as it is.
	Network bool
	// Sockets leaves sockets in the file system as they are. Otherwise only
	// those below Writable and Temp can be connected to and, before Landlock
	// ABI 9, there are no datagram sockets of this family.
	Sockets bool
	// Require makes Probe fail where files cannot be protected. The network
	// is cut off where possible in any case, but never required: common
	// machines of CI services do not allow it.
	Require bool
	// Off restricts nothing.
	Off bool
	// MemoryBytes limits the data segment of each process: private writable
	// memory, RLIMIT_DATA, in bytes; 0 is no limit. A Go program takes heap in
	// steps of 64 MiB and dies at the limit, of a fatal error or a crash in its
	// run time, so leave it a few hundred MiB; programs built with -race need
	// gigabytes. Linux does not count what a mapping takes over from reserved
	// addresses until the next one, so one allocation of any size may pass and
	// the one after it fails. The address space (RLIMIT_AS) is no measure for Go,
	// which reserves far more than it uses.
	MemoryBytes uint64
	// FileBytes limits the size of each file written, in bytes; 0 is no limit.
	// A process that writes more is ended by SIGXFSZ.
	FileBytes uint64
	// Processes limits how many processes and threads there are at a time; 0 is
	// no limit. How they are counted depends on the level: with Namespaces those
	// of this target, otherwise all of the user's on the machine. Root is limited
	// with Namespaces on Linux 6.14 or later only.
	Processes uint64
	// Env is the process's whole environment, name=value; nil is what
	// [ScrubEnv] leaves of ours.
	Env []string
}

// environment holds each name once, the last value given. It is never nil,
// which os/exec would take for all of ours.
func (p Policy) environment() []string {
	env := p.Env
	if env == nil {
		env, _ = ScrubEnv(os.Environ())
	}
	cmd := exec.Cmd{Env: append([]string{}, env...)}
	return append([]string{}, cmd.Environ()...)
}

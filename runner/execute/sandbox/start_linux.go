package sandbox

import (
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// starting guards an attribute of the whole process.
var starting sync.Mutex

// Start starts a command that [Command] made. A process that is not dumpable
// cannot write the identities of a child's user namespace, since the child's
// files in /proc belong to root until it has executed another program. For that
// moment it is dumpable again. That opens it to no test: where there are user
// namespaces, tests are under Landlock, which forbids them to read or trace a
// process outside.
func Start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil || cmd.SysProcAttr.Cloneflags&syscall.CLONE_NEWUSER == 0 {
		return cmd.Start()
	}
	starting.Lock()
	defer starting.Unlock()
	if dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err == nil && dumpable == 0 {
		if err := unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0); err != nil {
			return err
		}
		defer unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	}
	return cmd.Start()
}

// run is Start and Wait.
func run(cmd *exec.Cmd) error {
	if err := Start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

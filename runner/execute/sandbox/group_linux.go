package sandbox

import (
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// isolate sets what the kernel does at fork. last is the signal that the
// process gets when we end.
func isolate(cmd *exec.Cmd, level Level, last syscall.Signal) {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: last}
	var lent []uintptr
	switch level {
	case LandlockNetwork:
		attr.Cloneflags = syscall.CLONE_NEWNET
		lent = []uintptr{unix.CAP_NET_ADMIN}
	case Namespaces:
		attr.Cloneflags = syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
		lent = []uintptr{unix.CAP_NET_ADMIN, unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP}
	}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 && attr.Cloneflags != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		attr.AmbientCaps = lent // to the keeper, which gives them up after use
	}
	cmd.SysProcAttr = attr
}

// isolateTarget prepares a process that has no keeper.
func isolateTarget(cmd *exec.Cmd) { isolate(cmd, None, syscall.SIGKILL) }

// isolateKeeper prepares a keeper. The first process of a namespace takes all
// others with it; any other keeper has to end them itself, so it is asked to.
func isolateKeeper(cmd *exec.Cmd, level Level) {
	last := syscall.SIGTERM
	if level == Namespaces {
		last = syscall.SIGKILL
	}
	isolate(cmd, level, last)
}

// patience is how long a keeper may take to end what its target started.
const patience = 5 * time.Second

func endKeeper(cmd *exec.Cmd, level Level) error {
	if level == Namespaces {
		return killGroup(cmd)
	}
	time.AfterFunc(patience, func() { cmd.Process.Kill() })
	return cmd.Process.Signal(syscall.SIGTERM)
}

func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if err == syscall.ESRCH {
		return os.ErrProcessDone
	}
	return err
}

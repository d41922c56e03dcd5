//go:build unix && !linux

package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

func isolate(cmd *exec.Cmd, _ Level) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if err == syscall.ESRCH {
		return os.ErrProcessDone
	}
	return err
}

func endHelper(cmd *exec.Cmd, _ Level) error { return killGroup(cmd) }

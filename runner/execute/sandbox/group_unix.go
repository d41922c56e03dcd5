//go:build unix && !linux

package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

func isolateTarget(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func isolateKeeper(cmd *exec.Cmd, _ Level) { isolateTarget(cmd) }

func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if err == syscall.ESRCH {
		return os.ErrProcessDone
	}
	return err
}

func endKeeper(cmd *exec.Cmd, _ Level) error { return killGroup(cmd) }

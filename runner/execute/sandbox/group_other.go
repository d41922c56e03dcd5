//go:build !unix

package sandbox

import "os/exec"

func isolateTarget(*exec.Cmd) {}

func isolateKeeper(*exec.Cmd, Level) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func endKeeper(cmd *exec.Cmd, _ Level) error { return killGroup(cmd) }

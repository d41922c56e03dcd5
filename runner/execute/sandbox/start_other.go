//go:build !linux

package sandbox

import "os/exec"

// Start starts a command that [Command] made.
func Start(cmd *exec.Cmd) error { return cmd.Start() }

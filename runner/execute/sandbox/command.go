package sandbox

import (
	"context"
	"os/exec"
	"strconv"
)

// Command prepares a process of target for [Start], locked in as far as level says, which
// is what [Probe] returned. exe is our own executable. Dir, Env, standard
// streams and ExtraFiles are the caller's to set; the target gets them
// unchanged, with file descriptors at their numbers. It leads a process group
// of its own, which is killed whole when ctx ends.
//
// On Linux the process is also killed when the thread that started it ends,
// which in Go is when the program ends, unless the starting goroutine is locked
// to its thread.
//
// Where the restriction fails, the target is not started: the process writes
// the reason to its standard error and ends with status [HelperFailed].
func Command(ctx context.Context, level Level, p Policy, exe, target string, args ...string) *exec.Cmd {
	env := p.environment()
	var cmd *exec.Cmd
	if words := restrictions(level, p); len(words) > 0 {
		words = append([]string{HelperArg}, words...)
		for _, variable := range env {
			words = append(words, "env="+variable)
		}
		cmd = exec.CommandContext(ctx, exe, append(append(words, "exec", target), args...)...)
		cmd.Env = []string{}
	} else {
		cmd = exec.CommandContext(ctx, target, args...)
		cmd.Env = env
	}
	isolate(cmd, level)
	cmd.Cancel = func() error { return killGroup(cmd) }
	return cmd
}

// HelperFailed is the exit status of a helper that could not restrict itself
// or not start the target.
const HelperFailed = 125

// restrictions gives the helper's arguments: one word each, so that any path
// survives. Nil means that no helper is needed.
func restrictions(level Level, p Policy) []string {
	var words []string
	if p.MemoryBytes > 0 {
		words = append(words, "memory="+strconv.FormatUint(p.MemoryBytes, 10))
	}
	if p.FileBytes > 0 {
		words = append(words, "file="+strconv.FormatUint(p.FileBytes, 10))
	}
	if level == LandlockNetwork {
		words = append(words, "loopback")
	}
	if level == Landlock || level == LandlockNetwork {
		words = append(words, "landlock")
		for _, dir := range p.Writable {
			words = append(words, "write="+dir)
		}
	}
	return words
}

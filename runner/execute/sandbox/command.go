package sandbox

import (
	"context"
	"os/exec"
	"strconv"

	"github.com/isodelta/isodelta/runner/execute/sandbox/keeper"
)

// Command prepares a process of target for [Start], locked in as far as level
// says, which is what [Probe] returned. exe is our own executable. Dir, standard streams
// and ExtraFiles are the caller's to set; the target gets them unchanged, with
// file descriptors at their numbers.
//
// The process that Command starts is the keeper, which starts the target and
// stays until it has ended. Whatever the target has started ends then, too. Use
// the command's Cancel to end both early; killing the process alone would leave
// behind what the target started. [Ended] says how the target ended.
//
// On Linux the process also ends when the thread that started it ends,
// which in Go is when the program ends, unless the starting goroutine is locked
// to its thread.
//
// Where the restriction fails, the target is not started: the process writes
// the reason to its standard error and ends with status [KeeperFailed].
func Command(ctx context.Context, level Level, p Policy, exe, target string, args ...string) *exec.Cmd {
	env := p.environment()
	words := restrictions(level, p)
	if len(words) == 0 {
		cmd := exec.CommandContext(ctx, target, args...)
		cmd.Env = env
		isolateTarget(cmd)
		cmd.Cancel = func() error { return killGroup(cmd) }
		return cmd
	}
	words = append([]string{keeper.Arg}, words...)
	for _, variable := range env {
		words = append(words, "env="+variable)
	}
	cmd := exec.CommandContext(ctx, exe, append(append(words, "exec", target), args...)...)
	// Nothing of ours; the race detector, in a build with it, would wait a second
	// at the end of each keeper.
	cmd.Env = []string{"GORACE=atexit_sleep_ms=0"}
	isolateKeeper(cmd, level)
	cmd.Cancel = func() error { return endKeeper(cmd, level) }
	return cmd
}

// KeeperFailed is the exit status of a keeper that could not restrict itself
// or not start the target.
const KeeperFailed = keeper.Failed

// restrictions returns the keeper's arguments: one word each, so that any path
// survives. Nil means that no keeper is needed.
func restrictions(level Level, p Policy) []string {
	var words []string
	number := func(name string, n uint64) {
		if n > 0 {
			words = append(words, name+"="+strconv.FormatUint(n, 10))
		}
	}
	number("memory", p.MemoryBytes)
	number("file", p.FileBytes)
	number("processes", p.Processes)
	switch level {
	case LandlockNetwork:
		words = append(words, "loopback")
	case Namespaces:
		words = append(words, "loopback", "namespaces")
	}
	if level == None {
		return words
	}
	words = append(words, "landlock")
	for _, dir := range p.Writable {
		words = append(words, "write="+dir)
	}
	number("room", p.TempBytes)
	if p.Temp != "" {
		words = append(words, "temp="+p.Temp)
	}
	if !p.Sockets {
		words = append(words, "sockets")
	}
	return words
}

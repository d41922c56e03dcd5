package sandbox

import (
	"errors"
	"os/exec"
	"syscall"

	"github.com/isodelta/isodelta/runner/execute/sandbox/keeper"
)

// Ended makes of what waiting for a [Command] said how the target ended, in the
// words of os/exec: nil for success.
func Ended(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() <= keeper.Killed || exit.ExitCode() > keeper.Killed+64 {
		return err
	}
	return signalError{exit, syscall.Signal(exit.ExitCode() - keeper.Killed)}
}

// signalError says that a signal ended the target.
type signalError struct {
	exit   *exec.ExitError // of the keeper
	signal syscall.Signal
}

func (e signalError) Error() string { return "signal: " + e.signal.String() }
func (e signalError) Unwrap() error { return e.exit }

package sandbox

import (
	"errors"
	"os/exec"
	"syscall"
)

// killed is what the helper adds to the number of the signal that ended the
// target, as a shell does: the first process of a namespace cannot end itself
// by a signal.
const killed = 128

// Ended makes of what waiting for a [Command] said how the target ended, in the
// words of os/exec: nil for success.
func Ended(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() <= killed || exit.ExitCode() > killed+64 {
		return err
	}
	return signalError{exit, syscall.Signal(exit.ExitCode() - killed)}
}

// signalError says that a signal ended the target.
type signalError struct {
	exit   *exec.ExitError // of the helper
	signal syscall.Signal
}

func (e signalError) Error() string { return "signal: " + e.signal.String() }
func (e signalError) Unwrap() error { return e.exit }

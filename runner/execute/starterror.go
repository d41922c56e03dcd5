package execute

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// A StartError says that a test binary could not be started, by the sandbox's
// keeper or without one. That is no outcome of a test.
type StartError struct {
	Binary string
	Reason string
}

func (e *StartError) Error() string {
	if strings.Contains(e.Reason, "permission denied") {
		return fmt.Sprintf("test binaries may not run: permission denied. If the folder for temporary files is mounted noexec, set TMPDIR (RUNNER_TEMP in the action) to another one than that of %s", e.Binary)
	}
	return fmt.Sprintf("the test binary %s could not be started: %s", filepath.Base(e.Binary), e.Reason)
}

// keeperWords is how the sandbox's keeper begins what it says.
const keeperWords = "isodelta: sandbox: "

// notStarted reads the end of a process that has not answered: an error where
// the keeper gave up before the target, nil for any other end.
func notStarted(binary, output string, ended error) error {
	var exit *exec.ExitError
	if !errors.As(ended, &exit) || exit.ExitCode() != sandbox.KeeperFailed {
		return nil
	}
	for line := range strings.Lines(output) {
		if reason, ok := strings.CutPrefix(strings.TrimSpace(line), keeperWords); ok {
			return &StartError{binary, reason}
		}
	}
	return nil
}

package command

import (
	"errors"

	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/mistake"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
)

// The exit codes. Everything that ends the program chooses one of these.
const (
	exitOK      = 0 // no finding that the policy objects to
	exitFinding = 1 // a finding that it objects to
	exitUsage   = 2 // bad flags, bad configuration, unknown revision
	exitFailed  = 3 // no whole comparison could be made: no repository, no build, no test, a shard missing
)

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// exitCode chooses the code for an error.
func exitCode(err error) int {
	var (
		usage     usageError
		arguments *revision.ArgumentsError
		unknown   *revision.UnknownRevisionError
		wrong     *mistake.Mistake // in the configuration, or in what it declares
	)
	if errors.As(err, &usage) || errors.As(err, &arguments) || errors.As(err, &unknown) || errors.As(err, &wrong) {
		return exitUsage
	}
	return exitFailed
}

// verdictCode chooses the code for a finished comparison. What is not whole, or
// explored nothing, is no success, whatever the policy.
func verdictCode(s *event.Stream, p policy.Policy) int {
	if policy.Decide(p, s).Fail {
		return exitFinding
	}
	switch s.Verdict() {
	case event.Incomplete, event.NothingExplored:
		return exitFailed
	}
	return exitOK
}

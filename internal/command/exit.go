package command

import (
	"errors"

	"github.com/isodelta/isodelta/internal/config"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
)

// The exit codes. Everything that ends the program chooses one of these.
const (
	exitOK      = 0 // no finding that the policy objects to
	exitFinding = 1 // a finding that it objects to
	exitUsage   = 2 // bad flags, bad configuration, unknown revision
	exitFailed  = 3 // no comparison could be made: no repository, no build, no test
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
		conf      *config.Error
		confs     config.Errors
	)
	if errors.As(err, &usage) || errors.As(err, &arguments) || errors.As(err, &unknown) ||
		errors.As(err, &conf) || errors.As(err, &confs) {
		return exitUsage
	}
	return exitFailed
}

// verdictCode chooses the code for a finished comparison.
func verdictCode(s *event.Stream, failOn []event.Rung) int {
	for _, f := range s.Findings {
		if f.Intended {
			continue
		}
		for _, rung := range failOn {
			if f.Rung == rung {
				return exitFinding
			}
		}
	}
	if s.Summary == nil {
		return exitFailed
	}
	if s.Summary.Verdict == "nothing-explored" {
		return exitFailed
	}
	return exitOK
}

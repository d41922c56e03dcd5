package runner

import "fmt"

// NoTestsError says that there is nothing to run.
type NoTestsError struct {
	Patterns []string
}

func (e *NoTestsError) Error() string {
	return fmt.Sprintf("no tests in %v: isodelta compares what tests do; name packages that have some with --packages", e.Patterns)
}

// VersionError says that one side of the comparison cannot be used.
type VersionError struct {
	Side string // base or head
	What string // as the user named it
	Err  error
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s (%s): %v", e.Side, e.What, e.Err)
}

func (e *VersionError) Unwrap() error { return e.Err }

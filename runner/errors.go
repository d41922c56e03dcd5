package runner

import (
	"fmt"

	"github.com/isodelta/isodelta/runner/version"
)

// VersionError says that one side of the comparison cannot be used.
type VersionError struct {
	Side version.Side
	What string // as the user named it
	Err  error
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s (%s): %v", e.Side, e.What, e.Err)
}

func (e *VersionError) Unwrap() error { return e.Err }

// PackageError says that what was recorded is about a package that neither
// version has. A stream may name anything, and what it names is looked up before
// the go command hears of it.
type PackageError struct {
	Package string
	Module  string
}

func (e *PackageError) Error() string {
	return fmt.Sprintf("%.100q is no package of %s on base or head: the stream is of another module, or was written by hand", e.Package, e.Module)
}

package build

import (
	"context"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
)

// Traced builds the tests of a package that was built before with the code of a version
// instrumented once more: the same calls can be made, and conditions tell what they
// compare. The error is an execute.BuildError where that does not build.
func (b *Builder) Traced(ctx context.Context, s *Suite, v *Version, pkg string, program *instrument.Program) (execute.Target, error) {
	traced := code{v, program, "-traced"}
	if err := b.buildBinary(ctx, s, traced, pkg); err != nil {
		return execute.Target{}, err
	}
	return execute.Target{Binary: b.binary(s, traced, pkg), Dir: s.Dir(pkg), Size: b.Size(s, v)}, nil
}

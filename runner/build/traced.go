package build

import (
	"context"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
)

// A Tracing is a binary of a package that was built before, with the code of a version
// instrumented once more: the same calls can be made, and conditions tell what they
// compare.
type Tracing struct {
	Target execute.Target
	// Beside says that it may be built while other binaries of the suite run.
	Beside bool
	build  func(context.Context) error
}

// Traced prepares the binary of a package, with a version's code as program has it.
func (b *Builder) Traced(s *Suite, v *Version, pkg string, program *instrument.Program) (*Tracing, error) {
	traced := code{Version: v, program: program, way: "-traced"}
	build, err := b.prepareBinary(s, traced, pkg)
	if err != nil {
		return nil, err
	}
	return &Tracing{Target: execute.Target{Binary: b.binary(s, traced, pkg), Dir: s.Dir(pkg), Size: b.Size(s, v)},
		Beside: v == s.Own || len(s.past) == 0, build: build}, nil
}

// Build builds it. The error is an execute.BuildError where the code does not build.
func (t *Tracing) Build(ctx context.Context) error { return t.build(ctx) }

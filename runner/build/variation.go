package build

import (
	"context"
	"maps"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/execute"
)

// A Variation is a binary of a package as Builder.Binary has it, with some files that stand in for others. The same
// calls can be made.
type Variation struct {
	suite   *Suite
	target  execute.Target
	gen     string // folder
	replace map[string]string
	job     execute.Build
}

// Variation prepares the binary of a package, with a version's code, in which files can stand in for others. It
// returns nil where that cannot be built while other binaries of the suite run.
func (b *Builder) Variation(s *Suite, v *Version, pkg string) (*Variation, error) {
	if v != s.Own && len(s.past) > 0 {
		return nil, nil
	}
	as := code{Version: v, program: v.Program, way: "-varied"}
	replace, err := b.overlay(s, as, pkg)
	if err != nil {
		return nil, err
	}
	out := b.binary(s, as, pkg)
	job := b.job(s, as, pkg, out)
	job.Overlay = filepath.Join(b.gen(s, as), "varied", filepath.Base(out)+".json")
	return &Variation{suite: s, replace: replace, job: job, gen: filepath.Join(b.gen(s, as), "varied", filepath.Base(out)),
		target: execute.Target{Binary: out, Dir: s.Dir(pkg), Size: b.Size(s, v)}}, nil
}

// Build builds it, with files by their slash-separated paths in the tree, and returns what runs it. The error is an
// execute.BuildError where the code does not build. It must not be called by several goroutines at once.
func (x *Variation) Build(ctx context.Context, files map[string][]byte) (execute.Target, error) {
	replace := maps.Clone(x.replace)
	for rel, text := range files {
		file := filepath.Join(x.gen, filepath.FromSlash(rel))
		if err := WriteIfNew(file, text); err != nil {
			return x.target, err
		}
		replace[x.suite.Own.Dir(rel)] = file
	}
	for _, dir := range []string{x.gen, filepath.Dir(x.target.Binary)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return x.target, err
		}
	}
	if err := execute.WriteOverlay(x.job.Overlay, replace); err != nil {
		return x.target, err
	}
	return x.target, execute.Test(ctx, x.job)
}

// job is what builds the tests of a package of a suite, with the code of v.
func (b *Builder) job(s *Suite, v code, pkg, out string) execute.Build {
	job := execute.Build{Go: b.Chain.Command(), Dir: s.Own.Module, Package: pkg, Out: out,
		Tags: b.Tags, Env: b.Chain.buildEnv(), Module: v.Tree.Module, Quick: b.large()}
	if s.Text.NeedsLang || v.program.NeedsLang {
		job.Language = "go1.21"
	}
	return job
}

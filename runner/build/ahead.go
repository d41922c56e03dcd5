package build

import (
	"context"
	"maps"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// Ahead compiles what the tests of both versions link and neither version has of its
// own, the distribution above all, while these are still loaded and matched. One go
// command does: two, as they build two versions' tests, compile with an empty build
// cache most packages twice, each for itself.
type Ahead struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// CompileAhead begins to compile packages, as the module in dir imports them, after
// Seed. What goes wrong shows where the tests are built.
func (t *Toolchain) CompileAhead(ctx context.Context, dir string, tags, packages []string) *Ahead {
	ctx, cancel := context.WithCancel(ctx)
	a := &Ahead{cancel, make(chan struct{})}
	go func() {
		defer close(a.done)
		gen := filepath.Join(t.Tmp, "gen", "ahead")
		replace, err := t.overlay(filepath.Join(gen, "probe"))
		if err != nil {
			return
		}
		job := execute.Build{Go: t.Command(), Dir: dir, Overlay: filepath.Join(gen, "overlay.json"), Tags: tags, Env: t.buildEnv()}
		if err := execute.WriteOverlay(job.Overlay, replace); err == nil {
			_ = execute.Compile(ctx, job, append(packages, probe.Path))
		}
	}()
	return a
}

// Wait waits until everything is compiled. The error is ctx's. Nil has nothing to wait
// for.
func (a *Ahead) Wait(ctx context.Context) error {
	if a == nil {
		return nil
	}
	select {
	case <-a.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stop ends the go command, and waits for that. It may be called more than once.
func (a *Ahead) Stop() {
	if a != nil {
		a.cancel()
		<-a.done
	}
}

// overlay writes the probe to dir, and returns what stands in for files of the
// distribution.
func (t *Toolchain) overlay(dir string) (map[string]string, error) {
	replace, err := probe.Overlay(t.Go.GOROOT, dir, t.Patch != nil && t.Patch.Seedable)
	if err != nil {
		return nil, err
	}
	if t.Patch != nil {
		maps.Copy(replace, t.Patch.Replace)
	}
	return replace, nil
}

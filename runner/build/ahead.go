package build

import (
	"context"
	"maps"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// Ahead compiles what the tests of both versions link and neither version has of its
// own, the distribution above all, while these are still loaded and matched. One go
// command does: two, as they build two versions' tests, compile with an empty build
// cache most packages twice, each for itself.
type Ahead struct {
	cancel  context.CancelFunc
	decided chan struct{} // closed when extra is known
	extra   int64
	done    chan struct{}
}

// CompileAhead begins to compile packages, as the module in dir imports them, after
// Seed. What goes wrong shows where the tests are built. Where the deterministic run time
// would take more than within to compile them against, and without it there is no more to
// compile, it compiles them without: see Extra. 0 bounds nothing.
func (t *Toolchain) CompileAhead(ctx context.Context, dir string, tags, packages []string, within time.Duration) *Ahead {
	ctx, cancel := context.WithCancel(ctx)
	a := &Ahead{cancel: cancel, decided: make(chan struct{}), done: make(chan struct{})}
	chain := *t
	go func() {
		defer close(a.done)
		if a.extra = chain.extra(ctx, dir, tags, packages, within); a.extra > 0 {
			chain.Patch = nil
		}
		close(a.decided)
		if job, err := chain.outside(dir, tags); err == nil {
			_ = execute.Compile(ctx, job, append(packages, probe.Path))
		}
	}()
	return a
}

// Extra returns how many bytes of source would have had to be compiled for the deterministic
// run time alone, where that was too much; 0 where it was not, and for nil.
func (a *Ahead) Extra(ctx context.Context) int64 {
	if a == nil {
		return 0
	}
	select {
	case <-a.decided:
		return a.extra
	case <-ctx.Done():
		return 0
	}
}

// sourceASecond is how many bytes of Go source are compiled in a second: the 11.7 MB that
// net/http needs take 27 to 42 s on two cores, see docs/evaluation.md.
const sourceASecond = 300 << 10

// extra returns how many bytes are to be compiled for the deterministic run time, if that
// takes more than within; else 0. Tests to paste are built without it, so where nothing is
// compiled yet all of it would be compiled twice.
func (t *Toolchain) extra(ctx context.Context, dir string, tags, packages []string, within time.Duration) int64 {
	if within <= 0 || t.Patch == nil {
		return 0
	}
	plain := *t
	plain.Patch = nil
	var sizes [2]int64
	g, gctx := errgroup.WithContext(ctx)
	for i, chain := range []*Toolchain{t, &plain} {
		g.Go(func() error {
			job, err := chain.outside(dir, tags)
			if err == nil {
				sizes[i], err = execute.Uncompiled(gctx, job, packages)
			}
			return err
		})
	}
	if g.Wait() != nil {
		return 0 // whoever builds says so
	}
	if float64(sizes[0]) <= sourceASecond*within.Seconds() || sizes[0] < sizes[1] {
		return 0
	}
	return sizes[0]
}

// outside is what building packages from outside of the module in dir needs, its overlay
// above all.
func (t *Toolchain) outside(dir string, tags []string) (execute.Build, error) {
	gen := filepath.Join(t.Tmp, "gen", "ahead")
	if t.Patch == nil {
		gen = filepath.Join(gen, "plain")
	}
	b := execute.Build{Go: t.Command(), Dir: dir, Overlay: filepath.Join(gen, "overlay.json"), Tags: tags, Env: t.buildEnv()}
	replace, err := t.overlay(filepath.Join(gen, "probe"))
	if err == nil {
		err = execute.WriteOverlay(b.Overlay, replace)
	}
	return b, err
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

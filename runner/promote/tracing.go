package promote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/runner/aim"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/version"
)

// tracing is what searches in one package with the code of one version, built or under
// construction.
type tracing struct {
	*build.Tracing
	done chan struct{} // closed when it is built
	err  error         // to be read after that
}

type tracingKey struct {
	side version.Side
	pkg  string
}

// Ahead begins to build what searches, if tests left branches of the change out, and
// returns what ends it. Calls leave a core idle for most of the time.
func (s *Stage) Ahead(ctx context.Context) (stop func(), err error) {
	s.open()
	ctx, cancel := context.WithCancel(ctx)
	var last chan struct{}
	for _, g := range s.neverTaken() {
		p := s.packageFor(g)
		if p == nil || s.tracings[tracingKey{g.side, p.Path}] != nil {
			continue
		}
		x, err := s.trace(p, g.side, nil)
		if err != nil {
			cancel()
			return func() {}, err
		}
		if !x.Beside {
			continue
		}
		s.tracings[tracingKey{g.side, p.Path}] = x
		before := last
		last = x.done
		go func() {
			if before != nil {
				<-before
			}
			x.run(ctx)
		}()
		if len(s.tracings) == maxAhead {
			break
		}
	}
	return func() {
		cancel()
		if last != nil {
			<-last
		}
	}, nil
}

// maxAhead bounds what is built before it is known whether calls take everything; a guess.
const maxAhead = 2

func (x *tracing) run(ctx context.Context) {
	x.err = x.Build(ctx)
	close(x.done)
}

// trace prepares what searches in a package with the code of a version.
func (s *Stage) trace(p *reach.Package, side version.Side, goals []goal) (*tracing, error) {
	packages := s.Matching.Packages()
	packages[p.Path] = true
	for _, g := range goals {
		packages[g.Package] = true
	}
	program, err := s.Matching.Traced(side, packages)
	if err != nil {
		return nil, err
	}
	t, err := s.Builder.Traced(p.Suite, s.Matching.Versions[side], p.Path, program)
	return &tracing{Tracing: t, done: make(chan struct{})}, err
}

// searcher returns what searches in a package with the code of a version, or why there is
// none. What is not built yet is built.
func (s *Stage) searcher(ctx context.Context, p *reach.Package, side version.Side, goals []goal, until time.Time) (*aim.Searcher, string, error) {
	key := tracingKey{side, p.Path}
	x := s.tracings[key]
	if x == nil {
		if took := p.Suite.Took[p.Path]; !s.Env.Plan.Unlimited() && took > s.Env.Until(until) {
			// One version takes about half as long as both. Later there may be more time.
			return nil, fmt.Sprintf("building what searches would have taken most of the time for it: the tests took %.0f s", took.Seconds()), nil
		}
		var err error
		if x, err = s.trace(p, side, goals); err != nil {
			return nil, "", err
		}
		s.Env.Progress("goals", fmt.Sprintf("building %s once more, to see what conditions compare", p.Path), 0, 0)
		bctx, cancel := context.WithTimeout(ctx, s.Env.Until(until))
		defer cancel()
		if x.run(bctx); bctx.Err() == nil {
			s.tracings[key] = x
		}
	}
	select {
	case <-x.done:
	case <-time.After(s.Env.Until(until)):
		return nil, "what searches was not built in time", nil
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	var broken *execute.BuildError
	switch {
	case errors.Is(x.err, context.DeadlineExceeded):
		return nil, "what searches was not built in time", nil
	case errors.As(x.err, &broken):
		return nil, "what tells operands does not build here: " + build.Plain(broken.Error()), nil
	case x.err != nil:
		return nil, "", x.err
	}
	return &aim.Searcher{Env: s.Env, Version: s.Matching.Versions[side], Flow: s.flow(side), API: p.API, Binary: x.Target, Most: s.executions(),
		Exclude: p.API.LeftOut(p.Roles, s.Env.Lab.Level != sandbox.None), ExportedOnly: true, Witnesses: wanted, Seeds: p.Kept(), Equations: s.Equations}, "", nil
}

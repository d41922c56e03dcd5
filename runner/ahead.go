package runner

import (
	"context"
	"slices"

	"github.com/isodelta/isodelta/runner/blame"
)

// ahead is what is built while calls are made, which leave a core idle for most of the time.
type ahead struct {
	packages []string         // in which something differs
	undoing  []*blame.Undoing // built, when nothing is under way
	last     <-chan struct{}  // closed when the last build is over
	cancel   []context.CancelFunc
}

// begin does work when all that began before is over.
func (a *ahead) begin(ctx context.Context, work func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	before, done := a.last, make(chan struct{})
	a.last, a.cancel = done, append(a.cancel, cancel)
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		work(ctx)
	}()
}

func (a *ahead) empty() bool { return a.last == nil }

// wait waits until all is over, and ends it when ctx ends.
func (a *ahead) wait(ctx context.Context) {
	if a.empty() {
		return
	}
	select {
	case <-a.last:
	case <-ctx.Done():
		a.stop()
	}
}

// stop ends what is under way, and waits for its end.
func (a *ahead) stop() {
	for _, cancel := range a.cancel {
		cancel()
	}
	if a.last != nil {
		<-a.last
	}
}

// ready reports whether something was built, and nothing is under way.
func (a *ahead) ready() bool {
	if a.empty() {
		return false
	}
	select {
	case <-a.last:
		return true
	default:
		return false
	}
}

// buildAhead returns what builds, once it is told of a package in which something differs, head with edits that can be
// undone, and the tests of the first such package as users do: a test to paste will be tried there.
func (c *comparison) buildAhead(ctx context.Context) func(pkg string) {
	return func(pkg string) {
		if c.ahead.empty() {
			c.ahead.begin(ctx, func(ctx context.Context) {
				_, _ = c.builder.Plain(ctx, pkg, nil) // what goes wrong shows when the tests are tried
			})
		}
		c.undoAhead(ctx, pkg)
		for _, e := range c.editedTests() {
			c.undoAhead(ctx, e.Package)
		}
	}
}

// undoAhead builds head with edits that can be undone, to make the calls of a package, or run its tests.
func (c *comparison) undoAhead(ctx context.Context, pkg string) {
	if slices.Contains(c.ahead.packages, pkg) {
		return
	}
	c.ahead.packages = append(c.ahead.packages, pkg)
	if u := c.undoing(pkg); u != nil {
		c.ahead.undoing = append(c.ahead.undoing, u)
		c.ahead.begin(ctx, func(ctx context.Context) {
			_ = u.Build(ctx) // what is not there blames nothing
		})
	}
}

// undoing prepares the binary of a package in which edits can be undone; nil where there is none.
func (c *comparison) undoing(pkg string) *blame.Undoing {
	for _, p := range c.calls.Packages {
		if p.Path != pkg {
			continue
		}
		u, err := c.blaming().Undoing(p.Suite, pkg)
		if err != nil {
			return nil
		}
		return u
	}
	return nil
}

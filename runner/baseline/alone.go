package baseline

import (
	"context"
	"time"

	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
)

// Alone runs a test once on its own version, within a limit and MaxIteration.
func (s *Stage) Alone(ctx context.Context, t *build.Test, limit time.Duration) (outcome.Result, error) {
	process := s.Env.Lab.Session(t.Target(t.Suite.Side))
	defer process.Close()
	process.Once = true
	process.Within(min(limit, MaxIteration))
	return process.Do(ctx, execute.Command{Fuel: MaxFuel})
}

package reach

import (
	"context"
	"time"
)

// firstRounds is for how many rounds calls go on once a first difference was sighted
// before the tests run: there is then some choice of what to tell it by. A guess.
const firstRounds = 10

// First makes calls for a short time in the package nearest to the change, before the
// tests run, and confirms the first difference: who waits sees one soon. Without a
// budget, or where sequences are counted, nobody waits, and nothing is called.
func (s *Stage) First(ctx context.Context) error {
	until := s.Env.Plan.FirstCalls(s.Env.Now())
	if s.MaxSequences > 0 || s.Env.Past(until) || len(s.Packages) == 0 {
		return nil
	}
	p := s.Packages[0]
	return s.ended(ctx, p, s.first(ctx, p, until))
}

func (s *Stage) first(ctx context.Context, p *Package, until time.Time) error {
	begin := s.Env.Now()
	if err := s.Start(ctx, p); err != nil {
		return err
	}
	defer p.Search.Close()
	for sighted := 0; sighted < firstRounds && !s.Env.Past(until); {
		more, err := p.Search.Round(ctx)
		if err != nil {
			return err
		}
		if p.Search.Pending() {
			sighted++
		}
		if !more {
			break
		}
	}
	s.Seconds += s.Env.Now().Sub(begin).Seconds()
	if !p.Search.Pending() {
		return nil
	}
	x, err := p.Search.Glance(ctx, s.Env.Repetitions, s.timeFor(p, until))
	s.take(p, x)
	return err
}

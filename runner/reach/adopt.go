package reach

import (
	"context"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/version"
)

// Adopt runs sequences that something else has made in a package, and confirms what
// differs. Only the end of ctx is an error.
func (s *Stage) Adopt(ctx context.Context, p *Package, list []wire.Sequence, until time.Time) error {
	if p.failed {
		return nil
	}
	return s.ended(ctx, p, s.adopt(ctx, p, list, until))
}

func (s *Stage) adopt(ctx context.Context, p *Package, list []wire.Sequence, until time.Time) error {
	begin := s.Env.Now()
	if err := s.Start(ctx, p); err != nil {
		return err
	}
	defer p.Search.Close()
	err := p.Search.Adopt(ctx, list)
	s.Seconds += s.Env.Now().Sub(begin).Seconds()
	if err != nil {
		return err
	}
	p.spent = false // there is something new to begin with
	return s.Examine(ctx, p, until)
}

// Kept returns the sequences of a package that took new branches, encoded.
func (p *Package) Kept() [][]byte {
	if p.Search == nil {
		return nil
	}
	return p.Search.Kept()
}

// Taken counts the sequences of all packages that took each branch of a version.
func (s *Stage) Taken(side version.Side) map[int]int {
	out := map[int]int{}
	for _, p := range s.Packages {
		if p.Search != nil {
			for b, n := range p.Search.Branches[side] {
				out[b] += n
			}
		}
	}
	return out
}

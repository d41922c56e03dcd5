package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/version"
)

// placed is a difference seen in place.
type placed struct {
	test *baseline.Test
	ban  []uint64
	calls.InPlaceDifference
}

// hookSpot of a function: a component, or -1 for how the call ended.
type hookSpot struct{ hook, component int }

const (
	maxPlaced     = 6000 // calls in one iteration of a test
	perHookSpot   = 3    // differences looked at for each function and component
	placeAttempts = 4    // iterations of a test whose process a call has ended
	// maxPlacing and minPlacing bound one iteration, a guess.
	maxPlacing = 15 * time.Second
	minPlacing = 2 * time.Second
)

// placeAll lets the tests that execute the change run once more on both versions,
// with further calls at the entries of functions that show it, on changed copies of
// what the tests gave them.
func (s *Stage) placeAll(ctx context.Context, until time.Time) error {
	targets, ban := s.placeTargets()
	if len(targets) == 0 {
		return nil
	}
	var tests []*baseline.Test
	for _, t := range s.Tests {
		if t.Usable && t.Reaches && t.Pristine == "" {
			tests = append(tests, t)
		}
	}
	slices.SortStableFunc(tests, func(a, b *baseline.Test) int { return cmp.Compare(a.Fuel, b.Fuel) })
	seen, again := map[hookSpot][]placed{}, map[hookSpot][]placed{}
	var order []hookSpot
	for done, t := range tests {
		if s.Env.Past(until) {
			s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: "calls in place", Reason: fmt.Sprintf("%d of %d tests were over when their time was", done, len(tests))})
			break
		}
		s.Env.Progress("reach", t.Name+": further calls where the test makes one", done+1, len(tests))
		found, err := s.place(ctx, t, ban, until)
		if err != nil {
			return err
		}
		for _, d := range found {
			for _, component := range spotsOf(d) {
				at := hookSpot{d.Hook, component}
				if seen[at] == nil && again[at] == nil {
					order = append(order, at)
				}
				list := seen
				if d.Mutation == wire.Again {
					list = again
				}
				if len(list[at]) < perHookSpot {
					list[at] = append(list[at], d)
				}
			}
		}
	}
	inTime := s.Time(until)
	for _, at := range order {
		// What one call shows needs no second one.
		if err := s.confirmSpot(ctx, at, append(seen[at], again[at]...), targets, inTime); err != nil {
			return err
		}
	}
	return nil
}

func spotsOf(d placed) []int {
	if d.Base != d.Head {
		return []int{-1}
	}
	return d.Components[:1]
}

// confirmSpot confirms one of the differences at a spot.
func (s *Stage) confirmSpot(ctx context.Context, at hookSpot, list []placed, targets map[int]surface.Operation, inTime func() bool) error {
	for _, d := range list {
		switch ok, err := s.confirmPlaced(ctx, d, at.component, targets, inTime); {
		case errors.Is(err, errImplausible):
			s.Implausible++
		case err != nil || ok:
			return err
		default:
			s.Unconfirmed++
		}
	}
	return nil
}

// placeTargets returns the hooks of exported functions that show the change, and the
// keys that keep the others quiet.
func (s *Stage) placeTargets() (map[int]surface.Operation, []uint64) {
	targets := map[int]surface.Operation{}
	for _, p := range s.Packages {
		for i, op := range p.API.All() {
			if _, adapted := op.Adapted(); adapted {
				continue // what its callers give is not the same on both versions
			}
			if role := p.Roles[i]; role >= wire.Caller && op.Exported && op.Hook() >= 0 {
				targets[op.Hook()] = op
			}
		}
	}
	var ban []uint64
	for hook := range s.Surface.Hooks.Names {
		if _, ok := targets[hook]; !ok {
			ban = append(ban, wire.HookKey(hook))
		}
	}
	return targets, ban
}

// place runs one test with further calls on both versions. A call that ends the
// test's process is left out the next time. A function is left out when two of its calls did.
func (s *Stage) place(ctx context.Context, t *baseline.Test, ban []uint64, until time.Time) ([]placed, error) {
	own := slices.Clone(ban)
	var out []placed
	ends := map[int]int{} // processes that a hook's calls have ended
	for range placeAttempts {
		results, err := s.placeOnce(ctx, t, own, until)
		if err != nil {
			return nil, err
		}
		again := false
		before := slices.Clone(own)
		for side, r := range results {
			if r.Key == 0 || r.Outcome != event.Died && r.Outcome != event.Hung {
				continue
			}
			if d, ok := endedIn(results, version.Side(side)); ok {
				out = append(out, placed{t, before, d})
			}
			own = append(own, r.Key)
			if ends[r.Hook]++; ends[r.Hook] > 1 {
				own = append(own, wire.HookKey(r.Hook))
			}
			again = true
		}
		if again && !s.Env.Past(until) {
			continue
		}
		var made version.Both[[]wire.Call]
		for side, r := range results {
			list, _, err := wire.DecodeCalls(r.Extra)
			if err != nil || len(r.Extra) == 0 {
				return out, nil // the test did not come to its end
			}
			made[side] = list
		}
		s.Placed += min(len(made[version.Base]), len(made[version.Head]))
		for _, d := range calls.CompareCalls(made[version.Base], made[version.Head], func(int, int) bool { return false }) {
			out = append(out, placed{t, own, d})
		}
		return out, nil
	}
	return out, nil
}

// endedIn is the call in which the run time ended one version's process, for what the code
// alone is to blame for. Where the other version's process ended in the same call, that is
// no difference.
func endedIn(results version.Both[outcome.Result], side version.Side) (calls.InPlaceDifference, bool) {
	r, other := results[side], results[side.Other()]
	d := calls.InPlaceDifference{Hook: r.Hook, Key: r.Key, Base: probe.Died, Head: probe.Returned}
	if side == version.Head {
		d.Base, d.Head = d.Head, d.Base
	}
	return d, r.Outcome == event.Died && r.Verdict != "" && other.Key != r.Key
}

func (s *Stage) placeOnce(ctx context.Context, t *baseline.Test, ban []uint64, until time.Time) (results version.Both[outcome.Result], err error) {
	g, gctx := errgroup.WithContext(ctx)
	for _, side := range version.Sides {
		g.Go(func() (err error) {
			process := t.Session(s.Env.Lab, side)
			defer process.Close()
			process.Within(max(minPlacing, min(maxPlacing, s.Env.Until(until))))
			results[side], err = process.Do(gctx, execute.Command{Fuel: baseline.MaxFuel, Watch: wire.ModeAmplify, Seed: uint64(s.Env.Seed), Most: maxPlaced, Ban: ban})
			return err
		})
	}
	err = g.Wait()
	return results, err
}

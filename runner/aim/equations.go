package aim

import (
	"context"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/symbolic"
)

// Equations say how goals that trying does not take are looked for by way of equations.
type Equations struct {
	Panel symbolic.Panel
	// Limit bounds the time for each goal.
	Limit time.Duration
}

const (
	// maxEntries bounds the functions from which a goal's paths are followed.
	maxEntries = 4
	// maxSolutions bounds the inputs that are made of one function's paths.
	maxSolutions = 6
	// perSolutions bounds the executions once there are such inputs. What they are changed
	// into may take a goal that they only come near.
	perSolutions = 2_000
)

// equations asks for inputs that take a goal, and whether there are none. Ops are those
// that may be called, the nearest first.
func (s *Searcher) equations(ctx context.Context, out *Tries, g Goal, q wire.Aim, ops []wire.Op, taken Taken) error {
	if s.Equations == nil || ctx.Err() != nil {
		return nil
	}
	site, ok := s.Flow.Site(g.ahead())
	if !ok {
		return nil
	}
	limit := s.Equations.Limit
	if !s.Until.IsZero() {
		limit = min(limit, s.Env.Until(s.Until))
	}
	sctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	seeds, own := s.solutions(sctx, symbolic.Question{Site: site, Condition: !g.Arm, Outcome: g.Outcome, Most: maxSolutions}, ops)
	out.Infeasible = own.Infeasible
	if out.Infeasible {
		return nil
	}
	if len(seeds) > 0 {
		q.Ops, q.Seeds, q.Most = ops, seeds, len(seeds)+perSolutions
		aimed, err := s.run(ctx, out, q, taken, false, func() bool { return false })
		out.Runs += aimed.Runs
		if err != nil {
			return err
		}
		out.Taken = taken[g.branch] != nil
	}
	out.Limit = own.Why
	return nil
}

// solutions are calls that take a goal if the equations are right, and what became of the
// question to the function that has the goal.
func (s *Searcher) solutions(ctx context.Context, q symbolic.Question, ops []wire.Op) (seeds [][]byte, own symbolic.Outcome) {
	entry := func(op wire.Op) *ssa.Function { return s.Flow.Declared(s.API.Op(op).At[s.Version.Side]) }
	add := func(op wire.Op, inputs [][]wire.Lit) {
		for _, args := range inputs {
			seeds = append(seeds, wire.Sequence{{Op: op, Args: args}}.Encode(nil))
		}
	}
	// The function itself may be one that must not be called, and be asked about all the
	// same.
	q.Entry = q.Site.Function
	own = symbolic.Search(ctx, s.Equations.Panel, q)
	if own.Infeasible {
		return nil, own
	}
	entries := 0
	for _, op := range ops {
		fn := entry(op)
		switch {
		case fn == nil || entries >= maxEntries || ctx.Err() != nil:
		case fn == q.Site.Function:
			add(op, own.Inputs)
		case slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return q.Site.Leading[b] }):
			entries++
			q.Entry = fn
			add(op, symbolic.Search(ctx, s.Equations.Panel, q).Inputs)
		}
	}
	return seeds, own
}

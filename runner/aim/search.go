package aim

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/stage"
)

// Searcher searches for sequences of calls that take branches of one version. Its binary
// makes calls in a package, and its conditions tell their operands
// (instrument.Config.Operands).
type Searcher struct {
	Env     *stage.Env
	Version *build.Version // instrumented, with or without operands
	Flow    *isomorph.Program
	API     *surface.API
	Binary  execute.Target
	// Most bounds the executions for each goal.
	Most int
	// Exclude are operations that are never called.
	Exclude []wire.Op
	// ExportedOnly leaves alone goals that no exported function leads to.
	ExportedOnly bool
	// Witnesses is how many further sequences that take a goal are wanted.
	Witnesses int
	// Seeds are sequences to begin with, encoded.
	Seeds [][]byte
	// Equations are asked for what trying does not take; nil for not at all.
	Equations *Equations
	// Until is when a search is to end; the zero time is never. Trying takes half of it where
	// there are equations.
	Until time.Time

	kept *calls.Aimer // see Keep
}

// Tries is what one search came to.
type Tries struct {
	Taken bool
	Runs  int           // executions
	Took  time.Duration // in the test process, once that runs
	Why   string        // the goal was not taken
	// Infeasible says that no input takes the goal: package symbolic looked at every path of
	// the function that has it.
	Infeasible bool
	// Limit says what there were no equations for, where they were asked and did not help.
	Limit string
}

// Taken are sequences that take goals, by branch.
type Taken map[int][]calls.Took

// Search searches for sequences that take a goal; what takes one of later on the way
// counts. All are put into taken.
func (s *Searcher) Search(ctx context.Context, g Goal, later []Goal, taken Taken) (Tries, error) {
	var out Tries
	toward, ok := s.Flow.Ahead(g.ahead())
	if !ok {
		// Without a graph, everything that is executed is as near as anything else.
		ways := [2]int{-1, -1}
		if g.Outcome {
			ways[1] = 0
		} else if !g.Arm {
			ways[0] = 0
		}
		toward.Outcomes = map[load.Place][2]int{g.Place: ways}
	}
	q := wire.Aim{Goals: []int{g.branch}, Ahead: map[int][2]int{}, Seed: uint64(s.Env.Seed), Witnesses: s.Witnesses, Seeds: s.Seeds}
	for _, x := range later {
		if taken[x.branch] == nil {
			q.Goals = append(q.Goals, x.branch)
		}
	}
	for _, c := range s.Version.Program.Conditions {
		if ways, ok := toward.Outcomes[c.Place]; ok {
			q.Ahead[c.Index] = ways
		}
	}
	var lastly calls.Aimed
	phases := s.phases(toward, ok)
	over := s.tryingUntil()
	for n, ops := range phases {
		if over() {
			break
		}
		q.Ops, q.Most = ops, (s.Most-out.Runs)/(len(phases)-n)
		aimed, err := s.run(ctx, &out, q, taken, n == 0 && len(phases) > 1, over)
		out.Runs += aimed.Runs
		if err != nil {
			return out, err
		}
		lastly = aimed
		if taken[g.branch] != nil {
			out.Taken = true
			return out, nil
		}
	}
	out.Why = s.why(lastly, len(phases))
	if over() {
		out.Why = "the time was over"
	}
	var ops []wire.Op
	if len(phases) > 0 {
		ops = phases[len(phases)-1] // all of them
	}
	err := s.equations(ctx, &out, g, q, ops, taken)
	return out, err
}

// tryingUntil returns what reports whether the time for trying is over. Half of it is left
// to equations.
func (s *Searcher) tryingUntil() func() bool {
	if s.Until.IsZero() {
		return func() bool { return false }
	}
	end := s.Until
	if s.Equations != nil {
		end = s.Env.Now().Add(s.Env.Until(s.Until) / 2)
	}
	return func() bool { return s.Env.Past(end) }
}

// Keep starts a process that makes all searches, until Close: starting one for each takes
// longer than many a goal. roles are those of operations for all goals.
func (s *Searcher) Keep(ctx context.Context, roles map[wire.Op]wire.Role) error {
	s.kept = calls.NewAimer(s.Env.Lab, s.Binary, s.API.Literals, roles, s.excluded(s.ExportedOnly), uint64(s.Env.Seed))
	return s.kept.Open(ctx)
}

// Close ends the process that Keep started.
func (s *Searcher) Close() {
	if s.kept != nil {
		s.kept.Close()
		s.kept = nil
	}
}

// excluded are operations that are not called.
func (s *Searcher) excluded(exportedOnly bool) []wire.Op {
	out := slices.Clone(s.Exclude)
	if exportedOnly {
		for n, o := range s.API.All() {
			if !o.Exported {
				out = append(out, n)
			}
		}
	}
	return out
}

// phases are the operations to call: exported functions that lead to the goal, then all
// that do, the nearest first.
func (s *Searcher) phases(toward isomorph.Toward, known bool) [][]wire.Op {
	type near struct {
		op    wire.Op
		ahead int
	}
	var all []near
	exported := false
	for n, o := range s.API.All() {
		if o.Variable || slices.Contains(s.Exclude, n) || s.ExportedOnly && !o.Exported {
			continue
		}
		ahead, leads := toward.Entries[o.At[s.Version.Side]]
		for _, name := range o.Dynamic {
			for _, p := range s.API.All() {
				if k, ok := toward.Entries[p.At[s.Version.Side]]; ok && p.Name == name && (!leads || k < ahead) {
					ahead, leads = k, true
				}
			}
		}
		if leads || !known {
			all = append(all, near{n, ahead})
			exported = exported || o.Exported
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.ahead, b.ahead) })
	var first, second []wire.Op
	for _, x := range all {
		if s.API.Op(x.op).Exported {
			first = append(first, x.op)
		}
		second = append(second, x.op)
	}
	switch {
	case len(second) == 0:
		return nil
	case !exported || len(first) == len(second):
		return [][]wire.Op{second}
	}
	return [][]wire.Op{first, second}
}

// run makes one search, in a process of its own where none is kept.
func (s *Searcher) run(ctx context.Context, out *Tries, q wire.Aim, taken Taken, exportedOnly bool, over func() bool) (calls.Aimed, error) {
	a := s.kept
	if a == nil {
		roles := map[wire.Op]wire.Role{}
		for _, op := range q.Ops {
			roles[op] = wire.Changed
		}
		a = calls.NewAimer(s.Env.Lab, s.Binary, s.API.Literals, roles, s.excluded(exportedOnly), uint64(s.Env.Seed))
		defer a.Close()
	}
	if err := a.Open(ctx); err != nil {
		return calls.Aimed{}, err
	}
	a.Over = over
	deaths := a.Deaths
	begin := s.Env.Now()
	aimed, err := a.Take(ctx, q)
	out.Took += s.Env.Now().Sub(begin)
	for _, t := range aimed.Taken {
		taken[t.Goal] = append(taken[t.Goal], t)
	}
	if n := a.Deaths - deaths; n > 0 && aimed.Failed == "" {
		aimed.Failed = fmt.Sprintf("%d inputs ended the process, the last one with: %s", n, a.Ended)
	}
	return aimed, err
}

// why says in words why a goal was not taken.
func (s *Searcher) why(aimed calls.Aimed, phases int) string {
	var parts []string
	switch n := aimed.Nearest; {
	case phases == 0:
		parts = append(parts, "no function that can be called from a test of the package leads there")
	case n == nil:
		parts = append(parts, "no input came as far as a condition that leads there")
	default:
		c := s.Version.Program.Conditions[n.Condition]
		text := fmt.Sprintf("the nearest inputs part from the way at %s:%d, where %s is %t", c.File, c.Line, c.Text, n.Outcome)
		if n.Operands != "" {
			text += " (" + n.Operands + ")"
		}
		parts = append(parts, text)
	}
	if aimed.Failed != "" {
		parts = append(parts, aimed.Failed)
	}
	return strings.Join(parts, "; ")
}

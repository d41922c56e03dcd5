package runner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// placed is a difference seen in place.
type placed struct {
	test *test
	ban  []uint64
	calls.InPlaceDifference
}

// spot of a function: a component, or -1 for how the call ended.
type hookSpot struct{ hook, component int }

const (
	placeCalls    = 6000 // in one iteration of a test
	perHookSpot   = 3    // differences looked at for each function and component
	placeAttempts = 4    // iterations of a test whose process a call has ended
)

// amplify lets the tests that execute the change run once more on both
// versions, with further calls at the entries of functions that show it, on
// changed copies of what the tests gave them.
func (c *comparison) amplify(ctx context.Context, until time.Time) error {
	targets, ban := c.placeTargets()
	if len(targets) == 0 {
		return nil
	}
	var tests []*test
	for _, s := range c.suites {
		for _, t := range s.tests {
			if t.state.usable && t.state.reaches && t.pristine == "" {
				tests = append(tests, t)
			}
		}
	}
	slices.SortStableFunc(tests, func(a, b *test) int { return cmp.Compare(a.state.fuel, b.state.fuel) })
	seen := map[hookSpot][]placed{}
	var order []hookSpot
	done := 0
	for _, t := range tests {
		if time.Now().After(until) {
			c.limit(event.Limit{Kind: "budget", What: "calls in place", Reason: fmt.Sprintf("%d of %d tests were over when their time was", done, len(tests))})
			break
		}
		done++
		c.progress("reach", t.Name+": further calls where the test makes one", done, len(tests))
		found, err := c.amplifyTest(ctx, t, ban, until)
		if err != nil {
			return err
		}
		for _, d := range found {
			for _, comp := range placesOf(d) {
				at := hookSpot{d.Hook, comp}
				if seen[at] == nil {
					order = append(order, at)
				}
				if len(seen[at]) < perHookSpot {
					seen[at] = append(seen[at], d)
				}
			}
		}
	}
	for _, at := range order {
		for _, d := range seen[at] {
			if c.opt.Budget > 0 && time.Now().After(until.Add(grace)) {
				c.sum.NotConfirmed++
				break
			}
			ok, err := c.confirmPlaced(ctx, d, at.component)
			if err != nil {
				return err
			}
			if ok {
				break
			}
			c.sum.Unconfirmed++
		}
	}
	return nil
}

func placesOf(d placed) []int {
	if d.Base != d.Head {
		return []int{-1}
	}
	return d.Components[:1]
}

// placeTargets are the hooks of exported functions that show the change, and
// the keys that keep the others quiet.
func (c *comparison) placeTargets() (map[int]calls.Op, []uint64) {
	targets := map[int]calls.Op{}
	for _, p := range c.calls.callers {
		for i, op := range c.api(p.suite, p.pkg).Ops {
			if role := p.roles[i+harness.Builtins]; role >= harness.Caller && op.Exported && op.Hook() >= 0 {
				targets[op.Hook()] = op
			}
		}
	}
	var ban []uint64
	for hook := range c.hooks.Names {
		if _, ok := targets[hook]; !ok {
			ban = append(ban, harness.HookKey(hook))
		}
	}
	return targets, ban
}

// amplifyTest runs one test with further calls on both versions.
func (c *comparison) amplifyTest(ctx context.Context, t *test, ban []uint64, until time.Time) ([]placed, error) {
	own := slices.Clone(ban)
	for range placeAttempts {
		command := execute.Command{Fuel: maxBaselineFuel, Watch: "amplify", Seed: uint64(c.opt.Seed), Most: placeCalls, Ban: own}
		var results [2]execute.Result
		var made [2][]harness.Call
		g, gctx := errgroup.WithContext(ctx)
		for i, v := range []*version{c.base, c.head} {
			g.Go(func() (err error) {
				s := c.session(t, v)
				defer s.Close()
				s.Limit = max(2*time.Second, min(15*time.Second, time.Until(until)))
				results[i], err = s.Do(gctx, command)
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		again := false
		for _, r := range results {
			if r.Key != 0 && (r.Outcome == event.Died || r.Outcome == event.Hung) {
				own = append(own, r.Key)
				again = true
			}
		}
		if again && time.Now().Before(until) {
			continue
		}
		for i, r := range results {
			list, _, err := harness.DecodeCalls(r.Extra)
			if err != nil || len(r.Extra) == 0 {
				return nil, nil // the test did not come to its end
			}
			made[i] = list
		}
		c.calls.placed += min(len(made[0]), len(made[1]))
		var out []placed
		for _, d := range calls.CompareCalls(made[0], made[1], func(int, int) bool { return false }) {
			out = append(out, placed{t, own, d})
		}
		return out, nil
	}
	return nil, nil
}

// confirmPlaced makes one call again in fresh processes. If its arguments can
// be written down, a program stands for it, which is shrunk and confirmed like
// any other; else the finding names the test and the mutation.
func (c *comparison) confirmPlaced(ctx context.Context, d placed, component int) (bool, error) {
	var first [2]harness.Explained
	for n := range c.opt.Repetitions {
		now, ok, err := c.explainPlaced(ctx, d)
		if err != nil || !ok {
			return false, err
		}
		if n == 0 {
			first = now
			args, whole, err := now[0].Literals()
			if err == nil && whole {
				if handed, err := c.handOver(ctx, d, args); handed || err != nil {
					return handed, err
				}
			}
		}
		for i := range now {
			if answerText(now[i], component) != answerText(first[i], component) || now[i].Ending != first[i].Ending {
				return false, nil
			}
		}
	}
	if answerText(first[0], component) == answerText(first[1], component) && first[0].Ending == first[1].Ending {
		return false, nil // what differs cannot be shown
	}
	f, ok := c.placedFinding(d, component, first)
	if ok {
		c.findings = append(c.findings, f)
	}
	return ok, nil
}

func (c *comparison) explainPlaced(ctx context.Context, d placed) (out [2]harness.Explained, ok bool, err error) {
	found := [2]bool{}
	g, gctx := errgroup.WithContext(ctx)
	for i, v := range []*version{c.base, c.head} {
		g.Go(func() error {
			s := c.session(d.test, v)
			defer s.Close()
			s.Limit = 15 * time.Second
			r, err := s.Do(gctx, execute.Command{Fuel: maxBaselineFuel, Watch: "explain", Seed: uint64(c.opt.Seed),
				Most: placeCalls, Ban: d.ban, Keys: []uint64{d.Key}})
			if err != nil {
				return err
			}
			list, err := harness.DecodeExplained(r.Extra)
			if err != nil {
				return nil // the test did not come to its end
			}
			for _, e := range list {
				if e.Key == d.Key && e.Hook == d.Hook {
					out[i], found[i] = e, true
					break
				}
			}
			return nil
		})
	}
	err = g.Wait()
	return out, found[0] && found[1], err
}

// handOver returns a call whose arguments are plain to the campaign of its
// package.
func (c *comparison) handOver(ctx context.Context, d placed, args []harness.Lit) (bool, error) {
	for _, p := range c.calls.callers {
		if p.campaign == nil || p.campaign.Ops == nil {
			continue
		}
		op, ok := c.api(p.suite, p.pkg).Hooked(d.Hook, len(args))
		if !ok {
			continue
		}
		x, err := p.campaign.Try(ctx, harness.Program{{Op: op, Args: args}}, c.opt.Repetitions, c.timeAfter(time.Now()))
		if err != nil {
			return false, err
		}
		c.book(p, x)
		return len(x.Found) > 0 || x.Known, nil
	}
	return false, nil
}

func answerText(e harness.Explained, component int) string {
	if component < 0 {
		return e.Message
	}
	if component < len(e.Output) {
		return e.Output[component].Text
	}
	return ""
}

// placedFinding puts a difference in place into words.
func (c *comparison) placedFinding(d placed, component int, e [2]harness.Explained) (event.Finding, bool) {
	targets, _ := c.placeTargets()
	op, ok := targets[d.Hook]
	if !ok {
		return event.Finding{}, false
	}
	f := event.Finding{Type: "finding", Rung: event.Reached, Suite: d.test.suite.name, Package: d.test.Package, Test: d.test.Source,
		Function: op.Name, File: op.File, Line: op.Line, Exported: op.Exported, Origin: "in-place",
		Negations: []event.Negation{}, Changed: []string{}, Entry: fmt.Sprintf("%016x", d.Key), Mutation: d.Mutation,
		Component: "panic"}
	var input []string
	for _, a := range e[0].Input {
		input = append(input, a.Text)
	}
	f.Input = placedCall(op.Name, input)
	f.Base, f.Head = c.placedResult(e[0], component), c.placedResult(e[1], component)
	switch {
	case component < 0 && e[1].Ending != probe.Returned && e[0].Ending == probe.Returned:
		f.Kind = event.KindPanic
	case component < 0 && e[0].Ending != probe.Returned && e[1].Ending == probe.Returned:
		f.Kind = event.KindErrorToValue
	case component < 0:
		return f, false // both ended badly: how is no behaviour
	default:
		b, h := e[0].Output[component], e[1].Output[component]
		f.Component = op.ComponentName(component)
		f.Kind = diff.ValueKind(placedText(b), placedText(h))
	}
	for _, m := range c.match.Changed {
		if m.Name == op.Name {
			f.Changed = []string{m.Name}
		}
	}
	f.ID = diff.ID(f)
	return f, true
}

func placedText(v harness.ValueAnswer) execute.Text {
	t := execute.Text{Category: 'v', Value: v.Text}
	if v.Category != "" {
		t.Category = v.Category[0]
	}
	return t
}

// placedCall writes a call with rendered arguments: they cannot be written in
// Go, or a program would stand for it.
func placedCall(name string, args []string) string {
	if i := strings.LastIndex(name, ")."); i > 0 && len(args) > 0 {
		return "(" + args[0] + ")" + name[i+1:] + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func (c *comparison) placedResult(e harness.Explained, component int) event.Result {
	r := shown(calls.Shown{Ending: e.Ending, Message: e.Message})
	if component >= 0 && component < len(e.Output) {
		r.Value = e.Output[component].Text
	}
	return r
}

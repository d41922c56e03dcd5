package reach

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
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

// confirmPlaced makes one call again in fresh processes. If its arguments can
// be written down, a sequence stands for it, which is shrunk and confirmed like
// any other; else the finding names the test and the mutation. It is false where that
// is no finding, and true also where there was no time to find out, which is counted: a
// test may take seconds each time.
func (s *Stage) confirmPlaced(ctx context.Context, d placed, component int, targets map[int]surface.Operation, inTime func() bool) (bool, error) {
	var first version.Both[wire.Explained]
	for n := range s.Env.Repetitions {
		if !inTime() {
			s.placesLeft++
			return true, nil
		}
		now, ok, err := s.explain(ctx, d, n)
		if err != nil || !ok {
			return false, err
		}
		if n == 0 {
			first = now
			component = telling(component, now)
			lives := now[survivor(now)]
			d.Mutation = lives.Mutation
			args, whole, err := lives.Literals()
			if err == nil && component < 0 && d.Mutation > 0 && calls.GivesNil(targets[d.Hook], args) {
				return false, errImplausible
			}
			if err == nil && whole && d.Mutation != wire.Again {
				if handed, err := s.handOver(ctx, d, args); handed || err != nil {
					return handed, err
				}
			}
		}
		for side := range now {
			if !sameAnswer(now[side], first[side], component) {
				return false, nil
			}
		}
	}
	if sameAnswer(first[version.Base], first[version.Head], component) || waitsForCaller(first) {
		return false, nil // what differs cannot be shown
	}
	op, known := targets[d.Hook]
	if !known {
		return false, nil
	}
	f, ok := s.placedFinding(d, op, component, first)
	if ok && !slices.ContainsFunc(s.Findings, func(g event.Finding) bool { return g.ID == f.ID }) {
		s.Findings = append(s.Findings, f)
		s.Env.Found(f)
	}
	return ok, nil
}

// errImplausible says that a call ended badly on an argument that nobody would give: it
// was changed to nil.
var errImplausible = errors.New("nil where a value is expected")

// explain makes one call in place again, in a fresh process of each version in which values are
// moved in memory; ok is false where a test did not come to it.
func (s *Stage) explain(ctx context.Context, d placed, moved int) (out version.Both[wire.Explained], ok bool, err error) {
	var found version.Both[bool]
	g, gctx := errgroup.WithContext(ctx)
	for _, side := range version.Sides {
		g.Go(func() error {
			process := d.test.Session(s.Env.Lab, side)
			defer process.Close()
			process.Within(s.explaining())
			r, err := process.Do(gctx, execute.Command{Fuel: baseline.MaxFuel, Watch: wire.ModeExplain, Seed: uint64(s.Env.Seed),
				Most: maxPlaced, Ban: d.ban, Keys: []uint64{d.Key}, Moved: moved})
			if err != nil {
				return err
			}
			if r.Outcome == event.Died && r.Verdict != "" && r.Key == d.Key && r.Hook == d.Hook {
				out[side], found[side] = wire.Explained{Hook: d.Hook, Key: d.Key, Ending: probe.Died, Message: r.Verdict}, true
				return nil
			}
			list, err := wire.DecodeExplained(r.Extra)
			if err != nil {
				return nil // the test did not come to its end
			}
			for _, e := range list {
				if e.Key == d.Key && e.Hook == d.Hook {
					out[side], found[side] = e, true
					break
				}
			}
			return nil
		})
	}
	err = g.Wait()
	return out, found[version.Base] && found[version.Head], err
}

// survivor is the version whose process tells of a call: base, where it did not end in it.
func survivor(e version.Both[wire.Explained]) version.Side {
	if e[version.Base].Ending == probe.Died {
		return version.Head
	}
	return version.Base
}

// waitsForCaller reports whether a version waits for ever for a mutex that its caller
// holds. A call of our own has no such caller.
func waitsForCaller(e version.Both[wire.Explained]) bool {
	lives := survivor(e)
	return e[lives].Held && e[lives.Other()].Ending == probe.Died
}

// explaining bounds one execution of a test that explains a call. None goes on for
// long after all has to be confirmed.
func (s *Stage) explaining() time.Duration {
	return max(minPlacing, min(maxPlacing, s.Env.Until(s.Env.Plan.LastConfirmation())))
}

// handOver hands a call whose arguments are plain to the search of its package.
func (s *Stage) handOver(ctx context.Context, d placed, args []wire.Lit) (bool, error) {
	for _, p := range s.Packages {
		if p.Search == nil || p.Search.Ops == nil {
			continue
		}
		op, ok := p.API.Hooked(d.Hook, len(args))
		if !ok {
			continue
		}
		x, err := p.Search.Try(ctx, wire.Sequence{{Op: op, Args: args}}, s.Env.Repetitions, s.Time(s.Env.Now()))
		if err != nil {
			return false, err
		}
		s.take(p, x)
		return len(x.Found) > 0 || x.Known, nil
	}
	return false, nil
}

// telling is the component that tells what became of a call: an error that one version alone gives
// says more than the zero value that came with it.
func telling(component int, e version.Both[wire.Explained]) int {
	base, head := e[version.Base].Output, e[version.Head].Output
	if component < 0 {
		return component
	}
	for i := range min(len(base), len(head)) {
		if (base[i].Category == "e") != (head[i].Category == "e") {
			return i
		}
	}
	return component
}

func sameAnswer(a, b wire.Explained, component int) bool {
	return a.Ending == b.Ending && answerText(a, component) == answerText(b, component)
}

func answerText(e wire.Explained, component int) string {
	if component < 0 {
		return e.Message
	}
	if component < len(e.Output) {
		return e.Output[component].Text
	}
	return ""
}

// placedFinding makes a finding of a difference in place. It is false where both calls
// ended badly: how they ended is no behaviour.
func (s *Stage) placedFinding(d placed, op surface.Operation, component int, e version.Both[wire.Explained]) (event.Finding, bool) {
	base, head := e[version.Base], e[version.Head]
	f := event.Finding{Type: "finding", Rung: event.Reached, Suite: d.test.Suite.Side.String(), Package: d.test.Package, Test: d.test.Source,
		Function: op.Name, File: op.At[version.Head].File, Line: op.Line, Exported: op.Exported, Origin: event.OriginInPlace,
		Negations: []event.Negation{}, Changed: []string{}, Entry: fmt.Sprintf("%016x", d.Key), Component: event.ComponentPanic}
	var input []string
	lives := e[survivor(e)]
	for _, a := range lives.Input {
		input = append(input, a.Text)
	}
	f.Input = placedCall(op.Name, input)
	if d.Mutation == wire.Again {
		f.Again, f.Input = true, f.Input+"\n"+f.Input
	} else {
		f.Mutation = d.Mutation
	}
	f.Base, f.Head = placedResult(base, component), placedResult(head, component)
	switch {
	case component < 0 && head.Ending != probe.Returned && base.Ending == probe.Returned:
		f.Kind = event.KindPanic
	case component < 0 && base.Ending != probe.Returned && head.Ending == probe.Returned:
		f.Kind = event.KindErrorToValue
	case component < 0:
		return f, false
	default:
		f.Component = op.ComponentName(component)
		f.Kind = diff.ValueKind(placedText(base, component), placedText(head, component))
	}
	f.Random = base.Drew && head.Drew
	entered := append(slices.Clone(base.Entered), head.Entered...)
	slices.Sort(entered)
	f.Changed = s.Matching.Entered(slices.Compact(entered))
	for k, leaves := range lives.Given {
		for _, l := range leaves[:min(len(leaves), event.MaxGiven-len(f.Given))] {
			f.Given = append(f.Given, event.Part{Path: calls.PartOf(op.Argument(k), l.Path), Value: l.Text})
		}
	}
	if component >= 0 && component < min(len(base.Leaves), len(head.Leaves)) {
		f.Differs = calls.PartsThatDiffer(calls.Variable(f.Component), base.Leaves[component], head.Leaves[component])
		f.Printed = calls.PrintedOtherwise(base.Leaves[component], head.Leaves[component])
	}
	f.ID = diff.ID(f)
	return f, true
}

// placedText is what a call in place gave there. A version may give nothing: what is printed is a component only where
// there is some.
func placedText(e wire.Explained, component int) outcome.Text {
	if component >= len(e.Output) {
		return outcome.Text{Category: 'v'}
	}
	v := e.Output[component]
	t := outcome.Text{Category: 'v', Value: v.Text}
	if v.Category != "" {
		t.Category = v.Category[0]
	}
	return t
}

// placedCall writes a call with rendered arguments: they cannot be written in
// Go, or a sequence would stand for it.
func placedCall(name string, args []string) string {
	if i := strings.LastIndex(name, ")."); i > 0 && len(args) > 0 {
		return "(" + args[0] + ")" + name[i+1:] + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func placedResult(e wire.Explained, component int) event.Result {
	r := Shown(calls.Shown{Ending: e.Ending, Message: e.Message})
	if component >= 0 && component < len(e.Output) {
		r.Value = e.Output[component].Text
	}
	return r
}

// Repeated is a recorded finding, run again.
type Repeated struct {
	Base, Head event.Result
	Changed    []string          // functions of Δ that ran; nil if it was not seen
	Same       version.Both[int] // repetitions that did what was recorded, or what the first did
	Confirmed  bool
}

// Repeat runs the calls of a recorded finding again.
func (s *Stage) Repeat(ctx context.Context, p *Package, sequence wire.Sequence) (Repeated, error) {
	if err := s.Start(ctx, p); err != nil {
		return Repeated{}, err
	}
	defer p.Search.Close()
	d, same, err := p.Search.Again(ctx, sequence, s.Env.Repetitions)
	if err != nil {
		return Repeated{}, err
	}
	out := Repeated{Same: version.Both[int]{same, same}, Confirmed: same == s.Env.Repetitions}
	if same > 0 {
		out.Base, out.Head, out.Changed = Shown(d.Base), Shown(d.Head), s.Matching.Entered(d.Entered)
	}
	return out, nil
}

// RepeatPlaced lets a recorded finding's test run again, with the call at the entry
// that the finding names.
func (s *Stage) RepeatPlaced(ctx context.Context, t *baseline.Test, f event.Finding) (Repeated, error) {
	key, err := strconv.ParseUint(f.Entry, 16, 64)
	if err != nil {
		return Repeated{}, fmt.Errorf("%q is no entry", f.Entry)
	}
	for _, p := range s.Packages {
		p.Roles = s.Surface.Roles(p.API)
	}
	targets, ban := s.placeTargets()
	hook := s.Surface.Hooks.Number(f.Function)
	d := placed{test: t, ban: ban, InPlaceDifference: calls.InPlaceDifference{Hook: hook, Key: key}}
	var out Repeated
	for n := range s.Env.Repetitions {
		now, ok, err := s.explain(ctx, d, n)
		if err != nil {
			return Repeated{}, err
		}
		if !ok {
			continue
		}
		component := -1
		for i := range now[version.Base].Output {
			if op := targets[hook]; op.ComponentName(i) == f.Component {
				component = i
			}
		}
		if placedResult(now[version.Base], component) == f.Base {
			out.Same[version.Base]++
		}
		if placedResult(now[version.Head], component) == f.Head {
			out.Same[version.Head]++
		}
	}
	out.Confirmed = out.Same == version.Both[int]{s.Env.Repetitions, s.Env.Repetitions}
	return out, nil
}

package runner

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// callBook books what calls of our own did.
type callBook struct {
	callers []*caller
	specs   map[string]callSpec // by finding
	// branches that a finding's input takes, on base and on head.
	branches map[string][2][]int
	seconds  float64 // of making calls, examining left out
	placed   int     // calls made in place, compared
}

// caller is a package whose test binaries make calls.
type caller struct {
	suite    *suite
	pkg      string
	away     int // imports between it and the change
	campaign *calls.Campaign
	roles    map[int]harness.Role
	spent    bool // nothing new came for long
}

// makeCalls calls functions of both versions with inputs of our own, in the
// packages of Δ first and then in those that import them, and takes half of
// what is left of the budget.
func (c *comparison) makeCalls(ctx context.Context) error {
	if c.hooks == nil {
		return nil
	}
	start := time.Now()
	defer func() { c.sum.ReachedSeconds += time.Since(start).Seconds() }()
	c.calls.callers, c.calls.specs = c.callers(), map[string]callSpec{}
	c.calls.branches = map[string][2][]int{}
	defer func() {
		if len(c.calls.specs) > 0 {
			c.reserve = c.opt.Budget / reserved
		}
	}()
	left := 20 * time.Minute
	if c.opt.Budget > 0 {
		// A build that took nearly all of the budget must not leave nothing.
		left = max(c.timeLeft()*callShare/100, c.opt.Budget/8)
	}
	// Calls in place come last: they need to know the targets, and what they
	// find is handed to the package that can make the call without the test.
	if err := c.callAll(ctx, c.calls.callers, start.Add(left*(100-placeShare)/100)); err != nil {
		return err
	}
	return c.amplify(ctx, start.Add(left))
}

// placeShare is the part of the time for calls that is kept for calls in
// place, in percent.
const placeShare = 25

// callShare is the part of what is left of the budget, in percent, that calls
// take before branches are negated.
const callShare = 60

// reserved: so much of the budget, one in so many parts, is kept for what comes
// after calls that found something.
const reserved = 10

// makeMoreCalls goes on making calls in the time that negation has left over.
func (c *comparison) makeMoreCalls(ctx context.Context) error {
	list := slices.DeleteFunc(slices.Clone(c.calls.callers), func(p *caller) bool { return p.spent || p.campaign == nil })
	if c.opt.Budget <= 0 || len(list) == 0 || c.timeLeft() < time.Second {
		return nil
	}
	start := time.Now()
	defer func() { c.sum.ReachedSeconds += time.Since(start).Seconds() }()
	// What is found now wants to be confirmed, too.
	return c.callAll(ctx, list, start.Add(c.timeLeft()*85/100))
}

func (c *comparison) callAll(ctx context.Context, list []*caller, until time.Time) error {
	for i, p := range list {
		weights := 0
		for _, q := range list[i:] {
			weights += q.weight()
		}
		slice := time.Until(until) * time.Duration(p.weight()) / time.Duration(weights)
		if c.opt.Budget > 0 && slice < 300*time.Millisecond {
			c.limit(event.Limit{Kind: "budget", What: p.pkg, Reason: "the budget ended before its functions were called"})
			continue
		}
		err := c.call(ctx, p, time.Now().Add(slice))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			p.spent = true
			c.limit(event.Limit{Kind: "calls", What: p.pkg, Reason: "calls of our own ended early: " + err.Error()})
		}
	}
	return nil
}

func (p *caller) weight() int { return max(1, 4-2*p.away) }

// maxCallers bounds the packages in which calls are made.
const maxCallers = 6

// callers are the packages with a binary that can make calls, the nearest to
// the change first; head's suite where there is one.
func (c *comparison) callers() []*caller {
	affected := c.affected()
	var out []*caller
	seen := map[string]bool{}
	for _, s := range c.suites {
		for _, pkg := range s.packages {
			if seen[pkg] || !s.built[pkg] || c.api(s, pkg) == nil {
				continue
			}
			seen[pkg] = true
			out = append(out, &caller{suite: s, pkg: pkg, away: affected[pkg]})
		}
	}
	slices.SortStableFunc(out, func(a, b *caller) int { return cmp.Compare(a.away, b.away) })
	if len(out) > maxCallers {
		for _, p := range out[maxCallers:] {
			c.limit(event.Limit{Kind: "calls", What: p.pkg, Reason: fmt.Sprintf("no calls of our own: %d packages are nearer to the change", maxCallers)})
		}
		out = out[:maxCallers]
	}
	return out
}

// call makes calls in one package until its time is over.
func (c *comparison) call(ctx context.Context, p *caller, until time.Time) error {
	begin := time.Now()
	if err := c.openCaller(ctx, p); err != nil {
		return err
	}
	defer p.campaign.Close()
	examine := begin.Add(until.Sub(begin) * 4 / 10)
	for round := 0; round < maxRounded; round++ {
		if c.opt.MaxSequences > 0 && p.campaign.Programs >= c.opt.MaxSequences {
			break
		}
		now := time.Now()
		if now.After(until) {
			break
		}
		c.progress("reach", fmt.Sprintf("%s: %d sequences on both versions", path.Base(p.pkg), p.campaign.Programs), 0, 0)
		more, err := p.campaign.Round(ctx)
		if err != nil {
			return errors.Join(err, c.examine(ctx, p, until))
		}
		if !more {
			p.spent = true
			break
		}
		if now.After(examine) {
			c.calls.seconds += time.Since(begin).Seconds()
			if err := c.examine(ctx, p, until); err != nil {
				return err
			}
			if err := p.campaign.Reset(ctx); err != nil {
				return err
			}
			begin, examine = time.Now(), until.Add(time.Hour)
		}
	}
	c.calls.seconds += time.Since(begin).Seconds()
	return c.examine(ctx, p, until)
}

// openCaller prepares calls in a package: starts the processes, and runs what the
// tests called.
func (c *comparison) openCaller(ctx context.Context, p *caller) error {
	if p.campaign != nil {
		return p.campaign.Open(ctx)
	}
	api := c.api(p.suite, p.pkg)
	p.roles = c.rolesOf(api)
	target := func(v *version) execute.Target {
		return execute.Target{Binary: c.binary(p.suite, v, p.pkg), Dir: p.suite.dirOf(p.pkg)}
	}
	if api.Cut {
		c.limit(event.Limit{Kind: "calls", What: p.pkg, Reason: fmt.Sprintf("it offers more than %d functions; the rest is not called", calls.MaxOps)})
	}
	p.campaign = calls.NewCampaign(c.lab, target(c.base), target(c.head), api, api.Literals, p.roles, uint64(c.opt.Seed))
	p.campaign.Repeatable = c.opt.MaxSequences > 0
	if err := p.campaign.Open(ctx); err != nil {
		return err
	}
	return p.campaign.Seed(ctx, c.recipes(api))
}

// maxRounded bounds the rounds in one package.
const maxRounded = 5000

// rolesOf says how closely each operation shows the change.
func (c *comparison) rolesOf(api *calls.API) map[int]harness.Role {
	changed := map[string]bool{}
	anyInit := false
	for _, f := range c.match.Changed {
		changed[f.Name] = true
		anyInit = anyInit || f.Init
	}
	base, head := c.reaches()
	roles := map[int]harness.Role{}
	if c.relationsOnly {
		for i, op := range api.Ops {
			if op.Exported && op.Package == api.Package {
				roles[i+harness.Builtins] = harness.Changed
			}
		}
		return roles
	}
	builds := map[string]bool{} // types that changed functions have to do with
	for i, op := range api.Ops {
		if changed[op.Name] {
			roles[i+harness.Builtins] = harness.Changed
			for _, t := range op.Types() {
				builds[t] = true
			}
		}
	}
	for i, op := range api.Ops {
		at := i + harness.Builtins
		if _, ok := roles[at]; ok || op.Variable || op.Offset < 0 {
			continue
		}
		_, b := base.Distance(isomorph.Location{File: op.BaseFile, Offset: op.BaseAt})
		_, h := head.Distance(isomorph.Location{File: op.File, Offset: op.Offset})
		if b || h {
			roles[at] = harness.Caller
			for _, t := range op.Results() {
				builds[t] = true
			}
		}
	}
	// A method of an interface shows what the methods behind it show.
	byName := map[string]harness.Role{}
	for i, op := range api.Ops {
		byName[op.Name] = roles[i+harness.Builtins]
	}
	for i, op := range api.Ops {
		for _, name := range op.Dynamic {
			if r := max(byName[name], roles[i+harness.Builtins]); r >= harness.Caller {
				roles[i+harness.Builtins] = r
				for _, t := range op.Params() {
					builds[t] = true
				}
			}
		}
	}
	for i, op := range api.Ops {
		at := i + harness.Builtins
		if _, ok := roles[at]; ok || op.Variable {
			continue
		}
		if anyInit && op.Offset >= 0 {
			roles[at] = harness.Consumer
		}
		for _, t := range op.Params() {
			if builds[t] {
				roles[at] = harness.Consumer
			}
		}
	}
	return roles
}

// recipes are the calls that tests made, as programs with holes.
func (c *comparison) recipes(api *calls.API) []harness.Program {
	var out []harness.Program
	for _, s := range c.suites {
		for _, t := range s.tests {
			if len(t.state.recorded) > 0 {
				out = append(out, api.Recipes(t.state.recorded)...)
			}
		}
	}
	return out
}

// examine confirms what was sighted and makes findings of it.
func (c *comparison) examine(ctx context.Context, p *caller, until time.Time) error {
	x, err := p.campaign.Examine(ctx, c.opt.Repetitions, c.timeAfter(until))
	c.book(p, x)
	return err
}

// timeAfter reports whether there is time to examine what was sighted: some
// seconds beyond a time, but hardly beyond the budget. As long as nothing is
// found there always are a few, since what was seen and not confirmed is worth
// nothing to anybody.
func (c *comparison) timeAfter(until time.Time) func() bool {
	end := time.Now().Add(max(time.Until(until), 0) + 8*time.Second)
	if last := c.started.Add(c.opt.Budget + 3*time.Second); c.opt.Budget > 0 && end.After(last) {
		end = last
	}
	if least := time.Now().Add(5 * time.Second); len(c.findings) == 0 && end.Before(least) {
		end = least
	}
	return func() bool { return time.Now().Before(end) }
}

// book takes in what an examination found.
func (c *comparison) book(p *caller, x calls.Examination) {
	c.sum.Unconfirmed += x.Unconfirmed
	c.sum.NotConfirmed += x.Left
	c.sum.Implausible += x.Implausible
	c.sum.UnexportedOnly += x.Unexported
	for _, d := range x.Found {
		f := c.reached(p, d)
		c.findings = append(c.findings, f)
		c.calls.specs[f.ID] = c.testSpec(p, f, d)
		c.calls.branches[f.ID] = d.Branches
	}
}

// reached puts a confirmed difference into words.
func (c *comparison) reached(p *caller, d calls.Difference) event.Finding {
	f := event.Finding{Type: "finding", Rung: event.Reached, Package: p.pkg, Kind: d.Kind, Negations: []event.Negation{},
		Changed: []string{}, Function: d.Op, Component: d.Component, Exported: d.Exported, Origin: "sequence",
		Input:   inputText(p, d),
		Program: hex.EncodeToString(d.Program.Encode(nil))}
	if len(d.Program) == 1 {
		f.Origin = "plain"
	}
	if len(f.Program) > event.MaxProgram {
		f.Program = ""
	}
	for _, op := range c.api(p.suite, p.pkg).Ops {
		if op.Name == d.Op || f.File == "" && slices.Contains(c.dynamicOf(p, d.Op), op.Name) {
			f.File, f.Line = op.File, op.Line
		}
	}
	f.Changed = c.changedOf(d)
	f.Base, f.Head = shown(d.Base), shown(d.Head)
	f.ID = diff.ID(f)
	return f
}

// dynamicOf names the methods that a call of an interface's method may be a
// call of.
func (c *comparison) dynamicOf(p *caller, name string) []string {
	for _, op := range c.api(p.suite, p.pkg).Ops {
		if op.Name == name {
			return op.Dynamic
		}
	}
	return nil
}

// changedOf names the changed functions that ran, or what may act unseen.
func (c *comparison) changedOf(d calls.Difference) []string {
	out := []string{}
	for _, k := range d.Entered {
		if k < len(c.changed) {
			out = append(out, c.changed[k])
		}
	}
	if len(out) == 0 {
		out = append(out, c.unseenChange()...)
	}
	return out
}

func shown(s calls.Shown) event.Result {
	r := event.Result{Outcome: event.Pass, Value: s.Text, Message: s.Message}
	switch s.Ending {
	case probe.Panicked:
		r.Outcome = event.Panic
	case probe.Exhausted:
		r.Outcome = event.Exhausted
	}
	return r
}

// bookTargets tells what became of each function that was to be called.
func (c *comparison) bookTargets() {
	list := c.calls.callers
	targets := map[string]*event.Target{}
	for _, p := range list {
		if p.campaign == nil {
			continue
		}
		c.sum.Sequences += p.campaign.Programs
		c.sum.Calls += p.campaign.Calls
		for i, op := range c.api(p.suite, p.pkg).Ops {
			at := i + harness.Builtins
			role, ok := p.roles[at]
			if !ok || p.campaign.ByOp == nil || p.campaign.ByOp[at] == 0 && (role == harness.Consumer || p.campaign.LeavesOut(at) && role != harness.Changed && !(op.Global && op.Exported)) {
				continue
			}
			key := op.Package + " " + op.Name
			t := targets[key]
			if t == nil {
				t = &event.Target{Type: "target", Function: op.Name, Package: op.Package, File: op.File, Line: op.Line,
					Exported: op.Exported, Role: roleName(role), State: event.NotReached}
				targets[key] = t
			}
			if op.Global && p.campaign.LeavesOut(at) && op.Exported {
				t.State, t.Reason = event.Ineligible, "it changes package-level variables, on which later calls would depend"
			}
			if n := p.campaign.ByOp[at]; n > 0 {
				t.Calls += n
				t.State = event.Compared
			}
			if n := c.enteredBy(p, op.Name); t.Calls == 0 && n > 0 {
				t.State, t.Calls = event.Compared, n
				t.Reason = "executed by calls of exported functions"
			}
			if p.campaign.Unstable(at) {
				t.State, t.Reason = event.TargetUnstable, "what it does varies by itself, or with the calls before it"
			}
			t.Banned = append(t.Banned, p.campaign.Banned(at)...)
		}
	}
	for _, p := range list {
		for _, f := range c.match.Changed {
			why, ok := c.api(p.suite, p.pkg).Ineligible[f.Name]
			if slices.Contains(c.api(p.suite, p.pkg).OneSided, f.Name) {
				why, ok = "only one version has it, or has it with this signature", true
			}
			if p.campaign != nil && p.campaign.ByOp == nil {
				why, ok = "no process that makes calls in its package could be started", true
			}
			if !ok || f.Package != p.pkg || targets[f.Package+" "+f.Name] != nil {
				continue
			}
			t := &event.Target{Type: "target", Function: f.Name, Package: f.Package, Role: "changed", State: event.Ineligible, Reason: why}
			if f.Head != nil {
				t.File, t.Line = f.Head.File, f.Head.Line
			}
			targets[f.Package+" "+f.Name] = t
		}
	}
	keys := make([]string, 0, len(targets))
	for k := range targets {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		t := targets[k]
		if t.State == event.NotReached && t.Reason == "" {
			t.Reason = "no arguments for it were found in the time there was"
		}
		if len(t.Banned) > event.MaxBanned {
			t.Banned = t.Banned[:event.MaxBanned]
		}
		for _, f := range c.findings {
			if f.Rung == event.Reached && f.Function == t.Function {
				t.Differ++
			}
		}
		c.sum.Targets++
		if t.State == event.Compared {
			c.sum.TargetsCompared++
		}
		c.sink.Emit(*t)
	}
	c.sum.Calls += c.calls.placed
	if c.calls.seconds > 0 {
		c.sum.CallsPerSecond = float64(c.sum.Calls) / c.calls.seconds
	}
}

// enteredBy counts the programs that executed a changed function.
func (c *comparison) enteredBy(p *caller, name string) int {
	k := slices.Index(c.changed, name)
	if k < 0 || k >= len(p.campaign.Entered) {
		return 0
	}
	return p.campaign.Entered[k]
}

func roleName(r harness.Role) event.Role {
	switch r {
	case harness.Changed:
		return "changed"
	case harness.Caller:
		return "caller"
	}
	return "consumer"
}

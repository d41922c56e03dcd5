package runner

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/relation"
)

// relationBook books the metamorphic relations that were checked.
type relationBook struct {
	events []event.Relation
	specs  map[string]relationSpec // of broken ones, by identifier
	tested []*metamorphic
	held   []Held
	seen   map[string]bool // identifiers of those whose groups were run
	// declared in the configuration.
	declared relation.Declared
}

// relationSpec is what a test to paste for a broken relation is made of.
type relationSpec struct {
	pkg      string
	relation relation.Relation
	prelude  []string // statements that make the arguments
	args     []string // Go expressions of the source input
	imports  map[string]string
	internal bool
}

const (
	// maxRelated bounds the functions of a package whose relations are checked.
	maxRelated = 24
	// maxRegistered bounds the general relations of a package: each is a closure
	// that has to be compiled.
	maxRegistered = 160
	// minTried are tried of each function all the same.
	minTried = 2
	// sourceInputs of each function.
	sourceInputs = 120
	// minGroups is for how many inputs a relation that nobody declared has to
	// hold on base before it is believed.
	minGroups = 15
	// minOutputs is how many different outputs those have to give: nearly
	// everything holds of a function that always gives the same.
	minOutputs = 3
	// maxFollowUps bounds the follow-up calls of a function that are compared as
	// any calls are.
	maxFollowUps = 600
)

// registerRelations lets a package's test binary check what its functions may
// have in the way of relations: those that show the change, exported ones
// unless there are none.
func (c *comparison) registerRelations(a *calls.API) {
	if c.opt.NoRelations || c.opt.Shard > 1 {
		return
	}
	ops := c.related(a)
	for _, op := range ops {
		c.registerDeclared(a, op)
		s := a.Subject(op)
		if s == nil {
			continue
		}
		list := relation.Templates(s) // the likeliest first
		for _, r := range list[:min(len(list), max(minTried, c.registrable()/len(ops)))] {
			// What is no Go is a mistake of the template's; the rest is of use.
			_ = a.AddRelation(op, r)
		}
		a.AddNumeric(op)
	}
}

// registrable is how many general relations are tried in a package: one for each
// second of the budget, as far as there are so many.
func (c *comparison) registrable() int {
	if c.opt.Budget <= 0 || c.relationsOnly {
		return maxRegistered
	}
	return min(maxRegistered, int(c.opt.Budget.Seconds()))
}

// related are the operations of a package whose relations are checked, those
// that show the change most directly first.
func (c *comparison) related(a *calls.API) []int {
	roles := c.rolesOf(a)
	var out []int
	exported := false
	for i, o := range a.Ops {
		if roles[i+harness.Builtins] >= harness.Caller && !o.Variable && !o.Global && !o.Spawns && o.Package == a.Package {
			out = append(out, i)
			exported = exported || o.Exported
		}
	}
	if exported {
		out = slices.DeleteFunc(out, func(i int) bool { return !a.Ops[i].Exported && !c.isDeclared(a.Ops[i]) })
	}
	slices.SortStableFunc(out, func(i, j int) int {
		return cmp.Compare(roles[j+harness.Builtins], roles[i+harness.Builtins])
	})
	// What somebody has declared comes first.
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(rankOf(c.isDeclared(a.Ops[i])), rankOf(c.isDeclared(a.Ops[j]))) })
	if c.relationsOnly {
		return out
	}
	return out[:min(len(out), maxRelated)]
}

// relateShare is the part of what is left of the budget, in percent, that
// relations may take.
const relateShare = 25

// relateUntil is when relations have to be checked.
func (c *comparison) relateUntil() time.Time {
	switch {
	case c.opt.Budget <= 0:
		return time.Now().Add(20 * time.Minute)
	case c.relationsOnly:
		return time.Now().Add(c.timeLeft() * 90 / 100)
	}
	return time.Now().Add(c.timeLeft() * relateShare / 100)
}

// relate checks the relations of all packages in which calls are made.
func (c *comparison) relate(ctx context.Context) error {
	// One shard does it for all.
	if c.hooks == nil || c.opt.NoRelations || c.opt.Shard > 1 {
		return nil
	}
	c.relations.specs, c.relations.seen = map[string]relationSpec{}, map[string]bool{}
	until := c.relateUntil()
	var list []*caller
	for _, p := range c.calls.callers {
		if p.campaign != nil && p.campaign.Ops != nil && len(c.related(p.campaign.API)) > 0 {
			list = append(list, p)
		}
	}
	for i, p := range list {
		slice := time.Until(until) / time.Duration(len(list)-i)
		if c.opt.Budget > 0 && slice < 300*time.Millisecond {
			c.limit(event.Limit{Kind: "budget", What: p.pkg, Reason: "the budget ended before relations of its functions were checked"})
			continue
		}
		err := c.relatePackage(ctx, p, time.Now().Add(slice))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.limit(event.Limit{Kind: "relations", What: p.pkg, Reason: "checking relations ended early: " + err.Error()})
		}
	}
	return nil
}

func (c *comparison) relatePackage(ctx context.Context, p *caller, until time.Time) error {
	if err := p.campaign.Open(ctx); err != nil {
		return err
	}
	defer p.campaign.Close()
	ops := c.related(p.campaign.API)
	// What is tried on every function takes little; inferring may take all the
	// time that there is.
	var numeric []relatedFunction
	for i, op := range ops {
		if time.Now().After(until) {
			c.limit(event.Limit{Kind: "budget", What: fmt.Sprintf("%s: %d functions", p.pkg, len(ops)-i), Reason: "the budget ended before their relations were checked"})
			break
		}
		name := p.campaign.API.Ops[op].Name
		c.progress("relate", name, i, len(ops))
		if p.campaign.Unstable(op + harness.Builtins) {
			c.limit(event.Limit{Kind: "relations", What: name, Reason: "no relations: what it does varies by itself, or with the calls before it"})
			continue
		}
		f, err := c.relateFunction(ctx, p, op, until)
		if err != nil {
			return err
		}
		if f.tested != nil {
			numeric = append(numeric, f)
		}
	}
	for i, f := range numeric {
		now := time.Now()
		if err := c.inferRelations(ctx, p, f, now.Add(until.Sub(now)/time.Duration(len(numeric)-i))); err != nil {
			return err
		}
	}
	// Every source and follow-up input was compared directly, too.
	return c.examine(ctx, p, until)
}

// relatedFunction is a function with the source inputs that its relations were
// checked with; tested is nil where there are none.
type relatedFunction struct {
	op      int
	sources []harness.Program
	tested  *metamorphic
}

// relateFunction checks the relations of one function that were registered.
func (c *comparison) relateFunction(ctx context.Context, p *caller, op int, until time.Time) (relatedFunction, error) {
	f := relatedFunction{op: op}
	sources, err := p.campaign.Sources(ctx, op, sourceInputs)
	if err != nil || len(sources) == 0 {
		return f, err
	}
	tallies := talliesOf(p.campaign.API, op)
	ids := make([]string, len(tallies))
	for i, t := range tallies {
		ids[i] = t.ID
	}
	rows, err := p.campaign.Relate(ctx, sources, harness.RelateQuestion{Relations: ids, Choices: true})
	if err != nil {
		return f, err
	}
	for i := range tallies {
		tallies[i].count(sources, rows, i)
	}
	if err := c.compareFollowUps(ctx, p, sources, tallies); err != nil {
		return f, err
	}
	f.sources, f.tested = sources, c.associate(p, op, rows, tallies)
	for _, t := range tallies {
		if err := c.bookRelation(ctx, p, op, t, until); err != nil {
			return f, err
		}
	}
	return f, nil
}

// compareFollowUps compares the follow-up calls of relations in force on both
// versions, as any calls.
func (c *comparison) compareFollowUps(ctx context.Context, p *caller, sources []harness.Program, tallies []tally) error {
	var ids []string
	for _, t := range tallies {
		if t.state() != "" {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := p.campaign.Relate(ctx, sources, harness.RelateQuestion{Relations: ids, FollowUps: true})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var list [][]byte
	for _, r := range rows[0] {
		for _, f := range r.FollowUps {
			if !seen[string(f)] && len(list) < maxFollowUps {
				seen[string(f)] = true
				list = append(list, f)
			}
		}
	}
	return p.campaign.Compare(ctx, list)
}

// bookRelation confirms what is broken, and makes an event of a relation.
func (c *comparison) bookRelation(ctx context.Context, p *caller, op int, t tally, until time.Time) error {
	c.relations.seen[t.ID] = c.relations.seen[t.ID] || t.groups > 0
	e := c.relationEvent(p, op, t.Relation, t.state(), t.groups)
	e.ID = t.ID
	var want calls.Wanted
	evidence := t.broken
	switch e.State {
	case "":
		return nil
	case event.Kept:
		c.keep(e, t.Relation, p.campaign.API.Subject(op))
		return nil
	case event.New:
		e.Failing = t.fails[0]
		c.keep(e, t.Relation, p.campaign.API.Subject(op))
		return nil
	case event.Broken:
		e.Failing = len(t.broken)
		want = calls.Wanted{string(harness.GroupHolds), failing}
	case event.Violated:
		e.Failing = max(t.fails[0], t.fails[1])
		want, evidence = calls.Wanted{failing, failing}, t.violated
	}
	x, ok, err := p.campaign.ConfirmRelation(ctx, t.ID, smallest(evidence), want, c.opt.Repetitions, c.timeAfter(until))
	if err != nil {
		return err
	}
	if !ok {
		c.sum.Unconfirmed++
		c.limit(event.Limit{Kind: "relations", What: e.Function, Reason: fmt.Sprintf("that %s does not hold any more did not repeat in fresh processes", e.Relation)})
		return nil
	}
	e.Counterexample = relatedCalls(t.Relation, x)
	c.keep(e, t.Relation, p.campaign.API.Subject(op))
	if e.State == event.Broken {
		if spec, ok := c.relationSpecOf(p, t.Relation, x); ok {
			c.relations.specs[e.ID] = spec
		}
	}
	return nil
}

// keep books a relation.
func (c *comparison) keep(e event.Relation, r relation.Relation, of *relation.Subject) {
	c.relations.events = append(c.relations.events, e)
	c.relations.held = append(c.relations.held, Held{Relation: r, State: e.State, Subject: of})
}

func smallest(list []harness.Program) []harness.Program {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b harness.Program) int {
		return cmp.Or(cmp.Compare(a.Size(), b.Size()), cmp.Compare(a.Magnitude(), b.Magnitude()))
	})
	return list
}

func (c *comparison) relationEvent(p *caller, op int, r relation.Relation, state event.RelationState, groups int) event.Relation {
	o := p.campaign.API.Ops[op]
	return event.Relation{Type: "relation", Module: c.head.tree.Module, Function: o.Name, Package: o.Package, File: o.File, Line: o.Line,
		Exported: o.Exported, Name: r.Name, Relation: r.Notation, Source: r.Source, At: r.At, State: state, Groups: groups, Tolerance: r.Tolerance}
}

// relatedCalls puts the calls of a group into words.
func relatedCalls(r relation.Relation, x calls.Counterexample) []event.RelatedCall {
	var out []event.RelatedCall
	for i := range max(len(x.Calls[0]), len(x.Calls[1])) {
		var call event.RelatedCall
		for v := range x.Calls {
			shows := "not called"
			if i < len(x.Calls[v]) {
				k := x.Calls[v][i]
				if k.Ending != "" {
					shows = k.Ending
				} else {
					shows = strings.Join(k.Results, ", ")
					if call.Call == "" {
						call.Call = callText(r, i, k.Args)
					}
				}
			}
			if v == 0 {
				call.Base = shows
			} else {
				call.Head = shows
			}
		}
		if call.Call == "" {
			call.Call = callText(r, i, nil)
		}
		out = append(out, call)
	}
	return out
}

func callText(r relation.Relation, i int, args []string) string {
	name := path.Base(r.Function)
	if i < len(r.Form.Calls) {
		name = r.Form.Calls[i].Function
	}
	if args == nil {
		return name + "(…)"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// breaksRelation reports whether a relation of base does not hold on head.
func (c *comparison) breaksRelation() bool {
	return slices.ContainsFunc(c.relations.events, func(e event.Relation) bool { return e.State == event.Broken })
}

// emitRelations tells of all relations.
func (c *comparison) emitRelations() {
	c.noteUnreached()
	slices.SortStableFunc(c.relations.events, event.CompareRelations)
	for _, e := range c.relations.events {
		c.sink.Emit(e)
	}
}

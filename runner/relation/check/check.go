package check

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/coverage"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/version"
)

// Stage checks metamorphic relations on both versions.
type Stage struct {
	*Registrar
	Calls     *reach.Stage
	First     int    // bounds the source inputs of a function, see package prioritise; 0 for all
	Method    string // by which relations are inferred: see package automr, or "off"; "" is its default
	Cache     string // folder in which inferred relations are kept, "" for none
	GoVersion string // inferred relations depend on it
	Solver    string // path of an SMT solver, "" for none, see FindSolver

	Result
	specs    map[string]spec // of broken ones, by identifier
	seen     map[string]bool // identifiers of those whose groups were run
	standing []standing      // how to judge those in Events on further inputs
}

// Result is what checking came to.
type Result struct {
	Events      []event.Relation
	Held        []Held
	Tested      []*coverage.Tested
	Unconfirmed int // did not repeat
}

// A Held relation is one that was checked, as Go.
type Held struct {
	relation.Relation
	State   event.RelationState
	Subject *relation.Subject
}

const (
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
	// minSlice is what the relations of one package have to have at least.
	minSlice = 300 * time.Millisecond
)

// NewStage makes a stage for the relations that were registered.
func NewStage(r *Registrar, calls *reach.Stage) *Stage {
	return &Stage{Registrar: r, Calls: calls, specs: map[string]spec{}, seen: map[string]bool{}}
}

// Run checks the relations of all packages in which calls are made.
func (s *Stage) Run(ctx context.Context) error {
	until := s.Env.Plan.Relations(s.Env.Now())
	var list []*reach.Package
	for _, p := range s.Calls.Packages {
		if p.Search != nil && p.Search.Ops != nil && len(s.own(p.API)) > 0 {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *reach.Package) int {
		return cmp.Compare(rankOf(s.hasUrgent(a)), rankOf(s.hasUrgent(b)))
	})
	for i, p := range list {
		slice := until.Sub(s.Env.Now()) / time.Duration(len(list)-i)
		if !s.Env.Plan.Unlimited() && slice < minSlice {
			s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: p.Path, Reason: "the budget ended before relations of its functions were checked"})
			continue
		}
		end := s.Env.Now().Add(slice)
		// A slow function is not asked again and again until it has answered.
		limited, cancel := context.WithTimeout(ctx, s.Env.Until(s.Env.Plan.Confirming(end)))
		err := s.checkPackage(limited, p, end)
		late := limited.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case late:
			s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: p.Path, Reason: "the budget for relations ended while one of its functions was called; what was not checked by then is left out"})
		case err != nil:
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: p.Path, Reason: "checking relations ended early: " + err.Error()})
		}
	}
	return nil
}

func (s *Stage) checkPackage(ctx context.Context, p *reach.Package, until time.Time) error {
	if err := p.Search.Open(ctx); err != nil {
		return err
	}
	defer p.Search.Close()
	err := s.checkFunctions(ctx, p, until)
	// Every source and follow-up input was compared directly, too. What those of
	// before an error have shown is counted at least.
	return errors.Join(err, s.Calls.Examine(ctx, p, until))
}

// checkFunctions checks the relations of a package's functions, one after the other.
func (s *Stage) checkFunctions(ctx context.Context, p *reach.Package, until time.Time) error {
	ops := s.own(p.API)
	// What is tried on every function takes little; inferring may take all the
	// time that there is.
	var searched []relatedFunction
	ops = urgentFirst(p, ops)
	for i, op := range ops {
		if s.Env.Now().After(until) {
			s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: fmt.Sprintf("%s: %d functions", p.Path, len(ops)-i), Reason: "the budget ended before their relations were checked"})
			break
		}
		name := p.API.Op(op).Name
		s.Env.Progress("relate", name, i, len(ops))
		if p.Search.Unstable(op) {
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: name, Reason: "no relations: what it does varies by itself, or with the calls before it"})
			continue
		}
		f, err := s.checkFunction(ctx, p, op, until)
		if err != nil {
			return err
		}
		if f.tested != nil {
			searched = append(searched, f)
		}
	}
	urgent := searched[:urgentOf(p, searched)]
	if now := s.Env.Now(); len(urgent) > 0 {
		share := until.Sub(now) * time.Duration(len(urgent)) / time.Duration(len(urgent)+len(searched))
		if err := s.evolveAll(ctx, p, urgent, now.Add(share)); err != nil {
			return err
		}
	}
	for i, f := range searched {
		now := s.Env.Now()
		end := now.Add(until.Sub(now) / time.Duration(len(searched)-i))
		if err := s.inferAll(ctx, p, f, end); err != nil {
			return err
		}
	}
	return s.evolveAll(ctx, p, searched[len(urgent):], until)
}

// relatedFunction is a function with the source inputs that its relations were
// checked with; tested is nil without any.
type relatedFunction struct {
	op      wire.Op
	sources []wire.Sequence
	tested  *coverage.Tested
}

// checkFunction checks the relations of one function that were registered.
func (s *Stage) checkFunction(ctx context.Context, p *reach.Package, op wire.Op, until time.Time) (relatedFunction, error) {
	f := relatedFunction{op: op}
	sources, err := s.sources(ctx, p, op)
	if err != nil || len(sources) == 0 {
		return f, err
	}
	tallies := s.talliesOf(p.API, op)
	random, err := s.drawsAtRandom(ctx, p, sources)
	if err != nil {
		return f, err
	}
	if random {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: p.API.Op(op).Name, Reason: "no relations but declared ones: it draws random numbers, and what it gives is one possibility of many"})
		tallies = slices.DeleteFunc(tallies, func(t tally) bool { return t.Source != event.Declared })
	}
	ids := make([]string, len(tallies))
	for i, t := range tallies {
		ids[i] = t.ID
	}
	rows, leftOut, err := p.Search.Relate(ctx, sources, wire.RelateQuestion{Relations: ids, Choices: true})
	if err != nil {
		return f, err
	}
	if leftOut > 0 {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: p.API.Op(op).Name,
			Reason: fmt.Sprintf("%d of %d inputs were not checked: groups of others did not end", leftOut, len(sources))})
	}
	for i := range tallies {
		tallies[i].count(sources, rows, i)
	}
	if err := s.tryFurther(ctx, p, op, sources, tallies); err != nil {
		return f, err
	}
	if err := s.compareFollowUps(ctx, p, answered(sources, rows), tallies); err != nil {
		return f, err
	}
	if tested := s.associate(p.API.Op(op), rows, tallies); !random {
		f.sources, f.tested = sources, tested
	}
	s.notJudged(p.API.Op(op), unjudged(tallies))
	for _, t := range tallies {
		if err := s.bookRelation(ctx, p, op, t, until); err != nil {
			return f, err
		}
		s.stand(t.ID, p, op, (&registered{s, p, op, t}).assessor())
	}
	return f, nil
}

// randomSources are run to see whether a function draws random numbers.
const randomSources = 10

// drawsAtRandom reports whether a function draws random numbers on base: the run time is
// seeded, so that its results do not show it.
func (s *Stage) drawsAtRandom(ctx context.Context, p *reach.Package, sources []wire.Sequence) (bool, error) {
	seen, err := p.Search.Values(ctx, int(version.Base), sources[:min(len(sources), randomSources)])
	if errors.Is(err, calls.ErrEnded) {
		err = nil // what there is
	}
	return slices.ContainsFunc(seen, func(v wire.Valued) bool { return v.Drew }), err
}

// compareFollowUps compares the follow-up calls of relations in force on both
// versions, as any calls.
func (s *Stage) compareFollowUps(ctx context.Context, p *reach.Package, sources []wire.Sequence, tallies []tally) error {
	var ids []string
	for _, t := range tallies {
		if t.state() != "" {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, _, err := p.Search.Relate(ctx, sources, wire.RelateQuestion{Relations: ids, FollowUps: true})
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
	return p.Search.Compare(ctx, list)
}

// answered returns the source inputs whose groups ended on both versions.
func answered(sources []wire.Sequence, rows version.Both[[]wire.RelatedRow]) []wire.Sequence {
	var out []wire.Sequence
	for k, p := range sources {
		if len(rows[version.Base][k].Verdicts) > 0 && len(rows[version.Head][k].Verdicts) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// bookRelation confirms what is broken, and makes an event of a relation.
func (s *Stage) bookRelation(ctx context.Context, p *reach.Package, op wire.Op, t tally, until time.Time) error {
	s.seen[t.ID] = s.seen[t.ID] || t.groups > 0
	e := s.relationEvent(p, op, t.Relation, t.state(), t.groups)
	e.ID = t.ID
	var want calls.Expected
	evidence := t.broken
	switch e.State {
	case "":
		return nil
	case event.Kept:
		s.keep(e, t.Relation, p.API.Subject(op))
		return nil
	case event.New:
		e.Failing = t.fails[0]
		s.keep(e, t.Relation, p.API.Subject(op))
		return nil
	case event.Broken:
		e.Failing = len(t.broken)
		want = calls.Expected{string(wire.GroupHolds), failing}
	case event.Violated:
		e.Failing = max(t.fails[0], t.fails[1])
		want, evidence = calls.Expected{failing, failing}, t.violated
	}
	x, ok, err := p.Search.ConfirmRelation(ctx, t.ID, smallest(evidence), want, s.Env.Repetitions, s.Calls.Time(until))
	if err != nil {
		return err
	}
	if !ok {
		s.Unconfirmed++
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: e.Function, Reason: fmt.Sprintf("that %s does not hold any more did not repeat in fresh processes", e.Relation)})
		return nil
	}
	e.Counterexample, e.Changed = relatedCalls(t.Relation, x), s.Matching.Entered(x.Entered)
	if e.State == event.Broken {
		e.Program = hex.EncodeToString(x.Sequence.Encode(nil))
	}
	s.keep(e, t.Relation, p.API.Subject(op))
	if e.State == event.Broken {
		if spec, ok := s.specOf(p, t.Relation, x.Code, x.NoCode); ok {
			s.specs[e.ID] = spec
		}
	}
	return nil
}

// keep books a relation, unless another source has told the same in the same words.
func (s *Stage) keep(e event.Relation, r relation.Relation, of *relation.Subject) {
	same := func(o event.Relation) bool {
		return o.Package == e.Package && o.Function == e.Function && o.Relation == e.Relation && o.State == e.State
	}
	if slices.ContainsFunc(s.Events, same) {
		return
	}
	s.Events = append(s.Events, e)
	s.Held = append(s.Held, Held{Relation: r, State: e.State, Subject: of})
}

func smallest(list []wire.Sequence) []wire.Sequence {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b wire.Sequence) int {
		return cmp.Or(cmp.Compare(a.Size(), b.Size()), cmp.Compare(a.Magnitude(), b.Magnitude()))
	})
	return list
}

func (s *Stage) relationEvent(p *reach.Package, op wire.Op, r relation.Relation, state event.RelationState, groups int) event.Relation {
	o := p.API.Op(op)
	return event.Relation{Type: "relation", Module: s.module(), Function: o.Name, Package: o.Package, File: o.At[version.Head].File, Line: o.Line,
		Exported: o.Exported, Name: r.Name, Relation: r.Notation, Source: r.Source, At: r.At, State: state, Groups: groups, Tolerance: r.Tolerance}
}

// Breaks reports whether a relation of base does not hold on head.
func (s *Stage) Breaks() bool {
	return slices.ContainsFunc(s.Events, func(e event.Relation) bool { return e.State == event.Broken })
}

// Sorted returns the events of all relations, in order.
func (s *Stage) Sorted() []event.Relation {
	slices.SortStableFunc(s.Events, event.CompareRelations)
	return s.Events
}

func (s *Stage) module() string { return s.Matching.Versions[version.Head].Tree.Module }

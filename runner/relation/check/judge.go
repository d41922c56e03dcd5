package check

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/automr"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
	"github.com/isodelta/isodelta/runner/version"
)

// verdicts are what a group says of a relation on both versions.
type verdicts = version.Both[event.GroupVerdict]

// standing is a relation that the report is going to tell, with how it is judged on
// further inputs.
type standing struct {
	id  string
	pkg *reach.Package
	op  wire.Op
	assessor
}

// An assessor knows one relation.
type assessor interface {
	// judge runs the groups of source inputs, each of which ends with a call of the
	// function.
	judge(ctx context.Context, sources []wire.Sequence) ([]verdicts, error)
	// again books what the relation is, after all, where inputs refute what was told of
	// it in e, which is not booked any more. It may be nothing.
	again(ctx context.Context, e event.Relation, sources []wire.Sequence, seen []verdicts, until time.Time) error
}

// stand says how a relation is judged on further inputs, if it is booked.
func (s *Stage) stand(id string, p *reach.Package, op wire.Op, a assessor) {
	if s.booked(id) >= 0 && !slices.ContainsFunc(s.standing, func(x standing) bool { return x.id == id }) {
		s.standing = append(s.standing, standing{id, p, op, a})
	}
}

// booked is the place of the event of a relation, −1 for none.
func (s *Stage) booked(id string) int {
	return slices.IndexFunc(s.Events, func(e event.Relation) bool { return e.ID == id })
}

// input is the part of a finding's input that ends with a call of an operation.
type input struct {
	finding string
	source  wire.Sequence
}

// inputsOf are the inputs of findings in a package, by the operation that they call: of a
// finding that takes several calls, what leads to each of them.
func inputsOf(p *reach.Package, findings []event.Finding) map[wire.Op][]input {
	out := map[wire.Op][]input{}
	for _, f := range findings {
		program, err := hex.DecodeString(f.Program)
		if f.Rung != event.Reached || f.Package != p.Path || f.Program == "" || err != nil {
			continue
		}
		sequence, _, err := wire.Decode(program)
		if err != nil {
			continue
		}
		for i, step := range sequence {
			out[step.Op] = append(out[step.Op], input{f.ID, sequence[: i+1 : i+1]})
		}
	}
	return out
}

// Judge judges each relation that is told on the inputs of the findings that call its
// function, for a law is judged as it is printed: by every input at hand. What an input
// refutes is told no more, or as what it is then: what holds for it on base and not on
// head is broken.
//
// Findings of other packages' calls, and calls in place, have no input that can be given
// to the function here.
func (s *Stage) Judge(ctx context.Context, findings []event.Finding) error {
	until := s.Env.Plan.Confirming(s.Env.Now())
	limited, stop := context.WithTimeout(ctx, s.Env.Until(until))
	defer stop()
	refuted := map[string]int{} // by function
	for _, p := range s.Calls.Packages {
		inputs := inputsOf(p, findings)
		var list []standing
		for _, x := range s.standing {
			if x.pkg == p && len(inputs[x.op]) > 0 {
				list = append(list, x)
			}
		}
		if len(list) == 0 {
			continue
		}
		err := p.Search.Open(limited)
		for _, x := range list {
			if err == nil {
				err = s.judgeOne(limited, x, inputs[x.op], until, refuted)
			}
		}
		p.Search.Close()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: p.Path, Reason: "judging relations on the inputs of findings ended early: " + err.Error()})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(refuted)) {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: name,
			Reason: fmt.Sprintf("%d that held for all inputs tried are not believed: the input of a finding refutes them", refuted[name])})
	}
	return nil
}

// judgeOne judges one relation, and counts it if it is not believed any more.
func (s *Stage) judgeOne(ctx context.Context, x standing, inputs []input, until time.Time, refuted map[string]int) error {
	i := s.booked(x.id)
	if i < 0 {
		return nil
	}
	sources := make([]wire.Sequence, len(inputs))
	for k, in := range inputs {
		sources[k] = in.source
	}
	seen, err := x.judge(ctx, sources)
	if errors.Is(err, calls.ErrEnded) {
		return nil // what was not judged is left out at the end
	}
	if err != nil {
		return err
	}
	e := s.Events[i]
	e.Judged = slices.Clone(e.Judged)
	for k, v := range seen {
		e.Judge(event.JudgedInput{Finding: inputs[k].finding, Base: v[version.Base], Head: v[version.Head]})
	}
	if e.Refuted() == nil {
		s.Events[i] = e
		return nil
	}
	s.unbook(i)
	if err := x.again(ctx, e, sources, seen, until); err != nil {
		return err
	}
	if i = s.booked(x.id); i < 0 {
		refuted[e.Function]++
		return nil
	}
	s.Events[i].Judged = e.Judged
	if s.Events[i].Refuted() != nil {
		s.unbook(i)
		refuted[e.Function]++
	}
	return nil
}

// unbook takes a relation out of what is told.
func (s *Stage) unbook(i int) {
	e := s.Events[i]
	delete(s.specs, e.ID)
	s.Events = slices.Delete(s.Events, i, i+1)
	s.Held = slices.Delete(s.Held, i, i+1)
}

// LeaveOutUnjudged takes out what is kept and was not judged on the input of one of the
// findings of its function, because there was no time or the call ended the process.
func (s *Stage) LeaveOutUnjudged(findings []event.Finding) {
	judged, left := event.JudgedOnly(s.Events, findings)
	s.Events = judged
	s.Held = slices.DeleteFunc(s.Held, func(h Held) bool {
		return !slices.ContainsFunc(judged, func(e event.Relation) bool {
			return e.Package == h.Package && e.Function == h.Function && e.Relation == h.Notation && e.State == h.State
		})
	})
	for _, name := range slices.Sorted(maps.Keys(left)) {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: name,
			Reason: fmt.Sprintf("%d that seem to hold on both versions are left out: they were not judged on the input of a finding", left[name])})
	}
}

// registered judges a relation that the test binaries have been built with.
type registered struct {
	*Stage
	pkg *reach.Package
	op  wire.Op
	tally
}

func (r *registered) judge(ctx context.Context, sources []wire.Sequence) ([]verdicts, error) {
	rows, _, err := r.pkg.Search.Relate(ctx, sources, wire.RelateQuestion{Relations: []string{r.ID}})
	if err != nil {
		return nil, err
	}
	r.count(sources, rows, 0)
	out := make([]verdicts, len(sources))
	for k := range out {
		for side := range out[k] {
			out[k][side] = verdictOf(r.verdict(rows[side], k, 0))
		}
	}
	return out, nil
}

// verdictOf is the word for what package wire writes as a byte.
func verdictOf(b byte) event.GroupVerdict {
	switch {
	case !says(b):
		return event.GroupSilent
	case b == wire.GroupHolds:
		return event.GroupHolds
	}
	return event.GroupFails
}

// again books the relation by all that was counted, those inputs included.
func (r *registered) again(ctx context.Context, _ event.Relation, _ []wire.Sequence, _ []verdicts, until time.Time) error {
	return r.bookRelation(ctx, r.pkg, r.op, r.tally, until)
}

// brokenBy is the place of an input for which a relation holds on base and not on head;
// false where there is none, or where it is no relation of base, for one refutes it there.
func brokenBy(seen []verdicts) (int, bool) {
	if slices.ContainsFunc(seen, func(v verdicts) bool { return v[version.Base] == event.GroupFails }) {
		return 0, false
	}
	i := slices.IndexFunc(seen, func(v verdicts) bool {
		return v[version.Base] == event.GroupHolds && v[version.Head] == event.GroupFails
	})
	return i, i >= 0
}

// ofNumbers judges a relation that was inferred of a function of numbers.
type ofNumbers struct {
	*Stage
	pkg      *reach.Package
	op       wire.Op
	adapter  int
	numeric  surface.Numeric
	relation automr.Relation
	written  relation.Relation
	noForm   error
}

func (r *ofNumbers) judge(ctx context.Context, sources []wire.Sequence) ([]verdicts, error) {
	groups, at := r.groupsOf(sources)
	seen, err := r.runGroups(ctx, r.pkg, r.adapter, r.relation, groups)
	if err == nil && seen == nil && len(groups) > 0 {
		err = calls.ErrEnded
	}
	out := make([]verdicts, len(sources))
	for k := range out {
		out[k] = verdicts{event.GroupSilent, event.GroupSilent}
	}
	for g, v := range seen {
		for side := range v {
			out[at[g]][side] = map[groupVerdict]event.GroupVerdict{groupSilent: event.GroupSilent, groupHolds: event.GroupHolds, groupFails: event.GroupFails}[v[side]]
		}
	}
	return out, err
}

// groupsOf returns the groups of the sources that are numbers alone, and whose they are.
func (r *ofNumbers) groupsOf(sources []wire.Sequence) (groups []numberGroup, at []int) {
	random := rand.New(rand.NewSource(r.Env.Seed))
	for k, p := range sources {
		in, ok := r.pkg.API.NumbersOf(r.numeric, p[len(p)-1:])
		if !ok {
			continue
		}
		if follow := r.relation.FollowUps(in, random); follow != nil || r.relation.Groups() == 1 {
			groups, at = append(groups, numberGroup{in: append([][]float64{in}, follow...)}), append(at, k)
		}
	}
	return groups, at
}

func (r *ofNumbers) again(ctx context.Context, e event.Relation, sources []wire.Sequence, seen []verdicts, _ time.Time) error {
	i, ok := brokenBy(seen)
	if !ok {
		return nil
	}
	groups, _ := r.groupsOf(sources[i : i+1])
	if _, err := r.runGroups(ctx, r.pkg, r.adapter, r.relation, groups); err != nil {
		return err
	}
	e.State, e.Failing, e.Groups = event.Broken, e.Failing+1, e.Groups+1
	return r.bookInferred(ctx, r.pkg, r.op, r.adapter, r.numeric, []suspect{{e, groups[0], r.relation, r.written, r.noForm}})
}

// ofEvolved judges a relation that was evolved.
type ofEvolved struct {
	*Stage
	pkg       *reach.Package
	function  *evolved
	transform *genetic.Transform
	tree      *law.Expr
	written   relation.Relation
}

func (r *ofEvolved) judge(ctx context.Context, sources []wire.Sequence) ([]verdicts, error) {
	out := make([]verdicts, len(sources))
	for k, p := range sources {
		out[k] = verdicts{event.GroupSilent, event.GroupSilent}
		groups, err := r.groupOf(ctx, p)
		if err != nil || len(groups) == 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		for _, side := range version.Sides {
			seen, err := r.see(ctx, r.pkg, r.function.shape, side, groups[0].calls())
			if err != nil {
				return nil, err
			}
			switch r.function.verdict(r.tree, groups[0], seen) {
			case law.Holds:
				out[k][side] = event.GroupHolds
			case law.Fails:
				out[k][side] = event.GroupFails
			}
		}
	}
	return out, nil
}

// groupOf is the group of a source input; none where it cannot be one.
func (r *ofEvolved) groupOf(ctx context.Context, p wire.Sequence) ([]group, error) {
	if len(p[len(p)-1].Args) != len(r.function.params) || !r.function.takes(p) {
		return nil, nil
	}
	return r.groups(ctx, r.pkg, r.function, r.transform, []wire.Sequence{p}, true)
}

func (r *ofEvolved) again(ctx context.Context, e event.Relation, sources []wire.Sequence, seen []verdicts, _ time.Time) error {
	i, ok := brokenBy(seen)
	if !ok {
		return nil
	}
	groups, err := r.groupOf(ctx, sources[i])
	if err != nil || len(groups) == 0 {
		return err
	}
	e.State, e.Failing, e.Groups = event.Broken, e.Failing+1, e.Groups+1
	return r.confirmEvolved(ctx, r.pkg, r.function, r.tree, groups[0], e, r.written)
}

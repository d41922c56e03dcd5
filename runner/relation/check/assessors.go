package check

import (
	"context"
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

// registered judges a relation that the test binaries have been built with.
type registered struct {
	*Stage
	pkg *reach.Package
	op  wire.Op
	tally
}

func (r *registered) assessor() assessor { return assessor{r.judge, r.again} }

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

func (r *ofNumbers) assessor() assessor { return assessor{r.judge, r.again} }

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

func (r *ofEvolved) assessor() assessor { return assessor{r.judge, r.again} }

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

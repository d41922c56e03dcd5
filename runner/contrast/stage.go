package contrast

import (
	"context"
	"encoding/hex"
	"reflect"
	"slices"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/aim"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Stage learns for findings when they differ.
type Stage struct {
	Env      *stage.Env
	Matching *matching.Matching
	Calls    *reach.Stage
}

const (
	// maxFindings bounds the findings that are looked into.
	maxFindings = 6
	// sources is how many inputs are asked for at a time, beside those near the finding's.
	sources = 300
	// nearlyAll is from which share of inputs on it is told that nearly all differ.
	nearlyAll = 0.95
)

// Run looks into findings until a time, and puts what it learns into them: one of each
// function, as far as it is about the call itself. The error is ctx's, or the laboratory's.
func (s *Stage) Run(ctx context.Context, findings []event.Finding, until time.Time) error {
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return event.CompareFindings(findings[a], findings[b]) })
	type about struct{ pkg, function string }
	seen := map[about]bool{}
	for _, i := range order {
		f := &findings[i]
		at := about{f.Package, f.Function}
		if !tellable(*f) || seen[at] {
			continue
		}
		if len(seen) == maxFindings || s.Env.Past(until) {
			return nil
		}
		seen[at] = true
		if err := s.one(ctx, f, until); err != nil {
			return err
		}
	}
	return nil
}

// tellable reports whether a finding is about a call that can be made again, and not only
// about what is seen after it.
func tellable(f event.Finding) bool {
	return f.Rung == event.Reached && f.Program != "" && !f.Small() && (f.Part() != "" || f.Component == event.ComponentPanic)
}

// differs reports whether versions differ in what a finding is about. Another ending
// counts for all.
func differs(f event.Finding, base, head wire.Valued) bool {
	switch {
	case base.Ending != head.Ending:
		return true
	case f.Component == event.ComponentPanic:
		return false
	case f.Part() == event.ComponentResult:
		return !reflect.DeepEqual(base.Results, head.Results)
	}
	return !reflect.DeepEqual(base.Args, head.Args)
}

// one looks into a finding.
func (s *Stage) one(ctx context.Context, f *event.Finding, until time.Time) error {
	at := slices.IndexFunc(s.Calls.Packages, func(p *reach.Package) bool { return p.Path == f.Package && p.Search != nil })
	code, err := hex.DecodeString(f.Program)
	if at < 0 || err != nil {
		return nil
	}
	program, _, err := wire.Decode(code)
	if err != nil || len(program) == 0 {
		return nil
	}
	p := s.Calls.Packages[at]
	op := program[len(program)-1].Op
	if o := p.API.Op(op); o.Function == nil || o.Name != f.Function {
		return nil // the finding is about an earlier call
	}
	if err := s.Calls.Start(ctx, p); err != nil {
		return ctx.Err()
	}
	defer p.Search.Close()
	x := &sample{Stage: s, Package: p, finding: *f, op: op, seen: map[uint64]bool{}}
	rows, err := x.rows(ctx, append(neighbours(program), program))
	if err != nil || s.Env.Past(until) {
		return ctx.Err()
	}
	fresh, err := x.rows(ctx, nil)
	if err != nil || s.Env.Past(until) {
		return ctx.Err()
	}
	f.When = when(rows, fresh)
	return nil
}

// when words what was learnt; nil for nothing.
func when(rows, fresh []row) *event.When {
	all := slices.Concat(rows, fresh)
	w := &event.When{Differ: count(all), Compared: len(all)}
	if t, ok := learn(rows, fresh); ok {
		w.Exact = t.exact
		for _, f := range t.all {
			w.Conditions = append(w.Conditions, event.WhenCondition{Code: f.code, Says: f.says, File: f.file, Line: f.line})
		}
		return w
	}
	if w.Compared >= 4*leastRows && float64(w.Differ) >= nearlyAll*float64(w.Compared) {
		return w
	}
	return nil
}

// sample makes inputs of an operation and has both versions run them.
type sample struct {
	*Stage
	*reach.Package
	finding event.Finding
	op      wire.Op
	seen    map[uint64]bool
}

// rows runs further inputs, and what was given.
func (x *sample) rows(ctx context.Context, list []wire.Sequence) ([]row, error) {
	made, err := x.Search.Sources(ctx, x.op, sources)
	if err != nil {
		return nil, err
	}
	var fresh []wire.Sequence
	for _, p := range append(list, made...) {
		if h := p.Hash(); !x.seen[h] && len(p) > 0 && p[len(p)-1].Op == x.op {
			x.seen[h] = true
			fresh = append(fresh, p)
		}
	}
	var valued version.Both[[]wire.Valued]
	for _, side := range version.Sides {
		if valued[side], err = x.Search.Values(ctx, int(side), fresh); err != nil {
			return nil, err
		}
	}
	names, of := parameters(x.API.Op(x.op).Function)
	var out []row
	for i, p := range fresh {
		b, h := valued[version.Base][i], valued[version.Head][i]
		if !b.Ran || !h.Ran || b.Drew || h.Drew || givesUnknown(p[len(p)-1].Args, of) {
			continue
		}
		r := row{differs: differs(x.finding, b, h),
			facts: facts(p[len(p)-1].Args, names, of), branches: map[feature]bool{}}
		for _, side := range version.Sides {
			for _, branch := range valued[side][i].Branches {
				r.branches[x.branch(side, branch)] = true
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// branch is a branch of a version as a feature.
func (x *sample) branch(side version.Side, branch int) feature {
	v := x.Matching.Versions[side]
	g := aim.At(v.Tree, v.Program, outcome.Branch(branch))
	f := feature{code: g.Text, says: "is false", file: g.File, line: g.Line, weight: headWeight}
	switch {
	case g.Arm:
		f.says = "(taken)"
	case g.Outcome:
		f.says = "is true"
	}
	if side == version.Base {
		f.weight = baseWeight
		f.says += " on base"
	} else if x.Matching.Number(g.Function) >= 0 {
		f.weight = changedWeight
	}
	return f
}

package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// maxTransforms bounds the transformations of one function's inputs; a guess.
	maxTransforms = 16
	// recordedInputs are recorded of a function for a search, and freshInputs for judging
	// what it finds.
	recordedInputs = 300
	freshInputs    = 2000
	// minPairs of a source input and its follow-up, both with calls that return, are
	// needed for a search.
	minPairs = 40
	// lawsEach is how many laws are kept for one transformation.
	lawsEach = 3
	// minSearch is what the search for one transformation needs at least.
	minSearch = 300 * time.Millisecond
)

// evolved is a function whose relations are evolved (GenMorph), with what it does on base.
type evolved struct {
	op      wire.Op
	subject *relation.Subject
	shape   shape
	seen    map[string][]any // results on base by the key of the arguments; nil for no output
}

// evolve searches relations of a function on base by genetic programming, and checks
// them on both versions with inputs that the search has not seen. Functions of numbers
// alone are package automr's.
func (s *Stage) evolve(ctx context.Context, p *reach.Package, f relatedFunction, until time.Time) error {
	subject := p.API.Subject(f.op)
	if subject == nil || slices.ContainsFunc(p.API.Numeric, func(n surface.Numeric) bool { return n.Op == f.op }) {
		return nil
	}
	of, ok := shapeOf(subject)
	if !ok {
		return nil
	}
	e := &evolved{op: f.op, subject: subject, shape: of, seen: map[string][]any{}}
	random := rand.New(rand.NewPCG(uint64(s.Env.Seed), 0))
	points := s.points(p.API.Op(f.op))
	inputs := e.shape.sources(f.sources, points, recordedInputs, random)
	fresh := e.shape.sources(f.sources, points, freshInputs, random)
	transforms := genetic.Transforms(e.shape.in, constantsOf(points))
	transforms = transforms[:min(len(transforms), maxTransforms)]
	for i, t := range transforms {
		now := s.Env.Now()
		slice := until.Sub(now) / time.Duration(len(transforms)-i)
		if !s.Env.Plan.Unlimited() && slice < minSearch {
			s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: p.API.Op(f.op).Name,
				Reason: fmt.Sprintf("no time was left to evolve relations of it under %d of %d transformations", len(transforms)-i, len(transforms))})
			return nil
		}
		err := s.evolveUnder(ctx, p, e, t, inputs, fresh, now.Add(slice))
		if errors.Is(err, calls.ErrEnded) {
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: p.API.Op(f.op).Name, Reason: "no relations were evolved of it: " + err.Error()})
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// evolveUnder searches and checks the relations of a function under one transformation.
func (s *Stage) evolveUnder(ctx context.Context, p *reach.Package, e *evolved, t genetic.Transform, inputs, fresh [][]any, until time.Time) error {
	rows, err := s.pairs(ctx, p, e, t, inputs, false)
	if err != nil || len(rows) < minPairs {
		return err
	}
	variables, outputs, twins := e.shape.variables(e.subject, t)
	correct, err := law.NewTable(variables, rows)
	if err != nil {
		return err
	}
	problem := genetic.Problem{Variables: variables, Outputs: outputs, Pairs: twins, Correct: correct,
		Incorrect: genetic.Perturb(correct, outputs, rand.New(rand.NewPCG(uint64(s.Env.Seed), 0)))}
	limited, stop := context.WithTimeout(ctx, s.searchTime(until))
	defer stop()
	found, err := genetic.Evolve(limited, problem, genetic.Options{Seed: s.Env.Seed, Population: 200, Generations: 10, Size: 9, Most: lawsEach})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && limited.Err() == nil || len(found.Laws) == 0 {
		return err
	}
	others, err := s.pairs(ctx, p, e, t, slices.Concat(inputs, fresh), true)
	if err != nil {
		return err
	}
	table, err := law.NewTable(variables, others)
	if err != nil {
		return err
	}
	on := law.NewEvaluator(table)
	for _, x := range found.Laws {
		if !tells(x.Tree, outputs) {
			continue
		}
		if err := s.checkEvolved(ctx, p, e, t, x.Tree, on, table); err != nil {
			return err
		}
	}
	return nil
}

// searchTime is how long a search may take.
func (s *Stage) searchTime(until time.Time) time.Duration {
	if s.Env.Plan.Unlimited() {
		return maxInference
	}
	return max(s.Env.Until(until), minSearch)
}

// tells reports whether a tree is a relation that somebody would write down: an equality,
// or that one text or list holds another. What is put together of truth values, or bounds
// something by what is no output, holds for many reasons; and an order that holds for all
// inputs at hand often fails at the next threshold.
func tells(x *law.Expr, outputs []int) bool {
	quiet := func(of *law.Expr) bool { return !slices.ContainsFunc(outputs, of.Reads) }
	return !slices.ContainsFunc(x.Nodes(), func(n *law.Expr) bool {
		switch n.Op() {
		case law.Not, law.And, law.Or, law.Implies, law.Less, law.AtMost:
			return true
		case law.Equal:
			return slices.ContainsFunc(n.Args(), func(of *law.Expr) bool { return of.Kind() == law.Bool && of.Op() != law.Read })
		case law.Min, law.Max:
			return slices.ContainsFunc(n.Args(), quiet)
		}
		return false
	})
}

// pairs returns a row for each input: its arguments, those of the follow-up input, and the
// results of both calls on base. What has no follow-up or no output is left out. What the
// transformation leaves as it is shows nothing, but a relation has to be true of it, too:
// it is there if everything is asked for.
func (s *Stage) pairs(ctx context.Context, p *reach.Package, e *evolved, t genetic.Transform, inputs [][]any, everything bool) ([][]any, error) {
	type pair struct{ source, follow []any }
	var all []pair
	var ask [][]any
	for _, in := range inputs {
		if follow, changed := t.Apply(in); (changed || everything && follow != nil) && e.shape.takes(follow) {
			all = append(all, pair{in, follow})
			ask = append(ask, in, follow)
		}
	}
	if err := s.record(ctx, p, e, ask); err != nil {
		return nil, err
	}
	var rows [][]any
	for _, x := range all {
		a, b := e.seen[keyOf(x.source)], e.seen[keyOf(x.follow)]
		if a != nil && b != nil {
			rows = append(rows, slices.Concat(x.source, x.follow, a, b))
		}
	}
	return rows, nil
}

// record runs inputs on base that have not been, and keeps their outputs.
func (s *Stage) record(ctx context.Context, p *reach.Package, e *evolved, inputs [][]any) error {
	var keys []string
	var todo []wire.Sequence
	for _, in := range inputs {
		key := keyOf(in)
		if _, known := e.seen[key]; known {
			continue
		}
		e.seen[key] = nil
		keys, todo = append(keys, key), append(todo, e.shape.sequence(e.op, in))
	}
	out, err := p.Search.Values(ctx, int(version.Base), todo)
	for i := range out {
		e.seen[keys[i]] = e.shape.results(out[i])
	}
	return err
}

// checkEvolved checks a relation that the search has found: on base with all inputs at
// hand, and on head with the same.
func (s *Stage) checkEvolved(ctx context.Context, p *reach.Package, e *evolved, t genetic.Transform, tree *law.Expr, base *law.Evaluator, table *law.Table) error {
	verdicts := base.Verdicts(tree)
	if slices.Contains(verdicts, law.Fails) {
		return nil // true of what the search has seen, and of no more
	}
	n := len(e.shape.in)
	var todo []wire.Sequence
	var of []int
	outputs := map[string]bool{}
	for i, v := range verdicts {
		row := table.Row(i)
		if v == law.Holds && keyOf(row[:n]) != keyOf(row[n:2*n]) {
			of = append(of, i)
			todo = append(todo, e.shape.sequence(e.op, row[:n]), e.shape.sequence(e.op, row[n:2*n]))
			outputs[keyOf(row[2*n:])] = true
		}
	}
	if len(of) < minGroups || len(outputs) < minOutputs {
		return nil
	}
	written := e.shape.written(e.subject, t, tree)
	r := s.relationEvent(p, e.op, written, event.Kept, len(of))
	r.ID = sumOf([]byte(r.Package + "\n" + r.Function + "\n" + r.Relation))[:8]
	head, err := p.Search.Values(ctx, int(version.Head), todo)
	if err != nil {
		return err
	}
	broken := -1
	for k, i := range of {
		verdict := e.shape.verdict(tree, table.Variables(), table.Row(i), head[2*k], head[2*k+1])
		if verdict != law.Fails {
			continue
		}
		r.Failing++
		if broken < 0 || textLength(table.Row(i)[:n]) < textLength(table.Row(of[broken])[:n]) {
			broken = k
		}
	}
	if broken < 0 {
		s.keep(r, written, e.subject)
		return nil
	}
	r.State = event.Broken
	return s.confirmEvolved(ctx, p, e, tree, table, of[broken], r, written)
}

// confirmEvolved runs the group that shows a relation to be broken again, in fresh
// processes, and books the relation if it is so each time.
func (s *Stage) confirmEvolved(ctx context.Context, p *reach.Package, e *evolved, tree *law.Expr, table *law.Table, at int, r event.Relation, written relation.Relation) error {
	n, row := len(e.shape.in), table.Row(at)
	group := []wire.Sequence{e.shape.sequence(e.op, row[:n]), e.shape.sequence(e.op, row[n:2*n])}
	var last [2][]wire.Valued
	for range s.Env.Repetitions {
		again, err := p.Search.FreshValues(ctx, group)
		if err != nil && !errors.Is(err, calls.ErrEnded) {
			return err
		}
		if err != nil ||
			e.shape.verdict(tree, table.Variables(), row, again[version.Base][0], again[version.Base][1]) != law.Holds ||
			e.shape.verdict(tree, table.Variables(), row, again[version.Head][0], again[version.Head][1]) != law.Fails {
			s.Unconfirmed++
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: r.Function, Reason: fmt.Sprintf("that %s does not hold any more did not repeat in fresh processes", r.Relation)})
			return nil
		}
		last = again
	}
	for k := range group {
		r.Counterexample = append(r.Counterexample, event.RelatedCall{
			Call: e.subject.Short + "(" + strings.Join(texts(row[k*n:(k+1)*n]), ", ") + ")",
			Base: strings.Join(texts(e.shape.results(last[version.Base][k])), ", "),
			Head: strings.Join(texts(e.shape.results(last[version.Head][k])), ", ")})
	}
	s.keep(r, written, e.subject)
	return nil
}

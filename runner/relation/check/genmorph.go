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
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
	"github.com/isodelta/isodelta/runner/relation/virtual"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// maxTransforms bounds the transformations of one function's inputs, and comparedTransforms
	// where versions are compared and other evidence needs the time; guesses.
	maxTransforms      = 16
	comparedTransforms = 6
	// recordedInputs are recorded of a function for a search, and freshInputs for judging
	// what it finds.
	recordedInputs = 300
	freshInputs    = 2000
	// minPairs of a source input and its follow-up, both with calls that return, are
	// needed for a search.
	minPairs = 40
	// refutingGroups are looked at for which virtual mutants a relation refutes.
	refutingGroups = 400
	// minEvolving is what the relations of one function have at least, as long as there is
	// any time: else no function would have enough for a single search.
	minEvolving = time.Second
	// minSearch is what the search for one transformation needs at least.
	minSearch = 300 * time.Millisecond
)

// evolved is a function whose relations are evolved (GenMorph), with what it does on base.
type evolved struct {
	*shape
	constants     []any // of its code
	mutants       *virtual.Mutants
	known         map[string]*observation // on base, by the call; nil for a call that gives nothing
	inputs, fresh []wire.Sequence         // for the search, and for judging what it finds
	searched      *searched               // before, and now
	unjudged      int                     // relations without enough evidence, see isWhole
}

// evolveAll searches relations of functions on base by genetic programming, and checks
// them on both versions with inputs that the search has not seen. Functions of numbers
// alone are package automr's.
func (s *Stage) evolveAll(ctx context.Context, p *reach.Package, list []relatedFunction, until time.Time) error {
	var late []string
	for i, f := range list {
		name := p.API.Op(f.op).Name
		now := s.Env.Now()
		if !s.hasTime(until) {
			late = append(late, name)
			continue
		}
		left, err := s.evolve(ctx, p, f, list, now.Add(max(until.Sub(now)/time.Duration(len(list)-i), minEvolving)))
		switch {
		case errors.Is(err, calls.ErrEnded):
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: name, Reason: "no further relations were evolved of it: " + err.Error()})
		case err != nil:
			return err
		case left > 0 && s.Everything:
			s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: name, Reason: fmt.Sprintf("no time was left to evolve relations of it under %d transformations", left)})
		case left > 0:
			late = append(late, name)
		}
	}
	if len(late) > 0 {
		s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: p.Path,
			Reason: fmt.Sprintf("no time was left to evolve all relations of %d of %d functions", len(late), len(list))})
	}
	return nil
}

// evolve searches and checks the relations of one function of a list. It returns how many
// transformations there was no time for.
func (s *Stage) evolve(ctx context.Context, p *reach.Package, f relatedFunction, list []relatedFunction, until time.Time) (left int, err error) {
	if !s.hasTime(until) {
		return 1, nil // at least
	}
	e, err := s.evolvable(ctx, p, f, list)
	if err != nil || e == nil {
		return 0, err
	}
	if err := s.leaveOutDiffering(ctx, p, e); err != nil {
		return 0, err
	}
	e.searched = s.searchedBefore(p.API.Op(f.op), e)
	defer func() {
		s.notJudged(p.API.Op(f.op), e.unjudged)
		e.searched.put(s, p.API.Op(f.op).Name)
	}()
	transforms := s.transforms(e)
	for i, t := range transforms {
		now := s.Env.Now()
		if !s.hasTime(until) {
			return len(transforms) - i, nil
		}
		end := now.Add(max(until.Sub(now)/time.Duration(len(transforms)-i), minSearch))
		if err := s.evolveUnder(ctx, p, e, t, end); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// hasTime reports whether there is time for a search that has to end at a time.
func (s *Stage) hasTime(end time.Time) bool {
	return s.Env.Plan.Unlimited() || s.Env.Until(end) >= minSearch
}

// evolvable returns a function with its observers and inputs, nil if there is nothing to
// evolve of it.
func (s *Stage) evolvable(ctx context.Context, p *reach.Package, f relatedFunction, list []relatedFunction) (*evolved, error) {
	subject := p.API.Subject(f.op)
	if subject == nil || slices.ContainsFunc(p.API.Numeric, func(n surface.Numeric) bool { return n.Op == f.op }) {
		return nil, nil
	}
	h, ok := shapeOf(f.op, subject)
	if !ok {
		return nil, nil
	}
	h.own = s.newEvidence(p.API.Op(f.op), version.Base)
	if err := s.observe(ctx, p, h, f.sources); err != nil || !h.tells() {
		return nil, err
	}
	written, before := s.literalsOf(p, p.API.Op(f.op)), h.methodCalls(list, p.API.Subject)
	random := rand.New(rand.NewPCG(uint64(s.Env.Seed), 0))
	e := &evolved{shape: h, constants: genetic.Constants(written.points), mutants: virtual.New(written.points), known: map[string]*observation{},
		inputs: h.inputs(f.sources, before, written, recordedInputs, random), fresh: h.inputs(f.sources, before, written, freshInputs, random)}
	if len(h.after) == 0 && len(h.shown) == 0 {
		return e, nil
	}
	if err := s.record(ctx, p, e, e.inputs); err != nil {
		return nil, err
	}
	e.shape, e.known = h.withoutIdle(e.known), map[string]*observation{}
	if !e.tells() {
		return nil, nil
	}
	return e, nil
}

// transforms returns the transformations of a function's inputs that are tried, spread over
// its inputs; nil among them stands for the call alone.
func (s *Stage) transforms(e *evolved) []*genetic.Transform {
	var kinds []law.Kind
	for _, c := range e.in {
		kinds = append(kinds, c.kind)
	}
	var out []*genetic.Transform
	if len(e.state) > 0 {
		out = append(out, nil)
	}
	most := maxTransforms
	if !s.Everything {
		most = comparedTransforms
	}
	for _, t := range genetic.Spread(genetic.Transforms(kinds, e.constants), most) {
		out = append(out, &t)
	}
	return out
}

// evolveUnder searches and checks the relations of a function under one transformation.
// Without one they are relations of a single call.
func (s *Stage) evolveUnder(ctx context.Context, p *reach.Package, e *evolved, t *genetic.Transform, until time.Time) error {
	groups, err := s.groups(ctx, p, e, t, e.inputs, false)
	if err != nil || len(groups) < minPairs {
		return err
	}
	variables, _, _ := e.variables(t)
	trees, known := e.searched.trees(t, variables)
	if !known {
		if trees, err = s.search(ctx, p, e, t, groups, until); err != nil {
			return err
		}
	}
	if len(trees) == 0 {
		return nil
	}
	if groups, err = s.groups(ctx, p, e, t, slices.Concat(e.inputs, e.fresh), true); err != nil {
		return err
	}
	table, err := law.NewTable(variables, rowsOf(groups))
	if err != nil {
		return err
	}
	on := law.NewEvaluator(table)
	for _, x := range trees {
		if err := s.checkEvolved(ctx, p, e, t, x, on.Verdicts(x), groups); err != nil {
			return err
		}
	}
	return nil
}

// search evolves trees that may be relations of a function under one transformation.
func (s *Stage) search(ctx context.Context, p *reach.Package, e *evolved, t *genetic.Transform, groups []group, until time.Time) ([]*law.Expr, error) {
	variables, outputs, twins := e.variables(t)
	correct, err := law.NewTable(variables, rowsOf(groups))
	if err != nil {
		return nil, err
	}
	faulty, err := s.faulty(ctx, p, e, groups)
	if err != nil {
		return nil, err
	}
	problem := genetic.Problem{Variables: variables, Outputs: outputs, Pairs: twins, Constants: e.constants, Correct: correct,
		Accept:    func(x *law.Expr) bool { return genetic.Plain(x, outputs) },
		Incorrect: genetic.Perturb(correct, outputs, twins, faulty, rand.New(rand.NewPCG(uint64(s.Env.Seed), 0)))}
	limited, stop := context.WithTimeout(ctx, s.searchTime(until))
	defer stop()
	found, err := genetic.Evolve(limited, problem, genetic.Usual(s.Env.Seed))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var trees []*law.Expr
	for _, x := range found.Laws {
		trees = append(trees, x.Tree)
	}
	switch {
	case limited.Err() != nil:
		return trees, nil // what there was by then
	case err != nil:
		return nil, err
	}
	e.searched.add(t, trees)
	return trees, nil
}

const (
	// maxNegated bounds the conditions of a function that are negated for incorrect
	// executions, and negatedGroups the groups that each is tried on.
	maxNegated    = 6
	negatedGroups = 60
)

// faulty returns incorrect executions of groups: their rows with one condition of the
// function negated on base, where that gives anything else. A fault is met by both calls
// of a group, and a relation that is true of both outputs all the same does not see it.
func (s *Stage) faulty(ctx context.Context, p *reach.Package, e *evolved, groups []group) ([][]any, error) {
	var rows [][]any
	groups = groups[:min(len(groups), negatedGroups)]
	var runs []wire.Sequence
	for _, g := range groups {
		for _, in := range g.calls() {
			runs = append(runs, e.sequences(in)...)
		}
	}
	for _, negated := range s.conditionsOf(p, e.op) {
		out, err := p.Search.Values(ctx, int(version.Base), runs, negated)
		if errors.Is(err, calls.ErrEnded) {
			continue
		}
		if err != nil {
			return nil, err
		}
		seen := e.split(out, len(runs)/len(e.sequences(groups[0].source)))
		for _, g := range groups {
			n := len(g.calls())
			if row := e.rowOf(g, seen[0], seen[n-1]); row != nil && !slices.EqualFunc(row, g.row, law.EqualValues) {
				rows = append(rows, row)
			}
			seen = seen[n:]
		}
	}
	return rows, nil
}

// conditionsOf returns the conditions of a function on base that can be negated, by their
// numbers.
func (s *Stage) conditionsOf(p *reach.Package, op wire.Op) []int {
	o := p.API.Op(op)
	var out []int
	for _, c := range s.Matching.Versions[version.Base].Program.Conditions {
		if c.Negatable && c.Package == o.Package && (o.Name == c.Function || strings.HasSuffix(o.Name, "."+c.Function)) && len(out) < maxNegated {
			out = append(out, c.Index)
		}
	}
	return out
}

// searchTime is how long a search may take.
func (s *Stage) searchTime(until time.Time) time.Duration {
	if s.Env.Plan.Unlimited() {
		return maxInference
	}
	return max(s.Env.Until(until), minSearch)
}

// group is a metamorphic group: a source call and its follow-up, none in a group of one
// call.
type group struct {
	source, follow wire.Sequence
	row            []any // on base
	changed        bool  // the follow-up is another call
}

// calls are those of a group.
func (g group) calls() []wire.Sequence {
	if g.follow == nil {
		return []wire.Sequence{g.source}
	}
	return []wire.Sequence{g.source, g.follow}
}

func rowsOf(groups []group) [][]any {
	var out [][]any
	for _, g := range groups {
		out = append(out, g.row)
	}
	return out
}

// groups returns a group for each input, with what its calls give on base. What has no
// follow-up or gives nothing is left out. What the transformation leaves as it is shows
// nothing, but a relation has to be true of it, too: it is there if everything is asked
// for.
func (s *Stage) groups(ctx context.Context, p *reach.Package, e *evolved, t *genetic.Transform, inputs []wire.Sequence, everything bool) ([]group, error) {
	var all []group
	var ask []wire.Sequence
	for _, in := range inputs {
		g := group{source: in, changed: true}
		if t == nil {
			all, ask = append(all, g), append(ask, in)
			continue
		}
		values := e.values(in)
		if slices.Contains(values, nil) {
			continue
		}
		var follow []any
		if follow, g.changed = t.Apply(values); follow == nil || !g.changed && !everything {
			continue
		}
		var ok bool
		if g.follow, ok = e.with(in, follow); ok {
			all, ask = append(all, g), append(ask, in, g.follow)
		}
	}
	if err := s.record(ctx, p, e, ask); err != nil {
		return nil, err
	}
	var out []group
	for _, g := range all {
		if g.row = e.rowOf(g, e.known[key(g.source)], e.known[key(g.follow)]); g.row != nil {
			out = append(out, g)
		}
	}
	return out, nil
}

// rowOf is the row of a group, nil if one of its calls gave nothing.
func (h *shape) rowOf(g group, source, follow *observation) []any {
	if source == nil || g.follow != nil && follow == nil {
		return nil
	}
	if g.follow == nil {
		return h.row(h.values(g.source), nil, source, nil)
	}
	return h.row(h.values(g.source), h.values(g.follow), source, follow)
}

func key(p wire.Sequence) string { return string(p.Encode(nil)) }

// record runs calls on base that have not been, and keeps what was seen.
func (s *Stage) record(ctx context.Context, p *reach.Package, e *evolved, inputs []wire.Sequence) error {
	var todo []wire.Sequence
	for _, in := range inputs {
		if _, known := e.known[key(in)]; !known {
			e.known[key(in)] = nil
			todo = append(todo, in)
		}
	}
	seen, err := s.see(ctx, p, e.shape, version.Base, todo)
	for i, in := range todo {
		if i < len(seen) {
			e.known[key(in)] = seen[i]
		}
	}
	return err
}

// see observes calls on one version.
func (s *Stage) see(ctx context.Context, p *reach.Package, h *shape, side version.Side, inputs []wire.Sequence) ([]*observation, error) {
	var runs []wire.Sequence
	for _, in := range inputs {
		runs = append(runs, h.sequences(in)...)
	}
	out, err := p.Search.Values(ctx, int(side), runs)
	return h.split(out, len(inputs)), err
}

// split takes what runs gave apart by calls.
func (h *shape) split(values []wire.Valued, calls int) []*observation {
	var seen []*observation
	if calls == 0 {
		return nil
	}
	for list := range slices.Chunk(values, len(values)/calls) {
		seen = append(seen, h.observed(list))
	}
	return seen
}

// checkEvolved checks a relation that the search has found: on base with all inputs at
// hand, and on head with the same.
func (s *Stage) checkEvolved(ctx context.Context, p *reach.Package, e *evolved, t *genetic.Transform, tree *law.Expr, verdicts []law.Verdict, groups []group) error {
	if slices.Contains(verdicts, law.Fails) {
		return nil // true of what the search has seen, and of no more
	}
	var todo []wire.Sequence
	var of []group
	gives, before := map[string]bool{}, map[string]bool{}
	for i, g := range groups {
		if verdicts[i] != law.Holds || !g.changed {
			continue
		}
		of, todo = append(of, g), append(todo, g.calls()...)
		gives[fmt.Sprintf("%#v", g.row[len(g.row)-e.outputs():])] = true
		before[fmt.Sprintf("%#v", e.known[key(g.source)].before)] = true
	}
	if len(of) < minGroups || len(gives) < e.leastOutputs() || len(before) < e.leastStates() || isVacuous(tree, of) {
		return nil
	}
	written := e.written(t, tree)
	r := s.relationEvent(p, e.op, written, event.Kept, len(of))
	r.ID = sumOf([]byte(r.Package + "\n" + r.Function + "\n" + r.Relation))[:8]
	head, err := s.see(ctx, p, e.shape, version.Head, todo)
	if err != nil {
		return err
	}
	var broken *group
	for i, g := range of {
		if e.verdict(tree, g, head[:len(todo)/len(of)]) == law.Fails {
			r.Failing++
			if broken == nil || g.source.Size() < broken.source.Size() {
				broken = &of[i]
			}
		}
		head = head[len(todo)/len(of):]
	}
	switch {
	case broken == nil && !e.judges(verdicts, groups):
		e.unjudged++
		return nil
	case broken == nil:
		r.Refutes = e.refuted(tree, of)
		s.keep(r, written, e.subject)
	default:
		r.State = event.Broken
		if err := s.confirmEvolved(ctx, p, e, tree, *broken, r, written); err != nil {
			return err
		}
	}
	s.stand(r.ID, p, e.op, (&ofEvolved{s, p, e, t, tree, written}).assessor())
	return nil
}

// isVacuous reports whether too few groups could refute a relation between truth values: of
// one that implies another those where it is true, of two that are equal those of either
// value.
func isVacuous(tree *law.Expr, groups []group) bool {
	args := tree.Args()
	if len(args) != 2 || args[0].Kind() != law.Bool {
		return false
	}
	times := map[any]int{}
	for _, g := range groups {
		times[law.Value(args[0], g.row)]++
	}
	return times[true] < minGroups || tree.Op() != law.Implies && times[false] < minGroups
}

// judges reports whether the groups for which a relation holds took all branches of the
// function that calls are known to take.
func (e *evolved) judges(verdicts []law.Verdict, groups []group) bool {
	x := e.own
	x.known, x.taken = outcome.NewBits(8*len(x.known)), outcome.NewBits(8*len(x.taken))
	for _, o := range e.known {
		if o != nil && o.gives {
			x.input(o.branches)
		}
	}
	for i, g := range groups {
		if verdicts[i] != law.Holds {
			continue
		}
		for _, in := range g.calls() {
			x.group(e.known[key(in)].branches)
		}
	}
	return x.isWhole()
}

// refuted returns which virtual mutants a relation refutes, by groups that hold on base.
func (e *evolved) refuted(tree *law.Expr, groups []group) string {
	groups = groups[:min(len(groups), refutingGroups)]
	var list [][]virtual.Call
	for _, g := range groups {
		var calls []virtual.Call
		for _, in := range g.calls() {
			calls = append(calls, virtual.Call{Inputs: e.values(in), Outputs: e.known[key(in)].out, Branches: e.known[key(in)].branches})
		}
		list = append(list, calls)
	}
	return e.mutants.Refuted(list, func(i int, outputs [][]any) bool {
		var seen []*observation
		for k, in := range groups[i].calls() {
			seen = append(seen, &observation{before: e.known[key(in)].before, out: outputs[k]})
		}
		return e.verdict(tree, groups[i], seen) == law.Fails
	})
}

// verdict is what a group says of a relation, given what its calls show.
func (h *shape) verdict(tree *law.Expr, g group, seen []*observation) law.Verdict {
	row := h.rowOf(g, seen[0], seen[len(seen)-1])
	if row == nil {
		return law.Silent
	}
	switch law.Value(tree, row) {
	case true:
		return law.Holds
	case false:
		return law.Fails
	}
	return law.Silent
}

// confirmEvolved runs the group that shows a relation to be broken again, in fresh
// processes, and books the relation if it is so each time.
func (s *Stage) confirmEvolved(ctx context.Context, p *reach.Package, e *evolved, tree *law.Expr, g group, r event.Relation, written relation.Relation) error {
	members := g.calls()
	var runs []wire.Sequence
	for _, c := range members {
		runs = append(runs, e.sequences(c)...)
	}
	var seen version.Both[[]*observation]
	for range s.Env.Repetitions {
		again, err := p.Search.FreshValues(ctx, runs)
		if err != nil && !errors.Is(err, calls.ErrEnded) {
			return err
		}
		for side := range again {
			seen[side] = e.split(again[side], len(members))
		}
		if err != nil || e.verdict(tree, g, seen[version.Base]) != law.Holds || e.verdict(tree, g, seen[version.Head]) != law.Fails {
			s.Unconfirmed++
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: r.Function, Reason: fmt.Sprintf("that %s does not hold any more did not repeat in fresh processes", r.Relation)})
			return nil
		}
	}
	code, noCode, err := p.Search.Written(ctx, g.source)
	if err != nil {
		return err
	}
	entered, err := p.Search.EnteredBy(ctx, members)
	if err != nil {
		return err
	}
	r.Changed = s.Matching.Entered(entered)
	args := e.argumentsIn(code)
	for k, c := range members {
		r.Counterexample = append(r.Counterexample, event.RelatedCall{Call: e.told(g.source, c, args, seen[version.Base][k]),
			Base: e.toldOutputs(seen[version.Base][k]), Head: e.toldOutputs(seen[version.Head][k])})
	}
	s.keep(r, written, e.subject)
	if spec, ok := s.specOf(p, written, code, noCode); ok {
		s.specs[r.ID] = spec
	}
	return nil
}

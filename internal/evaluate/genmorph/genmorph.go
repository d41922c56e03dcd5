package genmorph

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
	"github.com/isodelta/isodelta/runner/relation/virtual"
)

// What package check uses in isodelta relations infer.
const (
	trainingInputs = 300
	freshInputs    = 2000
	maxTransforms  = 16
	maxNegated     = 6
	negatedGroups  = 60
	minPairs       = 40
	minGroups      = 15
	minOutputs     = 3
	mostShown      = 5
	refutingGroups = 400
)

// Run measures the methods, prints a table to out, then the figures; progress goes to log.
// An error is an *options.UsageError, flag.ErrHelp, or that of the first method that could
// not be measured.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	opt, err := parse(args, log)
	if err != nil {
		return err
	}
	var p *program
	about := rig.Circumstances{Name: "genmorph", Args: args, Seed: opt.seed, Mutants: opt.mutants, Subjects: opt.methods}
	return rig.Run(ctx, about, []string{"genmorph"}, func(w *rig.Workspace) []rig.Part {
		return []rig.Part{rig.PartOf(w, "genmorph", opt.methods, func(ctx context.Context, name string) (row, error) {
			if p == nil {
				var err error
				if p, err = newProgram(ctx, w, opt.seed); err != nil {
					return row{}, err
				}
			}
			all := methodsOf()
			s := &study{program: p, method: all[slices.IndexFunc(all, func(m method) bool { return m.name == name })], opt: opt, known: map[string]any{}}
			return s.measure(ctx)
		}, func(out io.Writer, f *figure.Set, rows []row) error { return tell(out, f, rows, opt.list) })}
	}, out, log)
}

// study is one method under measurement.
type study struct {
	program   *program
	method    method
	opt       settings
	known     map[string]any // outputs of the original
	constants []any          // of its code
	virtual   *virtual.Mutants
}

// found is a relation that a search told.
type found struct {
	transform genetic.Transform
	tree      *law.Expr
	text      string
	refutes   string       // virtual mutants
	fresh     bool         // true of all fresh inputs
	measured  bool         // and of those for measuring
	violated  map[int]bool // mutants by which it fails
	kills     map[int]bool // those, and mutants that panic, fail or hang in a group
}

// row is what came of a method.
type row struct {
	method    string
	mutants   int
	relations []found
	shown     []found
	seconds   float64 // of searching and judging
	// Mutants that a generated suite detects: by its recorded outputs, and with relations.
	recorded, withRelations int
}

// random returns the source of inputs for a purpose: of the three, no two have the same
// seed, and none has that of the search.
func (s *study) random(purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(s.opt.seed+1, purpose))
}

func (s *study) measure(ctx context.Context) (row, error) {
	r := row{method: s.method.name}
	began := time.Now()
	train, err := s.inputs(ctx, training, trainingInputs, 1)
	if err != nil {
		return r, err
	}
	judged, err := s.inputs(ctx, fresh, freshInputs, 2)
	if err != nil {
		return r, err
	}
	judged = slices.Concat(train, judged)
	points := s.program.constants(s.method)
	s.constants, s.virtual = genetic.Constants(points), virtual.New(points)
	for _, t := range genetic.Spread(genetic.Transforms(s.method.in, s.constants), maxTransforms) {
		list, err := s.search(ctx, t, train, judged)
		if err != nil {
			return r, err
		}
		r.relations = append(r.relations, list...)
	}
	r.seconds = time.Since(began).Seconds()
	return r, s.detect(ctx, &r)
}

// inputs draws inputs. At least half of them give something, as those do that package
// check gets from the tests and from its search.
func (s *study) inputs(ctx context.Context, draw generator, n int, purpose uint64) ([][]any, error) {
	all := s.method.inputs(draw, 20*n, s.random(purpose))
	if err := s.record(ctx, all); err != nil {
		return nil, err
	}
	var out, without [][]any
	for _, in := range all {
		switch {
		case s.known[keyOf(in)] == nil:
			without = append(without, in)
		case len(out) < n:
			out = append(out, in)
		}
	}
	return append(out, without[:min(len(without), len(out), n-len(out))]...), nil
}

// faulty returns incorrect executions of groups: with one condition of the method negated.
func (s *study) faulty(ctx context.Context, groups []group, correct [][]any) ([][]any, error) {
	groups = groups[:min(len(groups), negatedGroups)]
	var ask, rows [][]any
	for _, g := range groups {
		ask = append(ask, g.source, g.follow)
	}
	for _, m := range s.program.negations(s.method) {
		out, err := s.program.run(ctx, s.method, m.ID, ask)
		if err != nil {
			return nil, err
		}
		for i, g := range groups {
			if a, b := out[2*i].value, out[2*i+1].value; a != nil && b != nil {
				if row := rowOf(g, a, b); keyOf(row) != keyOf(correct[i]) {
					rows = append(rows, row)
				}
			}
		}
	}
	return rows, nil
}

// group is a source input with its follow-up.
type group struct{ source, follow []any }

// groups runs groups with the original.
func (s *study) groups(ctx context.Context, t genetic.Transform, inputs [][]any, everything bool) (groups []group, rows [][]any, err error) {
	var ask [][]any
	var all []group
	for _, in := range inputs {
		follow, changed := t.Apply(in)
		if follow == nil || !changed && !everything {
			continue
		}
		all = append(all, group{in, follow})
		ask = append(ask, in, follow)
	}
	if err := s.record(ctx, ask); err != nil {
		return nil, nil, err
	}
	for _, g := range all {
		a, b := s.known[keyOf(g.source)], s.known[keyOf(g.follow)]
		if a != nil && b != nil {
			groups, rows = append(groups, g), append(rows, rowOf(g, a, b))
		}
	}
	return groups, rows, nil
}

func rowOf(g group, a, b any) []any {
	return slices.Concat(g.source, g.follow, []any{a, b})
}

// record runs inputs with the original that have not been.
func (s *study) record(ctx context.Context, inputs [][]any) error {
	var todo [][]any
	for _, in := range inputs {
		if _, ok := s.known[keyOf(in)]; !ok {
			s.known[keyOf(in)] = nil
			todo = append(todo, in)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	out, err := s.program.run(ctx, s.method, 0, todo)
	for i, o := range out {
		if x, ok := o.value.(float64); !ok || x-x == 0 { // neither infinite nor no number
			s.known[keyOf(todo[i])] = o.value
		}
	}
	return err
}

// variables are the columns of a row.
func (s *study) variables(t genetic.Transform) (all []law.Variable, outputs []int) {
	follow := t.Math(s.method.params)
	for _, names := range [][]string{s.method.params, follow} {
		for i, name := range names {
			all = append(all, law.Variable{Math: name, Go: name, Kind: s.method.in[i]})
		}
	}
	for _, args := range [][]string{s.method.params, follow} {
		outputs = append(outputs, len(all))
		name := s.method.name + "(" + strings.Join(args, ", ") + ")"
		all = append(all, law.Variable{Math: name, Go: name, Kind: s.method.out})
	}
	return all, outputs
}

// search evolves relations under one transformation and judges them on fresh inputs.
func (s *study) search(ctx context.Context, t genetic.Transform, train, judged [][]any) ([]found, error) {
	groups, rows, err := s.groups(ctx, t, train, false)
	if err != nil || len(rows) < minPairs {
		return nil, err
	}
	variables, outputs := s.variables(t)
	correct, err := law.NewTable(variables, rows)
	if err != nil {
		return nil, err
	}
	faulty, err := s.faulty(ctx, groups, rows)
	if err != nil {
		return nil, err
	}
	twins := [][2]int{{outputs[0], outputs[1]}}
	result, err := genetic.Evolve(ctx, genetic.Problem{Variables: variables, Outputs: outputs, Pairs: twins, Constants: s.constants, Correct: correct,
		Accept:    func(x *law.Expr) bool { return genetic.Plain(x, outputs) },
		Incorrect: genetic.Perturb(correct, outputs, twins, faulty, rand.New(rand.NewPCG(s.opt.seed, 0)))}, genetic.Usual(int64(s.opt.seed)))
	if err != nil {
		return nil, err
	}
	if groups, rows, err = s.groups(ctx, t, judged, true); err != nil {
		return nil, err
	}
	table, err := law.NewTable(variables, rows)
	if err != nil {
		return nil, err
	}
	least := minOutputs
	if s.method.out == law.Bool {
		least = 2 // there are no more
	}
	on := law.NewEvaluator(table)
	var out []found
	for _, x := range result.Laws {
		verdicts, n, gives := on.Verdicts(x.Tree), 0, map[string]bool{}
		for i, v := range verdicts {
			if v == law.Holds && keyOf(groups[i].source) != keyOf(groups[i].follow) {
				n++
				gives[keyOf(rows[i][len(rows[i])-1:])] = true
			}
		}
		if n < minGroups || len(gives) < least {
			continue
		}
		out = append(out, found{transform: t, tree: x.Tree, refutes: s.refuted(x.Tree, groups), text: law.Notation(x.Tree, variables), fresh: !slices.Contains(verdicts, law.Fails), violated: map[int]bool{}, kills: map[int]bool{}})
	}
	return out, nil
}

// refuted returns which virtual mutants a relation refutes, as package check tells it.
func (s *study) refuted(tree *law.Expr, groups []group) string {
	groups = groups[:min(len(groups), refutingGroups)]
	var list [][]virtual.Call
	for _, g := range groups {
		call := func(in []any) virtual.Call { return virtual.Call{Inputs: in, Outputs: []any{s.known[keyOf(in)]}} }
		list = append(list, []virtual.Call{call(g.source), call(g.follow)})
	}
	return s.virtual.Refuted(list, func(i int, outputs [][]any) bool {
		return law.Value(tree, rowOf(groups[i], outputs[0][0], outputs[1][0])) == false
	})
}

// detect judges relations on the inputs for measuring, and runs those that are true of
// them on the mutants.
func (s *study) detect(ctx context.Context, r *row) error {
	inputs, err := s.inputs(ctx, measuring, s.opt.inputs, 3)
	if err != nil {
		return err
	}
	of := make([][]group, len(r.relations))
	var ask [][]any
	for i := range r.relations {
		x := &r.relations[i]
		if !x.fresh {
			continue
		}
		groups, rows, err := s.groups(ctx, x.transform, inputs, true)
		if err != nil {
			return err
		}
		x.measured = true
		for _, row := range rows {
			x.measured = x.measured && law.Value(x.tree, row) != false
		}
		if !x.measured {
			continue
		}
		of[i] = groups
		for _, g := range groups {
			ask = append(ask, g.source, g.follow)
		}
	}
	mutants := s.program.of(s.method, s.opt.mutants)
	r.mutants = len(mutants)
	slices.SortFunc(ask, func(a, b []any) int { return strings.Compare(keyOf(a), keyOf(b)) })
	ask = slices.CompactFunc(ask, func(a, b []any) bool { return keyOf(a) == keyOf(b) })
	var lock sync.Mutex
	if len(ask) > 0 {
		if err := mutant.Each(ctx, mutants, func(ctx context.Context, _ int, m mutant.Mutant) error {
			out, err := s.program.run(ctx, s.method, m.ID, ask)
			if err != nil {
				return err
			}
			given := map[string]outcome{}
			for i, o := range out {
				given[keyOf(ask[i])] = o
			}
			lock.Lock()
			defer lock.Unlock()
			for i, x := range r.relations {
				violated, ended := judge(x.tree, of[i], given)
				if violated {
					x.violated[m.ID] = true
				}
				if violated || ended {
					x.kills[m.ID] = true
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	r.shown = s.shown(r.relations)
	return s.addToSuite(ctx, r)
}

// judge reports whether a relation fails for any group, and whether a call of a group ended
// in another way than by returning. With the original, all these calls return.
func judge(tree *law.Expr, groups []group, given map[string]outcome) (violated, ended bool) {
	for _, g := range groups {
		a, b := given[keyOf(g.source)], given[keyOf(g.follow)]
		ended = ended || a.ended || b.ended
		if a.value != nil && b.value != nil && law.Value(tree, rowOf(g, a.value, b.value)) == false {
			return true, ended
		}
	}
	return false, ended
}

// shown are the relations that isodelta would list: of those that fresh inputs leave.
func (s *study) shown(list []found) []found {
	var events []event.Relation
	of := map[string]found{}
	for _, x := range list {
		if _, known := of[x.text]; x.fresh && !known {
			of[x.text] = x
			events = append(events, event.Relation{ID: x.text, Function: s.method.name, Name: "evolved, " + x.transform.Name, Relation: x.text, Source: event.GenMorph, State: event.Kept, Refutes: x.refutes})
		}
	}
	chosen, _ := report.WorthReading(events, mostShown)
	var out []found
	for _, e := range chosen {
		out = append(out, of[e.ID])
	}
	return out
}

package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/automr"
	"github.com/isodelta/isodelta/runner/relation/virtual"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// inferredGroups are checked of each inferred relation.
	inferredGroups = 200
	// usualGroups more have inputs up to usualMost.
	usualGroups = 4000
	usualMost   = 1000
	// maxPoint bounds the constants that are taken for thresholds, and maxDomain those
	// that widen what is searched; guesses.
	maxPoint  = 1e6
	maxDomain = 1e4
	// minInference is what an inference needs at least; less is not begun.
	minInference = 500 * time.Millisecond
	// maxInference bounds the inference of one function.
	maxInference = time.Minute
)

// inferAll infers relations of a function of numbers on base and checks
// them on both versions with the same groups (AutoMR).
func (s *Stage) inferAll(ctx context.Context, p *reach.Package, f relatedFunction, until time.Time) error {
	api, op := p.API, f.op
	i := slices.IndexFunc(api.Numeric, func(n surface.Numeric) bool { return n.Op == op })
	adapter := p.Search.Adapter(op)
	if i < 0 || adapter < 0 || s.Method == "off" {
		return nil
	}
	n := api.Numeric[i]
	points := s.points(api.Op(op))
	program := automr.Program{Name: api.Op(op).Function.Name(), Params: n.Params, In: len(n.Params), Out: n.Out, Integer: n.Integer,
		Domain: domainOf(n, points), Points: points,
		Eval: func(ctx context.Context, in [][]float64) ([][]float64, error) {
			return p.Search.Numbers(ctx, 0, adapter, in)
		}}
	random := rand.New(rand.NewSource(s.Env.Seed))
	var usual [][]float64
	for range 50 {
		usual = append(usual, usualNumbers(n, points, random))
	}
	varies, err := p.Search.Varies(ctx, adapter, usual)
	switch {
	case errors.Is(err, calls.ErrEnded):
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: api.Op(op).Name, Reason: "no relations were inferred of it: " + err.Error()})
		return nil
	case err != nil:
		return err
	case varies:
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: api.Op(op).Name, Reason: "no relations were inferred of it: it gives different outputs for the same input"})
		return nil
	}
	found, err := s.infer(ctx, api.Op(op), n, program, until)
	if err != nil {
		return err
	}
	var broken []suspect
	mutants := virtual.New(points)
	for _, r := range found {
		s, err := s.checkInferred(ctx, p, f, adapter, n, program, mutants, r)
		if err != nil {
			return err
		}
		if s != nil {
			broken = append(broken, *s)
		}
	}
	return s.bookInferred(ctx, p, op, adapter, n, broken)
}

// infer returns the relations of a function on base, from what is kept or anew.
// Where time does not suffice, or the function ends the process, there are none,
// and a limit says so.
func (s *Stage) infer(ctx context.Context, o surface.Operation, n surface.Numeric, program automr.Program, until time.Time) ([]automr.Relation, error) {
	opt := automr.Options{Seed: s.Env.Seed, Method: s.Method, Solver: s.Solver}
	kept := inferred[[]automr.Relation]{s.Cache}
	key := s.numericKey(o, n, program.Points, opt)
	if list, ok := kept.get(key); ok {
		return list, nil
	}
	limit := maxInference
	if !s.Env.Plan.Unlimited() {
		limit = min(limit, s.Env.Until(until))
	}
	if limit < minInference {
		s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: o.Name, Reason: "no time was left to infer relations of it"})
		return nil, nil
	}
	ictx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	result, err := automr.Infer(ictx, program, opt)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) || ictx.Err() != nil:
		s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: o.Name, Reason: fmt.Sprintf("no relations were inferred of it within %s", limit.Round(100*time.Millisecond))})
		return nil, nil
	case err != nil:
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: o.Name, Reason: "no relations were inferred of it: " + err.Error()})
		return nil, nil
	}
	if err := kept.put(key, result.Relations); err != nil {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: o.Name, Reason: "the relations inferred of it were not kept for the next run: " + err.Error()})
	}
	return result.Relations, nil
}

// FindSolver returns the path of an SMT solver, "" without one: it decides about
// the implication of inequalities that are not linear.
func FindSolver() string {
	for _, name := range []string{"z3", "cvc5"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// points are the constants of a function on either version, those aside that hardly
// are thresholds of what people put in.
func (s *Stage) points(o surface.Operation) []float64 {
	var out []float64
	for _, side := range version.Sides {
		for _, x := range surface.Constants(s.Matching.Versions[side].Tree, o.Package, o.At[side]) {
			if math.Abs(x) <= maxPoint {
				out = append(out, x)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// domainOf is the paper's 0 to 20, widened to where the function's own constants are
// on both sides of what is looked at, as far as the parameters' types hold it.
func domainOf(n surface.Numeric, points []float64) []automr.Interval {
	low, high := 0.0, 20.0
	for _, x := range points {
		if math.Abs(x) <= maxDomain {
			low, high = math.Min(low, 1.5*x), math.Max(high, 1.5*x)
		}
	}
	var out []automr.Interval
	for i := range n.Params {
		out = append(out, automr.Interval{Min: math.Max(math.Floor(low), n.Min[i]), Max: math.Min(math.Ceil(high), n.Max[i])})
	}
	return out
}

// usualNumbers returns inputs up to a thousand, or twice the largest point, half of them
// with few digits, and some at points.
func usualNumbers(n surface.Numeric, points []float64, random *rand.Rand) []float64 {
	most := float64(usualMost)
	for _, x := range points {
		most = math.Max(most, 2*math.Abs(x))
	}
	if random.Intn(2) == 0 {
		most = usualMost
	}
	out := make([]float64, len(n.Params))
	round := random.Intn(2) == 0
	for i := range out {
		x := (2*random.Float64() - 1) * most
		if len(points) > 0 && random.Intn(4) == 0 {
			x = points[random.Intn(len(points))] + []float64{0, 1, -1}[random.Intn(3)]
		}
		if round || n.Integer[i] {
			x = math.Round(x)
		}
		out[i] = math.Min(math.Max(x, n.Min[i]), n.Max[i])
	}
	return out
}

// numberGroup is a metamorphic group of an inferred relation.
type numberGroup struct {
	in  [][]float64    // the source input first
	out [2][][]float64 // by version
}

// suspect is an inferred relation that seems to be broken, with the simplest
// group that shows it.
type suspect struct {
	event    event.Relation
	group    numberGroup
	relation automr.Relation
	written  relation.Relation
	noForm   error // why it cannot be written as Go
}

// checkInferred checks one relation with the same groups on both versions. What
// seems to be broken comes back, to be confirmed.
func (s *Stage) checkInferred(ctx context.Context, p *reach.Package, f relatedFunction, adapter int, n surface.Numeric, program automr.Program, mutants *virtual.Mutants, r automr.Relation) (*suspect, error) {
	op, sources, tested := f.op, f.sources, f.tested
	random := rand.New(rand.NewSource(s.Env.Seed))
	var groups []numberGroup
	add := func(source []float64) bool {
		follow := r.FollowUps(source, random)
		if follow == nil && r.Groups() > 1 {
			return false
		}
		groups = append(groups, numberGroup{in: append([][]float64{source}, follow...)})
		return true
	}
	of := map[int]int{} // group of a source program
	for k, s := range sources {
		if x, ok := p.API.NumbersOf(n, s); ok && add(x) {
			of[k] = len(groups) - 1
		}
	}
	for _, x := range r.Sources(program, s.Env.Seed, inferredGroups) {
		add(x)
	}
	// Where a law has exceptions, as at the turn of an angle, they mostly lie
	// among numbers that people use.
	for range usualGroups {
		add(usualNumbers(n, program.Points, random))
	}
	verdicts, err := s.runGroups(ctx, p, adapter, r, groups)
	if err != nil || verdicts == nil {
		return nil, err
	}
	if err := s.compareOutputs(ctx, p, n, groups); err != nil {
		return nil, err
	}
	written, noForm := polynomial(p.API.Subject(op), n, r)
	e := s.relationEvent(p, op, written, event.Kept, 0)
	e.ID = sumOf([]byte(e.Package + "\n" + e.Function + "\n" + e.Relation))[:8]
	var failing []numberGroup
	for i, v := range verdicts {
		if !v[0].says() || !v[1].says() {
			continue
		}
		e.Groups++
		if v[0] == groupFails {
			// Not a relation of base after all: what was inferred is dropped.
			return nil, nil
		}
		if v[1] == groupFails {
			failing = append(failing, groups[i])
		}
	}
	if e.Groups == 0 {
		return nil, nil
	}
	if form := r.OutputForm(); form != "" {
		for k, g := range of {
			for v := range tested.With {
				if k < len(tested.With[v]) && verdicts[g][v].says() {
					tested.With[v][k][form] = true
				}
			}
		}
	}
	if len(failing) == 0 {
		var onBase []automr.Group
		for _, g := range groups {
			onBase = append(onBase, automr.Group{In: g.in, Out: g.out[version.Base]})
		}
		e.Refutes = r.Refutes(mutants, onBase)
		s.keep(e, written, p.API.Subject(op))
		s.stand(e.ID, p, op, (&ofNumbers{s, p, op, adapter, n, r, written, noForm}).assessor())
		return nil, nil
	}
	e.State, e.Failing = event.Broken, len(failing)
	simpler, err := s.simplerGroups(ctx, p, adapter, n, r, failing)
	if err != nil {
		return nil, err
	}
	return &suspect{e, simpler[0], r, written, noForm}, nil
}

// maxUnlike bounds the inputs of one relation whose outputs differ and that
// are looked into as any calls are.
const maxUnlike = 20

// compareOutputs compares what both versions gave for each input of the groups.
// Where that differs, the input is called on both as any other.
func (s *Stage) compareOutputs(ctx context.Context, p *reach.Package, n surface.Numeric, groups []numberGroup) error {
	var unlike [][]byte
	for _, g := range groups {
		for i, in := range g.in {
			if len(unlike) < maxUnlike && !slices.Equal(g.out[0][i], g.out[1][i]) {
				unlike = append(unlike, p.API.SequenceOf(n, in).Encode(nil))
			}
		}
	}
	if len(unlike) == 0 {
		return nil
	}
	return p.Search.Compare(ctx, unlike)
}

type groupVerdict byte

const (
	groupSilent groupVerdict = iota
	groupHolds
	groupFails
)

func (v groupVerdict) says() bool { return v != groupSilent }

// runGroups runs groups on both versions, fills in what they gave, and judges
// them; nil if the function ended a process.
func (s *Stage) runGroups(ctx context.Context, p *reach.Package, adapter int, r automr.Relation, groups []numberGroup) ([][2]groupVerdict, error) {
	var in [][]float64
	for _, g := range groups {
		in = append(in, g.in...)
	}
	verdicts := make([][2]groupVerdict, len(groups))
	for v := range 2 {
		out, err := p.Search.Numbers(ctx, v, adapter, in)
		if errors.Is(err, calls.ErrEnded) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		for i := range groups {
			h := len(groups[i].in)
			groups[i].out[v], out = out[:h], out[h:]
			verdicts[i][v] = judge(r, groups[i].in, groups[i].out[v])
		}
	}
	return verdicts, nil
}

func judge(r automr.Relation, in, out [][]float64) groupVerdict {
	holds, applicable := r.Holds(in, out)
	switch {
	case !applicable:
		return groupSilent
	case holds:
		return groupHolds
	}
	return groupFails
}

// bookInferred repeats the groups that show relations to be broken in fresh
// processes, all of a function together, and makes events of those that do so
// each time.
func (s *Stage) bookInferred(ctx context.Context, p *reach.Package, op wire.Op, adapter int, n surface.Numeric, broken []suspect) error {
	if len(broken) == 0 {
		return nil
	}
	var in [][]float64
	for _, x := range broken {
		in = append(in, x.group.in...)
	}
	repeats := make([]bool, len(broken))
	for i := range repeats {
		repeats[i] = true
	}
	for range s.Env.Repetitions {
		again, err := p.Search.FreshNumbers(ctx, adapter, in)
		if errors.Is(err, calls.ErrEnded) {
			again, err = [2][][]float64{make([][]float64, len(in)), make([][]float64, len(in))}, nil
		}
		if err != nil {
			return err
		}
		at := 0
		for i, x := range broken {
			to := at + len(x.group.in)
			repeats[i] = repeats[i] && sameRows(again[0][at:to], x.group.out[0]) && sameRows(again[1][at:to], x.group.out[1])
			at = to
		}
	}
	for i, x := range broken {
		e := x.event
		if !repeats[i] {
			s.Unconfirmed++
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: e.Function, Reason: fmt.Sprintf("that %s does not hold any more did not repeat in fresh processes", e.Relation)})
			continue
		}
		for k, row := range x.group.in {
			e.Counterexample = append(e.Counterexample, event.RelatedCall{Call: numericCall(p.API.Op(op).Function.Name(), n, row),
				Base: numbersText(n, x.group.out[0][k]), Head: numbersText(n, x.group.out[1][k])})
		}
		var ran []wire.Sequence
		for _, row := range x.group.in {
			ran = append(ran, p.API.SequenceOf(n, row))
		}
		entered, err := p.Search.EnteredBy(ctx, ran)
		if err != nil {
			return err
		}
		e.Changed = s.Matching.Entered(entered)
		s.keep(e, x.written, p.API.Subject(op))
		s.stand(e.ID, p, op, (&ofNumbers{s, p, op, adapter, n, x.relation, x.written, x.noForm}).assessor())
		if x.noForm == nil {
			s.specs[e.ID] = s.numberSpec(p, op, n, e, x.written, x.group.in[0])
		}
	}
	return nil
}

// simplerGroups are groups that hold on base and fail on head, the simplest
// first: those given, and those of rounder source inputs.
func (s *Stage) simplerGroups(ctx context.Context, p *reach.Package, adapter int, n surface.Numeric, r automr.Relation, failing []numberGroup) ([]numberGroup, error) {
	random := rand.New(rand.NewSource(s.Env.Seed))
	var more []numberGroup
	seen := map[string]bool{}
	for _, g := range failing[:min(len(failing), 20)] {
		for _, x := range rounder(g.in[0]) {
			key := fmt.Sprint(x)
			if seen[key] {
				continue
			}
			seen[key] = true
			if follow := r.FollowUps(x, random); follow != nil || r.Groups() == 1 {
				more = append(more, numberGroup{in: append([][]float64{x}, follow...)})
			}
		}
	}
	verdicts, err := s.runGroups(ctx, p, adapter, r, more)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(failing)
	for i, v := range verdicts {
		if v[0] == groupHolds && v[1] == groupFails {
			all = append(all, more[i])
		}
	}
	slices.SortStableFunc(all, func(a, b numberGroup) int { return cmp.Compare(a.length(), b.length()) })
	return all, nil
}

// length is how long a group is to read.
func (g numberGroup) length() int {
	n := 0
	for _, row := range g.in {
		for _, x := range row {
			n += len(strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	return n
}

// rounder returns inputs like x with fewer digits.
func rounder(x []float64) [][]float64 {
	var out [][]float64
	each := func(f func(float64) float64) {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = f(x[i])
		}
		out = append(out, y)
	}
	each(func(float64) float64 { return 1 })
	each(func(v float64) float64 { return math.Copysign(1, v) })
	each(math.Trunc)
	each(math.Round)
	for _, digits := range []float64{2, 10, 100} {
		each(func(v float64) float64 { return math.Round(v*digits) / digits })
	}
	for i := range x {
		for _, v := range []float64{0, 1, -1, 2, math.Trunc(x[i])} {
			y := slices.Clone(x)
			y[i] = v
			out = append(out, y)
		}
	}
	return out
}

func sameRows(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(a, b []float64) bool { return slices.Equal(a, b) })
}

// numericCall writes a call with numbers, those of a slice parameter together.
func numericCall(name string, n surface.Numeric, in []float64) string {
	var args []string
	at := 0
	for _, list := range n.Slices {
		if list == 0 {
			args = append(args, numberText(in[at]))
			at++
			continue
		}
		var elements []string
		for range list {
			elements = append(elements, numberText(in[at]))
			at++
		}
		args = append(args, "{"+strings.Join(elements, ", ")+"}")
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func numberText(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func numbersText(n surface.Numeric, out []float64) string {
	if out == nil {
		return "no output"
	}
	var list []string
	for _, x := range out {
		if n.Truth {
			list = append(list, strconv.FormatBool(x != 0))
		} else {
			list = append(list, numberText(x))
		}
	}
	return strings.Join(list, ", ")
}

package symbolic

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"runtime"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Question asks for inputs of a function that take a goal.
type Question struct {
	Site isomorph.Site
	// Condition says that the goal is an outcome of the condition that ends the site's
	// blocks; else it is to enter one of them.
	Condition bool
	Outcome   bool
	Entry     *ssa.Function // has the site, or leads to it
	Most      int           // inputs
}

// Outcome is what became of a question.
type Outcome struct {
	// Inputs are arguments for the entry, the receiver first. Nobody has tried them yet.
	Inputs [][]wire.Lit
	// Infeasible says that no arguments of the entry take the goal, whatever there is in
	// memory.
	Infeasible bool
	// Why says what the search could not look at, or gave up.
	Why string
	// Unmodelled are the kinds of instructions on these paths that have no equation, sorted.
	Unmodelled []string
	// Paths and Questions are how many paths ended, and how often a solver was asked.
	Paths, Questions int
}

const (
	maxRounds = 30 // of a block in one call, as in the paper
	maxCalls  = 8  // inlined in each other
	maxSteps  = 200_000
	maxPaths  = 2_000
)

// Search walks all paths through the entry towards the goal, as far as the bounds allow,
// the shortest first.
func Search(ctx context.Context, panel Panel, q Question) (out Outcome) {
	w := &walk{
		ctx: ctx, q: q, panel: panel, terms: NewTerms(), sizes: types.SizesFor("gc", runtime.GOARCH),
		firsts: map[int]value{}, unknowns: map[string]value{}, useful: useful(q), kinds: map[string]bool{},
	}
	if w.sizes == nil {
		w.sizes = types.SizesFor("gc", "amd64")
	}
	defer func() {
		// A form of the program that is not known must not end the search for others.
		if r := recover(); r != nil {
			out.Infeasible = false
			out.Why = fmt.Sprintf("the walk through the code failed: %v", r)
		}
	}()
	w.run()
	out = Outcome{Inputs: w.inputs, Why: w.why, Unmodelled: slices.Sorted(maps.Keys(w.kinds)), Paths: w.paths, Questions: w.questions}
	if ctx.Err() != nil {
		w.limit("the time was over")
		out.Why = w.why
	}
	switch {
	case w.feasible:
	case w.why != "":
	case q.Entry == q.Site.Function && q.Condition:
		out.Infeasible = true
	default:
		out.Why = "no arguments take it by way of this function"
	}
	return out
}

// useful are the blocks of the entry from which the goal can be reached. In the function
// that has it, calls do not count: each call of it begins with arguments of its own.
func useful(q Question) map[*ssa.BasicBlock]bool {
	if q.Entry != q.Site.Function {
		return q.Site.Leading
	}
	out := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if !out[b] {
			out[b] = true
			for _, p := range b.Preds {
				visit(p)
			}
		}
	}
	for b := range q.Site.Blocks {
		visit(b)
	}
	return out
}

// walk is one search.
type walk struct {
	ctx    context.Context
	q      Question
	panel  Panel
	terms  *Terms
	sizes  types.Sizes
	useful map[*ssa.BasicBlock]bool

	objects    []object
	firsts     map[int]value
	unknowns   map[string]value
	fresh      int     // unknowns that are no arguments
	axioms     []*Term // of unknown lengths
	lengths    []*Term
	hidden     []*Term // in fields that are not exported
	references int     // that lead from the arguments to memory, 2 for more

	arguments []value
	queue     []*state
	inputs    [][]wire.Lit
	feasible  bool            // the goal has a model, whether or not it can be written down
	why       string          // the first thing that was left out
	kinds     map[string]bool // of instructions that have no equation
	steps     int
	paths     int
	questions int
}

// state is a path under way.
type state struct {
	frames []*frame
	memory map[int]value
	path   []*Term // conditions, each clipped when the state is copied
	model  Model   // one for which they hold; nil where none is known
}

// frame is one call.
type frame struct {
	fn     *ssa.Function
	block  *ssa.BasicBlock
	before *ssa.BasicBlock
	at     int // index of the next instruction
	values map[ssa.Value]value
	rounds map[*ssa.BasicBlock]round
	result ssa.Value // of the caller
}

// round is how often a block was entered with more known of the arguments than before.
type round struct{ n, path int }

func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

func (s *state) clone() *state {
	out := &state{memory: maps.Clone(s.memory), path: slices.Clip(s.path), model: s.model}
	s.path = slices.Clip(s.path)
	for _, f := range s.frames {
		g := *f
		g.values, g.rounds = maps.Clone(f.values), maps.Clone(f.rounds)
		out.frames = append(out.frames, &g)
	}
	return out
}

// limit notes something that is left out: nothing is called infeasible any more.
func (w *walk) limit(why string) {
	if w.why == "" {
		w.why = why
	}
}

// unmodelled notes an instruction that there is no model of.
func (w *walk) unmodelled(what string, at ssa.Instruction) {
	w.kinds[what] = true
	if pos := at.Pos(); pos.IsValid() {
		p := at.Parent().Prog.Fset.Position(pos)
		w.limit(fmt.Sprintf("%s in line %d of %s has no equation", what, p.Line, at.Parent().Name()))
		return
	}
	w.limit(fmt.Sprintf("%s in %s has no equation", what, at.Parent().Name()))
}

func (w *walk) run() {
	fn := w.q.Entry
	switch {
	case len(fn.Blocks) == 0:
		w.limit("the function has no body")
		return
	case len(fn.FreeVars) > 0 || fn.Parent() != nil:
		w.limit("the condition is in a function literal")
		return
	case fn.TypeParams().Len() > 0 || fn.Signature.RecvTypeParams().Len() > 0:
		w.limit("the function has type parameters")
		return
	}
	f := &frame{fn: fn, values: map[ssa.Value]value{}, rounds: map[*ssa.BasicBlock]round{}}
	for i, p := range fn.Params {
		v := w.unknown(p.Type(), fmt.Sprintf("p%d", i), 0, false)
		w.arguments = append(w.arguments, v)
		f.values[p] = v
		w.references += references(p.Type(), 0)
	}
	first := &state{frames: []*frame{f}, memory: map[int]value{}, model: Model{}}
	for _, t := range w.axioms {
		if first.model.Eval(t) != 1 {
			first.model = nil // zeros are no model of lengths
		}
	}
	if w.enter(first, fn.Blocks[0]) {
		w.queue = append(w.queue, first)
	}
	for len(w.queue) > 0 && w.ctx.Err() == nil {
		s := w.queue[0]
		w.queue = w.queue[1:]
		for w.advance(s) {
			if w.steps++; w.steps > maxSteps {
				w.limit(fmt.Sprintf("more than %d instructions", maxSteps))
				return
			}
			if w.steps%256 == 0 && w.ctx.Err() != nil {
				return
			}
			if len(w.inputs) >= w.q.Most {
				return
			}
		}
		if w.paths++; w.paths > maxPaths {
			w.limit(fmt.Sprintf("more than %d paths", maxPaths))
			return
		}
	}
}

// conditions are what holds on a path, lengths included.
func (w *walk) conditions(s *state, more ...*Term) []*Term {
	return slices.Concat(w.axioms, s.path, more)
}

// assume goes on only where a condition holds. It reports whether that can be.
func (w *walk) assume(s *state, c *Term) bool {
	switch {
	case c.isConst(1):
		return true
	case c.isConst(0):
		return false
	}
	if s.model != nil && s.model.Holds(w.conditions(s, c)) {
		s.path = append(s.path, c)
		return true
	}
	w.questions++
	m, v := w.panel.Solve(w.ctx, w.conditions(s, c))
	s.path = append(s.path, c)
	s.model = m
	return v != Unsat
}

// restrict is like assume, and reports whether the path goes on, but what it leaves out was possible: no
// claim is made any more, unless it was not.
func (w *walk) restrict(s *state, c *Term, why string) bool {
	if !c.isConst(1) && w.why == "" {
		w.questions++
		if _, v := w.panel.Solve(w.ctx, w.conditions(s, w.terms.Not(c))); v != Unsat {
			w.limit(why)
		}
	}
	return w.assume(s, c)
}

// enter goes on in a block. It reports whether the path goes on.
func (w *walk) enter(s *state, b *ssa.BasicBlock) bool {
	f := s.top()
	if len(s.frames) == 1 && !w.useful[b] {
		return false
	}
	r := f.rounds[b]
	if r.n == 0 || r.path < len(s.path) {
		r.n++ // rounds that depend on no argument are bounded by all instructions
	}
	r.path = len(s.path)
	f.rounds[b] = r
	if r.n > maxRounds {
		w.limit(fmt.Sprintf("a loop of %s goes on for more than %d rounds", f.fn.Name(), maxRounds))
		return false
	}
	f.before, f.block, f.at = f.block, b, 0
	phis := map[ssa.Value]value{}
	for _, i := range b.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		f.at++
		ways := 0
		for k, p := range b.Preds {
			if p == f.before {
				phis[phi] = w.value(s, phi.Edges[k])
				ways++
			}
		}
		if ways != 1 {
			w.unmodelled("a choice of values", phi)
		}
	}
	maps.Copy(f.values, phis)
	if w.q.Site.Blocks[b] && !w.q.Condition {
		w.goal(s, w.terms.Bool(true))
		return false
	}
	return true
}

// decide puts both ways that a condition leaves open into the queue. It reports whether
// the path goes on by itself, which it never does.
func (w *walk) decide(s *state, i *ssa.If) bool {
	f := s.top()
	c, ok := w.value(s, i.Cond).(*Term)
	if !ok {
		w.unmodelled("a condition", i)
		c = w.anything(i.Cond.Type()).(*Term)
	}
	outcome := [2]*Term{c, w.terms.Not(c)} // true, false
	goal := -1
	if w.q.Condition && w.q.Site.Blocks[f.block] {
		goal = 1
		if w.q.Outcome {
			goal = 0
		}
		w.goal(s, outcome[goal])
	}
	var on []*state
	for k := range outcome {
		if k == goal && len(s.frames) == 1 {
			continue // it is taken; what comes behind it does not matter
		}
		// Where the code cannot go on there is nothing to ask.
		if len(s.frames) == 1 && !w.useful[f.block.Succs[k]] {
			continue
		}
		x := s.clone()
		if w.assume(x, outcome[k]) && w.enter(x, x.top().block.Succs[k]) {
			on = append(on, x)
		}
	}
	w.queue = append(w.queue, on...)
	return false
}

// goal asks for inputs that come here and for which a condition holds.
func (w *walk) goal(s *state, c *Term) {
	if len(w.inputs) >= w.q.Most || c.isConst(0) {
		return
	}
	all := w.conditions(s, c)
	w.questions++
	m, v := w.panel.Prove(w.ctx, all)
	switch v {
	case Unsat:
		return
	case Unknown:
		w.limit("no solver decided in time whether the equations of a path have a solution")
		return
	}
	w.feasible = true
	// Small inputs are wanted, and such as can be written down.
	for _, soft := range [][]*Term{append(w.small(16), w.shown()...), append(w.small(64), w.shown()...)} {
		w.questions++
		if better, v := w.panel.Solve(w.ctx, append(slices.Clone(all), soft...)); v == Sat {
			m = better
			break
		}
	}
	var args []wire.Lit
	for i, a := range w.arguments {
		l, ok := w.literal(m, w.q.Entry.Params[i].Type(), a)
		if !ok {
			w.limit("the solution has values that cannot be written down: long ones, or fields that are not exported")
			return
		}
		args = append(args, l)
	}
	w.inputs = append(w.inputs, args)
}

// small says that no length is more than a number.
func (w *walk) small(most int) []*Term {
	var out []*Term
	for _, t := range w.lengths {
		out = append(out, w.terms.Binary(ULt, t, w.word(most+1)))
	}
	return out
}

// shown says that fields that are not exported are zero.
func (w *walk) shown() []*Term {
	var out []*Term
	for _, t := range w.hidden {
		out = append(out, w.terms.Binary(Eq, t, w.terms.Const(t.Width, 0)))
	}
	return out
}

// anything is any value of a type, which no argument says.
func (w *walk) anything(t types.Type) value {
	w.fresh++
	return w.unknown(t, fmt.Sprintf("u%d", w.fresh), 0, false)
}

package isomorph

import (
	"context"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/load"
)

// Toward tells how far execution is from a goal: how many decisions lie between.
// Neither returns nor panics count: what a callee does before the goal is taken for
// something that comes back.
type Toward struct {
	// Outcomes are the decisions still ahead of a condition's outcomes, false and true, by
	// its place; -1 where the goal cannot be reached that way.
	Outcomes map[load.Place][2]int
	// Entries are those ahead of the entry of a declared function, by its place. Functions
	// that do not lead to the goal are missing.
	Entries map[load.Place]int
}

// Goal is a branch: an outcome of the condition at a place, or, where the branch has no
// condition of its own, what lies between two offsets of its file. Where Functions is not
// nil, the goal is to enter any of these.
type Goal struct {
	Condition load.Place
	Outcome   bool
	From, To  int                 // of an arm; 0 for a condition
	Functions map[load.Place]bool // by where they are declared
}

// Analyse builds the control-flow graphs of a tree, to be asked how far things are from a
// goal.
func Analyse(ctx context.Context, t *load.Tree) (*Program, error) { return newProgram(ctx, t) }

// Ahead computes how far everything is from a goal. It is false where the goal is in no
// code that can be analysed.
func (p *Program) Ahead(g Goal) (Toward, bool) {
	p.aheadOnce.Do(func() { p.ahead = newAheadGraph(p) })
	return p.ahead.toward(g)
}

// aheadEdge leads from a block to another, over so many decisions.
type aheadEdge struct {
	to     *ssa.BasicBlock
	weight int
}

// aheadGraph has the edges of all blocks backwards.
type aheadGraph struct {
	program *Program
	blocks  []*ssa.BasicBlock
	back    map[*ssa.BasicBlock][]aheadEdge
	methods map[string][]*ssa.Function // by name
	values  typeutil.Map               // []*ssa.Function of which somebody makes a value, by signature
}

func newAheadGraph(p *Program) *aheadGraph {
	a := &aheadGraph{program: p, back: map[*ssa.BasicBlock][]aheadEdge{}, methods: map[string][]*ssa.Function{}}
	for _, key := range p.order {
		if fn := p.functions[key].fn; fn.Signature.Recv() != nil {
			a.methods[fn.Name()] = append(a.methods[fn.Name()], fn)
		}
	}
	for _, key := range p.order {
		for _, fn := range bodies(p.functions[key].fn) {
			a.addValues(fn)
		}
	}
	for _, key := range p.order {
		for _, fn := range bodies(p.functions[key].fn) {
			for _, b := range fn.Blocks {
				a.add(b)
				a.blocks = append(a.blocks, b)
			}
		}
	}
	return a
}

func (a *aheadGraph) toward(g Goal) (Toward, bool) {
	var goals []*ssa.BasicBlock // where the search begins
	if g.Functions != nil {
		for _, f := range a.program.functions {
			if f.span != nil && g.Functions[f.span.Place] && len(f.fn.Blocks) > 0 {
				goals = append(goals, f.fn.Blocks[0])
			}
		}
	}
	for _, b := range a.blocks {
		if g.Functions == nil && a.isGoal(b, g) {
			goals = append(goals, b)
		}
	}
	if len(goals) == 0 {
		return Toward{}, false
	}
	return a.distances(goals, g), true
}

func (a *aheadGraph) isGoal(b *ssa.BasicBlock, g Goal) bool {
	if g.To == 0 {
		i, ok := lastIf(b)
		at, mapped := a.program.leaves[i]
		return ok && mapped && at == g.Condition
	}
	for _, i := range b.Instrs {
		if pos := i.Pos(); pos.IsValid() {
			if at := a.program.tree.Place(pos); at.File == g.Condition.File && g.From <= at.Offset && at.Offset < g.To {
				return true
			}
		}
	}
	return false
}

// addValues adds the functions of which another one makes values: a call of a value may
// enter each that has its signature.
func (a *aheadGraph) addValues(fn *ssa.Function) {
	seen := map[*ssa.Function]bool{}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			var called *ssa.Value
			if call, ok := i.(ssa.CallInstruction); ok {
				called = &call.Common().Value
			}
			for _, x := range i.Operands(nil) {
				if x == nil || x == called {
					continue
				}
				if f, ok := (*x).(*ssa.Function); ok && !seen[f] {
					seen[f] = true
					f = origin(f)
					list, _ := a.values.At(f.Signature).([]*ssa.Function)
					a.values.Set(f.Signature, append(list, f))
				}
			}
		}
	}
}

// origin is the generic function that one is an instance of, or the function itself.
func origin(fn *ssa.Function) *ssa.Function {
	if fn.Origin() != nil {
		return fn.Origin()
	}
	return fn
}

// add adds the edges that leave a block.
func (a *aheadGraph) add(b *ssa.BasicBlock) {
	weight := 0
	if i, ok := lastIf(b); ok {
		if _, mapped := a.program.leaves[i]; mapped {
			weight = 1
		}
	}
	for _, s := range b.Succs {
		a.back[s] = append(a.back[s], aheadEdge{b, weight})
	}
	for _, i := range b.Instrs {
		for _, fn := range a.callees(i) {
			if len(fn.Blocks) > 0 {
				a.back[fn.Blocks[0]] = append(a.back[fn.Blocks[0]], aheadEdge{b, 0})
			}
		}
	}
}

// callees are the functions that an instruction may enter: those it calls, and those of
// which it makes a value.
func (a *aheadGraph) callees(i ssa.Instruction) []*ssa.Function {
	var out []*ssa.Function
	for _, x := range i.Operands(nil) {
		if x == nil || *x == nil {
			continue
		}
		if fn, ok := (*x).(*ssa.Function); ok {
			out = append(out, origin(fn))
		}
	}
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return out
	}
	if !call.Common().IsInvoke() {
		if call.Common().StaticCallee() == nil {
			list, _ := a.values.At(call.Common().Value.Type().Underlying()).([]*ssa.Function)
			out = append(out, list...)
		}
		return out
	}
	iface, ok := call.Common().Value.Type().Underlying().(*types.Interface)
	if !ok {
		return out
	}
	for _, m := range a.methods[call.Common().Method.Name()] {
		if recv := m.Signature.Recv().Type(); types.Implements(recv, iface) || types.Implements(types.NewPointer(recv), iface) {
			out = append(out, m)
		}
	}
	return out
}

// distances goes from the goals backwards, the nearest first.
func (a *aheadGraph) distances(goals []*ssa.BasicBlock, g Goal) Toward {
	at := map[*ssa.BasicBlock]int{}
	level := goals
	for n := 0; len(level) > 0; n++ {
		var next []*ssa.BasicBlock
		for len(level) > 0 {
			b := level[0]
			level = level[1:]
			if _, seen := at[b]; seen {
				continue
			}
			at[b] = n
			for _, e := range a.back[b] {
				if e.weight == 0 {
					level = append(level, e.to)
				} else {
					next = append(next, e.to)
				}
			}
		}
		level = next
	}
	out := Toward{Outcomes: map[load.Place][2]int{}, Entries: map[load.Place]int{}}
	ahead := func(b *ssa.BasicBlock) int {
		if n, ok := at[b]; ok {
			return n
		}
		return -1
	}
	for i, place := range a.program.leaves {
		b := i.Block()
		ways := [2]int{ahead(b.Succs[1]), ahead(b.Succs[0])}
		for k := range ways {
			if ways[k] >= 0 {
				ways[k]++
			}
		}
		if g.Functions == nil && g.To == 0 && place == g.Condition {
			ways[outcomeIndex(g.Outcome)] = 0
		}
		if ways[0] >= 0 || ways[1] >= 0 {
			out.Outcomes[place] = ways
		}
	}
	for _, f := range a.program.functions {
		if f.span == nil || len(f.fn.Blocks) == 0 {
			continue
		}
		if n, ok := at[f.fn.Blocks[0]]; ok {
			out.Entries[f.span.Place] = n
		}
	}
	return out
}

func outcomeIndex(outcome bool) int {
	if outcome {
		return 1
	}
	return 0
}

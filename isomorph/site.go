package isomorph

import (
	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// Site is where the code takes a goal.
type Site struct {
	// Blocks end with the condition; where it is an arm's, they are the arm.
	Blocks map[*ssa.BasicBlock]bool
	// Function has all of them.
	Function *ssa.Function
	// Leading are the blocks from which the goal can be reached.
	Leading map[*ssa.BasicBlock]bool
}

// Site finds where a goal is taken. It is false where no code that can be analysed takes
// it, or several functions do.
func (p *Program) Site(g Goal) (Site, bool) {
	p.aheadOnce.Do(func() { p.ahead = newAheadGraph(p) })
	s := Site{Blocks: map[*ssa.BasicBlock]bool{}, Leading: map[*ssa.BasicBlock]bool{}}
	var queue []*ssa.BasicBlock
	for _, b := range p.ahead.blocks {
		if !p.ahead.isGoal(b, g) {
			continue
		}
		if s.Function != nil && s.Function != b.Parent() {
			return Site{}, false
		}
		s.Function = b.Parent()
		s.Blocks[b] = true
		queue = append(queue, b)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		if s.Leading[b] {
			continue
		}
		s.Leading[b] = true
		for _, e := range p.ahead.back[b] {
			queue = append(queue, e.to)
		}
	}
	return s, s.Function != nil
}

// Declared is the function that is declared at a place, nil if there is none.
func (p *Program) Declared(at load.Place) *ssa.Function {
	for _, key := range p.order {
		if f := p.functions[key]; f.span != nil && f.span.Place == at {
			return f.fn
		}
	}
	return nil
}

package isomorph

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// leafSet holds the leaf conditions of a package's syntax.
type leafSet struct {
	exprs map[ast.Expr]bool  // decide a branch themselves
	cases map[token.Pos]bool // case expressions of switches with a tag, by their start
}

// collectLeaves finds every expression that decides a branch: conditions of
// if, for and tagless switch, and left operands of && and || anywhere, taken
// apart at &&, ||, ! and parentheses. Constants decide nothing.
func collectLeaves(files []*ast.File, info *types.Info) leafSet {
	s := leafSet{exprs: map[ast.Expr]bool{}, cases: map[token.Pos]bool{}}
	var leaf func(ast.Expr)
	leaf = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.ParenExpr:
			leaf(e.X)
			return
		case *ast.BinaryExpr:
			if e.Op == token.LAND || e.Op == token.LOR {
				leaf(e.X)
				leaf(e.Y)
				return
			}
		case *ast.UnaryExpr:
			if e.Op == token.NOT {
				leaf(e.X)
				return
			}
		}
		if info.Types[e].Value == nil {
			s.exprs[e] = true
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				leaf(n.Cond)
			case *ast.ForStmt:
				if n.Cond != nil {
					leaf(n.Cond)
				}
			case *ast.SwitchStmt:
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						if n.Tag == nil {
							leaf(e)
						} else {
							s.cases[e.Pos()] = true
						}
					}
				}
			case *ast.BinaryExpr:
				if n.Op == token.LAND || n.Op == token.LOR {
					leaf(n.X)
				}
			}
			return true
		})
	}
	return s
}

// start returns where the leaf condition that an If decides begins, or else the
// reason why it decides none.
func (s leafSet) start(i *ssa.If) (token.Pos, string) {
	instrs := i.Block().Instrs
	if len(instrs) > 1 {
		d, ok := instrs[len(instrs)-2].(*ssa.DebugRef)
		if ok && !d.IsAddr && d.X == i.Cond && s.exprs[d.Expr] {
			return d.Expr.Pos(), ""
		}
	}
	if c, ok := i.Cond.(*ssa.BinOp); ok && c.Op == token.EQL && s.cases[c.Pos()] && followsAtOnce(c, i) {
		return c.Pos(), ""
	}
	return token.NoPos, unmappedReason(i)
}

// followsAtOnce reports whether a comparison is one made by a switch, not one
// that the source writes, whose value a DebugRef records.
func followsAtOnce(c *ssa.BinOp, i *ssa.If) bool {
	instrs := i.Block().Instrs
	return len(instrs) > 1 && instrs[len(instrs)-2] == ssa.Instruction(c)
}

func unmappedReason(i *ssa.If) string {
	switch c := i.Cond.(type) {
	case *ssa.Const:
		return "constant"
	case *ssa.Extract:
		switch t := c.Tuple.(type) {
		case *ssa.Next:
			return "range"
		case *ssa.TypeAssert:
			return "typeswitch"
		case *ssa.UnOp:
			if t.Op == token.ARROW {
				return "range"
			}
		}
	case *ssa.BinOp:
		if x, ok := c.X.(*ssa.Extract); ok {
			if _, ok := x.Tuple.(*ssa.Select); ok {
				return "select"
			}
		}
		if c.Op == token.LSS && c.Pos() == token.NoPos {
			return "range"
		}
		if strings.HasPrefix(i.Block().Comment, "rangefunc") || yields(i.Parent()) {
			return "rangefunc"
		}
		if y, ok := c.Y.(*ssa.Const); ok && c.Op == token.EQL && y.IsNil() {
			return "typeswitch" // case nil
		}
	}
	return "other"
}

// yields reports whether a function is the body of a range-over-func loop, or holds
// one.
func yields(fn *ssa.Function) bool {
	const mark = "range-over-func yield"
	if fn.Synthetic == mark {
		return true
	}
	for _, a := range fn.AnonFuncs {
		if a.Synthetic == mark {
			return true
		}
	}
	return false
}

// leafMap gathers, by place, the Ifs that claim it.
type leafMap map[load.Place][]*ssa.If

func (m leafMap) add(p *Program, fn *ssa.Function, s leafSet) leafMap {
	if m == nil {
		m = leafMap{}
	}
	for _, f := range bodies(fn) {
		for _, b := range f.Blocks {
			i, ok := lastIf(b)
			if !ok {
				continue
			}
			pos, reason := s.start(i)
			if reason != "" {
				p.ifs.Unmapped[reason]++
				continue
			}
			at := p.tree.Place(pos)
			if strings.HasPrefix(at.File, "../") || strings.HasPrefix(at.File, "/") {
				p.ifs.Unmapped["cgo"]++ // a file generated into the build cache
				continue
			}
			m[at] = append(m[at], i)
		}
	}
	return m
}

// resolve keeps the places that exactly one If claims. `case a && b:` of a
// switch over a boolean tag is an example of a start claimed twice.
func (m leafMap) resolve(p *Program) {
	for at, ifs := range m {
		if len(ifs) > 1 {
			p.ifs.Unmapped["ambiguous"] += len(ifs)
			continue
		}
		p.ifs.Mapped++
		p.leaves[ifs[0]] = at
	}
}

func lastIf(b *ssa.BasicBlock) (*ssa.If, bool) {
	if len(b.Instrs) == 0 {
		return nil, false
	}
	i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return i, ok
}

package isomorph

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// Flow is the control-flow graph of a function in one version as people draw
// it: its nodes are statements, neighbours that belong together being one, and
// what decides a branch. Function literals are graphs of their own among the
// same nodes.
type Flow struct {
	Span  Span // of the declaration
	Nodes []FlowNode
	Edges []FlowEdge
}

// FlowNode is a node of a Flow.
type FlowNode struct {
	Kind string // Entry, Branch, Block, Return or Panic
	// Text are the source ranges of its statements; none for those that the
	// source does not write, such as a return at the end of a function.
	Text []TextRange
	// Condition is the leaf that a Branch decides, nil without one.
	Condition *load.Place
	Comment   string // says what it is where there is no text
}

// Kinds of nodes.
const (
	Entry  = "entry"
	Branch = "branch"
	Block  = "block"
	Return = "return"
	Panic  = "panic"
)

// TextRange is a part of the function's file.
type TextRange struct {
	Start, End    int // in bytes
	Line, EndLine int
}

// FlowEdge leads from one node to another. Label is "true" or "false" where a
// Branch decides, else "".
type FlowEdge struct {
	From, To int
	Label    string
}

// FlowPair is a node as it stands in both versions, by its places in Nodes.
type FlowPair struct {
	Base, Head int
	Kind       Kind
}

// Flows returns the graphs of a member of the changed set, or of any function
// that Enclosing found, and their common nodes. A side is nil where the version
// has no such declaration, and where what initialises a package is asked for.
// The options are those of the Match. It may be called at any time, and is slow
// for long functions.
func (r *Result) Flows(f Function, opt Options) (base, head *Flow, pairs []FlowPair) {
	bf, hf := r.Base.declared(f.Base), r.Head.declared(f.Head)
	var match nodePairs
	if bf != nil && hf != nil && bf.key == hf.key {
		match = pairInstructions(r.Base, r.Head, bf, hf, opt)
	}
	b, h := newDrawing(r.Base, bf), newDrawing(r.Head, hf)
	common := pairSegments(b, h, match)
	base, head = b.flow(), h.flow()
	for _, p := range common {
		pairs = append(pairs, FlowPair{b.place[p.base], h.place[p.head], p.kind})
	}
	slices.SortFunc(pairs, func(x, y FlowPair) int { return x.Base - y.Base })
	return base, head, pairs
}

// Enclosing finds the declared function of head that holds a line, with its
// counterpart. Its Status is that of the changed set, or "" where it did not
// change.
func (r *Result) Enclosing(file string, line int) (Function, bool) {
	for _, key := range r.Head.order {
		f := r.Head.functions[key]
		if f.span == nil || f.span.File != file || line < f.span.Line || line > f.span.EndLine {
			continue
		}
		for _, c := range r.Changed {
			if c.Head != nil && *c.Head == *f.span {
				return c, true
			}
		}
		found := Function{Name: f.name, Package: f.pkg, Head: f.span}
		if counterpart := r.Base.functions[key]; counterpart != nil {
			found.Base = counterpart.span
		}
		return found, true
	}
	return Function{}, false
}

// declared finds the function that stands at a span.
func (p *Program) declared(at *Span) *function {
	if at == nil {
		return nil
	}
	for _, f := range p.functions {
		if f.span != nil && f.span.Place == at.Place {
			return f
		}
	}
	return nil
}

// nodePairs are the instructions and bodies that two versions have in common.
type nodePairs struct {
	head   map[ssa.Instruction]ssa.Instruction
	kind   map[ssa.Instruction]Kind // by the instruction of base
	bodies map[*ssa.Function]*ssa.Function
}

// pairInstructions does for all nodes what matchFunctions does for conditions.
func pairInstructions(b, h *Program, bf, hf *function, opt Options) nodePairs {
	forth := pairOneWay(b, h, bf, hf, opt)
	if bf.canonical == hf.canonical {
		return forth
	}
	back := pairOneWay(h, b, hf, bf, opt)
	for x, y := range forth.head {
		if back.head[y] != x {
			delete(forth.head, x)
			continue
		}
		if back.kind[y] == Resynchronised {
			forth.kind[x] = Resynchronised
		}
	}
	return forth
}

func pairOneWay(b, h *Program, bf, hf *function, opt Options) nodePairs {
	found := nodePairs{map[ssa.Instruction]ssa.Instruction{}, map[ssa.Instruction]Kind{}, map[*ssa.Function]*ssa.Function{}}
	type bodyPair struct {
		base, head *ssa.Function
		resumed    bool
	}
	queue := []bodyPair{{bf.fn, hf.fn, false}}
	same := bf.canonical == hf.canonical
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		found.bodies[p.base] = p.head
		w := matchBodies(b, h, p.base, p.head, opt, same)
		for _, block := range p.base.Blocks {
			for _, i := range block.Instrs {
				if partner, ok := w.fwd[i].(ssa.Instruction); ok {
					found.head[i], found.kind[i] = partner, w.kind[i]
					if p.resumed {
						found.kind[i] = Resynchronised
					}
				}
			}
		}
		for _, c := range p.base.AnonFuncs {
			if partner, ok := w.fwd[c].(*ssa.Function); ok {
				queue = append(queue, bodyPair{c, partner, p.resumed || w.kind[c] == Resynchronised})
			}
		}
	}
	return found
}

// A segment is what becomes a node: instructions of one block that one
// statement, or one condition, was compiled to.
type segment struct {
	kind    string
	block   *ssa.BasicBlock // nil for an entry
	index   int             // within the block
	instrs  []ssa.Instruction
	units   []unitOfText
	leaf    *load.Place
	comment string
	joined  bool // is part of the segment before it
}

// unitOfText is a statement or a condition in the syntax.
type unitOfText struct {
	from, to token.Pos
	loop     bool // the header of a range loop
}

// drawing is a function while its graph is made.
type drawing struct {
	program *Program
	span    *Span
	bodies  []*ssa.Function
	entry   map[*ssa.Function]*segment
	blocks  map[*ssa.BasicBlock][]*segment
	order   []*segment
	of      map[ssa.Instruction]*segment
	place   map[*segment]int
}

func newDrawing(p *Program, f *function) *drawing {
	d := &drawing{program: p, entry: map[*ssa.Function]*segment{}, blocks: map[*ssa.BasicBlock][]*segment{},
		of: map[ssa.Instruction]*segment{}, place: map[*segment]int{}}
	if f == nil || f.span == nil {
		return d
	}
	d.span, d.bodies = f.span, bodies(f.fn)
	for _, body := range d.bodies {
		d.addBody(body)
	}
	return d
}

func (d *drawing) addBody(fn *ssa.Function) {
	if len(fn.Blocks) == 0 {
		return
	}
	in := unitsOf(fn)
	entry := &segment{kind: Entry, comment: "function literal"}
	if s := fn.Syntax(); s != nil {
		entry.units = []unitOfText{signature(s)}
	}
	d.entry[fn] = entry
	d.order = append(d.order, entry)
	for _, block := range flow(fn) {
		if block == fn.Recover && len(block.Preds) == 0 {
			continue // stands for no statement
		}
		for i, s := range d.cut(block, in) {
			s.block, s.index = block, i
			d.blocks[block] = append(d.blocks[block], s)
			d.order = append(d.order, s)
			for _, instr := range s.instrs {
				d.of[instr] = s
			}
		}
	}
}

// signature is a function's syntax up to its body.
func signature(n ast.Node) unitOfText {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return unitOfText{from: n.Pos(), to: n.Type.End()}
	case *ast.FuncLit:
		return unitOfText{from: n.Pos(), to: n.Type.End()}
	}
	return unitOfText{from: n.Pos(), to: n.Pos()}
}

// unitsOf lists the simple statements, headers of loops and expressions of
// cases in a function, function literals in it left out.
func unitsOf(fn *ssa.Function) []unitOfText {
	var list []unitOfText
	add := func(from, to token.Pos) { list = append(list, unitOfText{from: from, to: to}) }
	syntax := fn.Syntax()
	if syntax == nil {
		return nil
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return ast.Node(n) == syntax
		case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.DeclStmt:
			add(n.Pos(), n.End())
		case *ast.RangeStmt:
			list = append(list, unitOfText{n.Pos(), n.X.End(), true})
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.End())
		case *ast.ForStmt:
			if n.Cond != nil {
				add(n.Cond.Pos(), n.Cond.End())
			}
		case *ast.SwitchStmt:
			if n.Tag != nil {
				add(n.Tag.Pos(), n.Tag.End())
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				add(e.Pos(), e.End())
			}
		}
		return true
	})
	for _, block := range fn.Blocks {
		if e := leafExpr(block); e != nil {
			add(e.Pos(), e.End())
		}
	}
	return list
}

// leafExpr is the expression whose value an If at the end of a block takes.
func leafExpr(b *ssa.BasicBlock) ast.Expr {
	i, ok := lastIf(b)
	if !ok || len(b.Instrs) < 2 {
		return nil
	}
	if ref, ok := b.Instrs[len(b.Instrs)-2].(*ssa.DebugRef); ok && !ref.IsAddr && ref.X == i.Cond {
		return ref.Expr
	}
	return nil
}

// smallest finds the innermost unit around a position.
func smallest(units []unitOfText, at token.Pos) (unitOfText, bool) {
	best, ok := unitOfText{}, false
	for _, u := range units {
		if u.from <= at && at < u.to && (!ok || u.to-u.from < best.to-best.from) {
			best, ok = u, true
		}
	}
	return best, ok
}

// cut divides a block. Instructions without a position go with the one they
// make use of, else with the next, and so does what gives the variables of a
// range loop their values.
func (d *drawing) cut(block *ssa.BasicBlock, in []unitOfText) []*segment {
	var list []*segment
	var current *segment
	var loose []ssa.Instruction
	for _, i := range block.Instrs {
		if _, phi := i.(*ssa.Phi); phi || silent(i) {
			continue
		}
		u, ok := smallest(in, i.Pos())
		ends := false
		switch i.(type) {
		case *ssa.If, *ssa.Return, *ssa.Panic:
			ends = true
		}
		if (!ok || u.loop) && !ends {
			if current != nil && usesOneOf(i, current.instrs) {
				current.instrs = append(current.instrs, i)
			} else {
				loose = append(loose, i)
			}
			continue
		}
		if e := leafExpr(block); e != nil && ends {
			u, ok = unitOfText{from: e.Pos(), to: e.End()}, true
		}
		same := current != nil && len(current.units) > 0 && (ok && current.units[0] == u || !ok && ends && isIf(i) && usesOneOf(i, current.instrs))
		if !same {
			current = &segment{kind: Block}
			if ok {
				current.units = []unitOfText{u}
			}
			list = append(list, current)
		}
		current.instrs = append(current.instrs, loose...)
		current.instrs = append(current.instrs, i)
		loose = nil
		d.end(current, i, in)
	}
	if len(loose) > 0 && current != nil {
		current.instrs = append(current.instrs, loose...)
	}
	return list // a block of nothing but what no statement says is stepped over
}

func isIf(i ssa.Instruction) bool { _, ok := i.(*ssa.If); return ok }

// end marks a segment by what ends its block.
func (d *drawing) end(s *segment, i ssa.Instruction, in []unitOfText) {
	switch i := i.(type) {
	case *ssa.If:
		s.kind = Branch
		if at, ok := d.program.leaves[i]; ok {
			s.leaf = &at
		} else if len(s.units) == 0 {
			s.comment = unmappedReason(i)
			if u, ok := loopAround(i, in); ok && s.comment == "range" {
				s.units = []unitOfText{u}
			}
		}
	case *ssa.Return:
		s.kind = Return
		if len(s.units) == 0 {
			s.comment = "end"
		}
	case *ssa.Panic:
		s.kind = Panic
	}
}

// loopAround finds the header of the range loop that an If continues.
func loopAround(i *ssa.If, in []unitOfText) (unitOfText, bool) {
	for _, inner := range i.Block().Succs[0].Instrs {
		pos := inner.Pos()
		if ref, ok := inner.(*ssa.DebugRef); ok {
			pos = ref.Expr.Pos()
		}
		if !pos.IsValid() {
			continue
		}
		var best *ast.RangeStmt
		ast.Inspect(i.Parent().Syntax(), func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos >= n.End() {
				return false
			}
			if r, ok := n.(*ast.RangeStmt); ok {
				best = r
			}
			return true
		})
		if best != nil {
			return unitOfText{best.Pos(), best.X.End(), true}, true
		}
	}
	return unitOfText{}, false
}

func usesOneOf(i ssa.Instruction, list []ssa.Instruction) bool {
	for _, o := range operands(i) {
		if x, ok := o.(ssa.Instruction); ok && slices.Contains(list, x) {
			return true
		}
	}
	return false
}

type segmentPair struct {
	base, head *segment
	kind       Kind
}

// pairSegments pairs the segments all of whose instructions are paired with
// each other's, and then joins what follows one another on both sides alike.
func pairSegments(b, h *drawing, match nodePairs) []segmentPair {
	inHead := map[ssa.Instruction]ssa.Instruction{} // the reverse
	for x, y := range match.head {
		inHead[y] = x
	}
	partner, kind := map[*segment]*segment{}, map[*segment]Kind{}
	backward := map[*segment]*segment{}
	for _, s := range b.order {
		t := h.of[match.head[first(s)]]
		if t == nil || t.kind != s.kind || !allIn(s, t, match.head) || !allIn(t, s, inHead) {
			continue
		}
		partner[s], backward[t], kind[s] = t, s, Strict
		for _, i := range s.instrs {
			if match.kind[i] == Resynchronised {
				kind[s] = Resynchronised
			}
		}
	}
	for x, y := range match.bodies {
		if b.entry[x] != nil && h.entry[y] != nil {
			partner[b.entry[x]], backward[h.entry[y]], kind[b.entry[x]] = h.entry[y], b.entry[x], Strict
		}
	}
	for _, list := range b.blocks {
		join(list, func(s, next *segment) bool {
			t, u := partner[s], partner[next]
			return t != nil && u != nil && kind[s] == kind[next] && t.block == u.block && t.index+1 == u.index
		})
		for _, s := range list {
			if s.joined {
				partner[s].joined = true
			}
		}
	}
	lonely := func(of map[*segment]*segment) func(s, next *segment) bool {
		return func(s, next *segment) bool { return of[s] == nil && of[next] == nil }
	}
	for _, list := range b.blocks {
		join(list, lonely(partner))
	}
	for _, list := range h.blocks {
		join(list, lonely(backward))
	}
	var pairs []segmentPair
	for _, s := range b.order {
		if t := partner[s]; t != nil && !s.joined && !t.joined {
			pairs = append(pairs, segmentPair{s, t, kind[s]})
		}
	}
	return pairs
}

func first(s *segment) ssa.Instruction {
	if len(s.instrs) == 0 {
		return nil
	}
	return s.instrs[0]
}

func allIn(s, t *segment, partner map[ssa.Instruction]ssa.Instruction) bool {
	for _, i := range s.instrs {
		if p := partner[i]; p == nil || !slices.Contains(t.instrs, p) {
			return false
		}
	}
	return len(s.instrs) > 0
}

// maxStatements is how many statements one node may stand for.
const maxStatements = 6

// join makes one node of neighbours within a block that neither decide a branch
// nor end the function, where alike says that they may be.
func join(list []*segment, alike func(s, next *segment) bool) {
	run := 1
	for k := 1; k < len(list); k++ {
		s, next := list[k-1], list[k]
		if run < maxStatements && s.kind == Block && next.kind == Block && alike(s, next) {
			next.joined = true
			run++
		} else {
			run = 1
		}
	}
}

// flow writes the graph down. Blocks without a segment are stepped over.
func (d *drawing) flow() *Flow {
	if d.span == nil {
		return nil
	}
	f := &Flow{Span: *d.span}
	last := map[*segment]*segment{} // the node that a segment is part of
	for _, s := range d.order {
		if s.joined {
			before := last[d.blocks[s.block][s.index-1]]
			last[s] = before
			n := &f.Nodes[d.place[before]]
			n.Text = append(n.Text, d.ranges(s)...)
			continue
		}
		last[s] = s
		d.place[s] = len(f.Nodes)
		f.Nodes = append(f.Nodes, FlowNode{Kind: s.kind, Text: d.ranges(s), Condition: s.leaf, Comment: s.comment})
	}
	add := func(from *segment, to *ssa.BasicBlock, label string) {
		if target := d.firstOf(to); target != nil {
			f.Edges = append(f.Edges, FlowEdge{d.place[last[from]], d.place[last[target]], label})
		}
	}
	for _, body := range d.bodies {
		if d.entry[body] == nil {
			continue
		}
		add(d.entry[body], body.Blocks[0], "")
		for _, block := range flow(body) {
			list := d.blocks[block]
			for k := 1; k < len(list); k++ {
				if from, to := d.place[last[list[k-1]]], d.place[last[list[k]]]; from != to {
					f.Edges = append(f.Edges, FlowEdge{From: from, To: to})
				}
			}
			if len(list) == 0 {
				continue
			}
			for k, to := range block.Succs {
				label := ""
				if list[len(list)-1].kind == Branch {
					label = [...]string{"true", "false"}[k]
				}
				add(list[len(list)-1], to, label)
			}
		}
	}
	return f
}

// firstOf goes through blocks without a segment; nil at an empty loop.
func (d *drawing) firstOf(b *ssa.BasicBlock) *segment {
	for range len(b.Parent().Blocks) + 1 {
		if list := d.blocks[b]; len(list) > 0 {
			return list[0]
		}
		if len(b.Succs) != 1 {
			return nil
		}
		b = b.Succs[0]
	}
	return nil
}

func (d *drawing) ranges(s *segment) []TextRange {
	tree := d.program.tree
	var list []TextRange
	for _, u := range s.units {
		from, to := tree.Place(u.from), tree.Place(u.to)
		if from.File == d.span.File && from.Offset <= to.Offset {
			list = append(list, TextRange{from.Offset, to.Offset, tree.Line(u.from), tree.Line(u.to)})
		}
	}
	return list
}

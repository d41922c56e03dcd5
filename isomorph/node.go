package isomorph

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// attribute writes all of a node but its operands: opcode, types, and what
// belongs to the opcode. Positions, comments and names of locals are left out.
func (n *namer) attribute(i ssa.Instruction) string {
	if s, ok := n.attributes[i]; ok {
		return s
	}
	s := n.writeAttribute(i)
	n.attributes[i] = s
	return s
}

func (n *namer) writeAttribute(i ssa.Instruction) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%T", i)
	switch i := i.(type) {
	case *ssa.Alloc:
		fmt.Fprintf(&b, " %t", i.Heap)
	case *ssa.BinOp:
		b.WriteString(" " + i.Op.String())
	case *ssa.UnOp:
		fmt.Fprintf(&b, " %s %t", i.Op, i.CommaOk)
	case *ssa.Field:
		b.WriteString(" " + fieldName(i.X.Type(), i.Field))
	case *ssa.FieldAddr:
		t := i.X.Type().Underlying()
		if p, ok := t.(*types.Pointer); ok {
			b.WriteString(" " + fieldName(p.Elem(), i.Field))
		} else {
			fmt.Fprintf(&b, " %d", i.Field)
		}
	case *ssa.Extract:
		fmt.Fprintf(&b, " %d", i.Index)
	case *ssa.Lookup:
		fmt.Fprintf(&b, " %t", i.CommaOk)
	case *ssa.TypeAssert:
		fmt.Fprintf(&b, " %s %t", n.typ(i.AssertedType), i.CommaOk)
	case *ssa.Next:
		fmt.Fprintf(&b, " %t", i.IsString)
	case *ssa.Slice:
		fmt.Fprintf(&b, " %t %t %t", i.Low != nil, i.High != nil, i.Max != nil)
	case *ssa.Select:
		fmt.Fprintf(&b, " %t", i.Blocking)
		for _, s := range i.States {
			fmt.Fprintf(&b, " %d", s.Dir)
		}
	case *ssa.Return:
		fmt.Fprintf(&b, " %d", len(i.Results))
	}
	if c, ok := i.(ssa.CallInstruction); ok {
		call := c.Common()
		fmt.Fprintf(&b, " %d", len(call.Args))
		if call.IsInvoke() {
			b.WriteString(" invoke " + call.Method.Name())
		}
	}
	if v, ok := i.(ssa.Value); ok {
		b.WriteString(" : " + n.typ(v.Type()))
	}
	return b.String()
}

// fieldName is stable when fields are reordered. That a definition changed is
// a prune blocker of its own.
func fieldName(t types.Type, i int) string {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return fmt.Sprint(i) // of a type parameter with a core type
	}
	return s.Field(i).Name()
}

// fixed writes an operand that is the same thing wherever it is used: a
// constant, a package-level variable, a declared function, a builtin. Others,
// which have to be matched, give "".
func (n *namer) fixed(v ssa.Value) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case *ssa.Const:
		return n.constant(v)
	case *ssa.Global:
		return "global " + v.String() + ":" + n.typ(v.Type())
	case *ssa.Builtin:
		return "builtin " + v.Name()
	case *ssa.Function:
		if v.Parent() != nil {
			return ""
		}
		s := "function " + v.String() + ":" + n.typ(v.Signature)
		for _, t := range v.TypeArgs() {
			s += "," + n.typ(t)
		}
		if o := v.Origin(); o != nil {
			s = strings.Replace(s, v.String(), o.String(), 1)
		}
		return s
	}
	return ""
}

// operands of a node, in an order that its opcode fixes. Absent ones are nil.
func operands(i ssa.Instruction) []ssa.Value {
	var space [8]*ssa.Value
	refs := i.Operands(space[:0])
	out := make([]ssa.Value, len(refs))
	for k, r := range refs {
		if r != nil {
			out[k] = *r
		}
	}
	return out
}

// silent reports whether a node stands for nothing in the source, so that it is
// stepped over.
func silent(i ssa.Instruction) bool {
	switch i.(type) {
	case *ssa.DebugRef, *ssa.Jump:
		return true
	}
	return false
}

// flow lists the blocks reachable from the entry, and then those from the
// recover block, in reverse postorder with the outcome true first. Unlike the
// order of creation it does not depend on how an if is laid out in the source.
func flow(fn *ssa.Function) []*ssa.BasicBlock {
	var post []*ssa.BasicBlock
	seen := make([]bool, len(fn.Blocks))
	type frame struct {
		b    *ssa.BasicBlock
		next int // successors still to visit, from the last to the first
	}
	visit := func(root *ssa.BasicBlock) {
		if root == nil || seen[root.Index] {
			return
		}
		seen[root.Index] = true
		stack := []frame{{root, len(root.Succs)}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == 0 {
				post = append(post, f.b)
				stack = stack[:len(stack)-1]
				continue
			}
			f.next--
			if s := f.b.Succs[f.next]; !seen[s.Index] {
				seen[s.Index] = true
				stack = append(stack, frame{s, len(s.Succs)})
			}
		}
	}
	if len(fn.Blocks) == 0 {
		return nil
	}
	visit(fn.Blocks[0])
	n := len(post)
	visit(fn.Recover)
	reverse(post[:n])
	reverse(post[n:])
	return post
}

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

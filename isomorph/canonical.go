package isomorph

import (
	"encoding/hex"
	"fmt"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// canonicalText writes a function so that two versions have the same text if
// and only if they have the same instructions: values are numbered in the
// order of flow, positions and names of locals are left out, closures stand
// where they are first used.
func canonicalText(n *namer, fn *ssa.Function) string {
	c := &canonical{names: n, closures: map[*ssa.Function]int{}}
	c.function(fn)
	return c.out.String()
}

type canonical struct {
	names    *namer
	out      strings.Builder
	closures map[*ssa.Function]int
}

func (c *canonical) function(fn *ssa.Function) {
	n := c.names
	fmt.Fprintf(&c.out, "func %s", n.typ(fn.Signature))
	if fn.Blocks == nil {
		c.out.WriteString(" external\n")
		return
	}
	blocks := flow(fn)
	values := map[ssa.Value]string{}
	for i, p := range fn.Params {
		values[p] = fmt.Sprintf("p%d", i)
	}
	for i, v := range fn.FreeVars {
		values[v] = fmt.Sprintf("f%d", i)
		fmt.Fprintf(&c.out, " free %s", n.typ(v.Type()))
	}
	c.out.WriteString(" {\n")
	number := map[*ssa.BasicBlock]int{}
	next := 0
	for i, b := range blocks {
		number[b] = i
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				values[v] = fmt.Sprintf("t%d", next)
				next++
			}
		}
	}
	for i, b := range blocks {
		fmt.Fprintf(&c.out, "%d:", i)
		if b == fn.Recover {
			c.out.WriteString(" recover")
		}
		c.out.WriteString("\n")
		for _, instr := range b.Instrs {
			c.instruction(instr, values, number)
		}
	}
	c.out.WriteString("}\n")
}

func (c *canonical) instruction(instr ssa.Instruction, values map[ssa.Value]string, number map[*ssa.BasicBlock]int) {
	if _, ok := instr.(*ssa.DebugRef); ok {
		return
	}
	c.out.WriteString(c.names.attribute(instr))
	write := func(v ssa.Value) string {
		if v == nil {
			return "-"
		}
		if s, ok := values[v]; ok {
			return s
		}
		if s := c.names.fixed(v); s != "" {
			return s
		}
		return c.closure(v)
	}
	if phi, ok := instr.(*ssa.Phi); ok {
		edges := make([]string, len(phi.Edges))
		for i, e := range phi.Edges {
			edges[i] = fmt.Sprintf(" [%06d %s]", number[phi.Block().Preds[i]], write(e))
		}
		sort.Strings(edges)
		c.out.WriteString(strings.Join(edges, ""))
	} else {
		for _, v := range operands(instr) {
			c.out.WriteString(" " + write(v))
		}
	}
	switch instr.(type) {
	case *ssa.If, *ssa.Jump:
		for _, s := range instr.Block().Succs {
			fmt.Fprintf(&c.out, " ->%d", number[s])
		}
	}
	c.out.WriteString("\n")
}

func (c *canonical) closure(v ssa.Value) string {
	fn, ok := v.(*ssa.Function)
	if !ok {
		return fmt.Sprintf("%T %s", v, v.Name())
	}
	if k, ok := c.closures[fn]; ok {
		return fmt.Sprintf("closure%d", k)
	}
	k := len(c.closures)
	c.closures[fn] = k
	sub := &canonical{names: c.names, closures: c.closures}
	sub.function(fn)
	return fmt.Sprintf("closure%d=%s", k, sub.out.String())
}

// changedSet compares the two versions function by function.
func changedSet(b, h *Program) []Function {
	out := []Function{}
	baseFamily, headFamily := b.byFamily(), h.byFamily()
	for family, hf := range headFamily {
		f := Function{Name: hf.name, Package: hf.pkg, Digest: hex.EncodeToString(hf.canonical[:]), Init: hf.init, Head: hf.span}
		bf := baseFamily[family]
		switch {
		case bf == nil && hf.trivial():
			continue
		case bf == nil:
			f.Status = Added
		case bf.key != hf.key || bf.canonical != hf.canonical:
			f.Status, f.Base = Changed, bf.span
		default:
			continue
		}
		out = append(out, f)
	}
	for family, bf := range baseFamily {
		if headFamily[family] == nil && !bf.trivial() {
			out = append(out, Function{Name: bf.name, Package: bf.pkg, Status: Deleted, Init: bf.init, Base: bf.span})
		}
	}
	return out
}

func (p *Program) byFamily() map[string]*function {
	m := map[string]*function{}
	for _, f := range p.functions {
		m[f.family] = f
	}
	return m
}

// trivial reports whether a package initialiser does nothing.
func (f *function) trivial() bool {
	if !f.packageInit {
		return false
	}
	for _, b := range f.fn.Blocks {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.Return); !ok && !silent(i) {
				return false
			}
		}
	}
	return true
}

package isomorph

import (
	"go/token"
	"go/types"
)

// typeNode is a type, or anyNode, in the graph of what code outside the module can get
// from a value of it: its components, and the types that its interfaces may hold.
type typeNode struct {
	own   idSet       // functions that the type itself gives
	next  []*typeNode // what a value of it may hold
	set   *knownSet   // all functions it leads to; nil until it is closed
	index int         // in the order of visits
	low   int         // the least index of those it leads to that are still open
}

// anyNode is the key of a value of any type at all. No type has it.
const anyNode = "\x00any"

// fromType returns all functions of the module that code outside can get at from
// a value of a type. Types that hold one another give the same, and most lead to a value
// of any type: their sets are made once (Tarjan's strongly connected components), where
// walking from each type anew takes minutes in a module with some thousand types.
func (v *valueFlow) fromType(g *graph, t types.Type) *knownSet {
	w := typeWalk{v: v, g: g, index: len(v.nodes)}
	return w.visit(t).set
}

// typeWalk closes the types that one leads to.
type typeWalk struct {
	v     *valueFlow
	g     *graph
	index int
	open  []*typeNode
}

func (w *typeWalk) visit(t types.Type) *typeNode {
	t = types.Unalias(t)
	return w.node(w.g.names.typ(t), func(n *typeNode) { w.expand(n, t) })
}

func (w *typeWalk) visitAny() *typeNode {
	return w.node(anyNode, func(n *typeNode) {
		for _, c := range w.v.converted {
			w.lead(n, w.visit(c))
		}
	})
}

// node returns the node of a key, which it makes, expands and closes where it is new.
func (w *typeWalk) node(key string, expand func(*typeNode)) *typeNode {
	if n := w.v.nodes[key]; n != nil {
		return n
	}
	n := &typeNode{own: idSet{}, index: w.index, low: w.index}
	w.v.nodes[key] = n
	w.index++
	at := len(w.open)
	w.open = append(w.open, n)
	expand(n)
	if n.low == n.index {
		w.close(w.open[at:])
		w.open = w.open[:at]
	}
	return n
}

// lead notes that a value of one node may hold one of another.
func (w *typeWalk) lead(n, to *typeNode) {
	n.next = append(n.next, to)
	if to.set == nil {
		n.low = min(n.low, to.low)
	}
}

// expand visits what a value of a type may hold, and notes the functions that it gives.
func (w *typeWalk) expand(n *typeNode, t types.Type) {
	if named, ok := t.(*types.Named); ok {
		for a := range named.TypeArgs().Types() {
			w.lead(n, w.visit(a))
		}
		p := named.Obj().Pkg()
		if p != nil && p.Path() == "reflect" {
			w.lead(n, w.visitAny())
			return
		}
		if p != nil && p.Path() == "testing" {
			return // holds functions given to Run and Cleanup, which are seen where they are given
		}
		w.v.addMethods(w.g, named, n.own)
	}
	switch u := t.(type) {
	case *types.TypeParam:
		w.lead(n, w.visitAny())
		return
	case *types.Tuple:
		for x := range u.Variables() {
			w.lead(n, w.visit(x.Type()))
		}
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		w.lead(n, w.visit(u.Elem()))
	case *types.Slice:
		w.lead(n, w.visit(u.Elem()))
	case *types.Array:
		w.lead(n, w.visit(u.Elem()))
	case *types.Chan:
		w.lead(n, w.visit(u.Elem()))
	case *types.Map:
		w.lead(n, w.visit(u.Key()))
		w.lead(n, w.visit(u.Elem()))
	case *types.Struct:
		for f := range u.Fields() {
			w.lead(n, w.visit(f.Type()))
		}
	case *types.Signature:
		n.own.addAll(w.v.withSignature(w.g, u).ids)
	case *types.Interface:
		if u.NumMethods() == 0 {
			w.lead(n, w.visitAny())
			return
		}
		for _, c := range w.v.converted {
			if w.v.implements(w.g, c, u) {
				w.lead(n, w.visit(c))
			}
		}
	}
}

// close gives nodes that lead to one another, and to nothing else that is open, their set.
// It is that of a node they lead to, where they add nothing.
func (w *typeWalk) close(members []*typeNode) {
	own, seen := idSet{}, map[*knownSet]bool{}
	var parts []*knownSet
	var largest *knownSet
	for _, n := range members {
		own.addAll(n.own)
		for _, to := range n.next {
			if to.set == nil || seen[to.set] {
				continue
			}
			seen[to.set] = true
			parts = append(parts, to.set)
			if largest == nil || len(to.set.ids) > len(largest.ids) {
				largest = to.set
			}
		}
	}
	set := largest
	if set == nil || !set.covers(own, parts) {
		ids := own
		for _, p := range parts {
			ids.addAll(p.ids)
		}
		set = w.g.newKnown(ids)
	}
	for _, n := range members {
		n.set, n.own, n.next = set, nil, nil
	}
}

// covers reports whether a set holds some bodies, and all those of some sets.
func (s *knownSet) covers(ids idSet, parts []*knownSet) bool {
	for id := range ids {
		if !s.ids[id] {
			return false
		}
	}
	for _, p := range parts {
		if p == s {
			continue
		}
		for id := range p.ids {
			if !s.ids[id] {
				return false
			}
		}
	}
	return true
}

// addMethods adds the exported methods of a type and of pointers to it: code
// outside the module has no name for others.
func (v *valueFlow) addMethods(g *graph, t types.Type, set idSet) {
	for name, id := range v.methodsOf(g, t).ids {
		if id >= 0 && token.IsExported(name) {
			set[id] = true
		}
	}
}

package isomorph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// valueFlow knows, without regard to order, which types of the module become
// interfaces, which functions become values, and from which types code outside
// the module can get at which of them.
type valueFlow struct {
	converted []types.Type          // dynamic types of interfaces, with their components
	seen      map[string]bool       // keys of converted
	roots     []types.Type          // of converted, those that are no mere components
	taken     map[string][]int      // functions used as values, by signature
	open      []takenFunction       // those whose signature mentions type parameters
	all       []takenFunction       // every function used as a value
	nodes     map[string]*typeNode  // memo of fromType, by key of the type
	methods   map[string]methodList // memo, by key of the type
	invokes   map[string]*knownSet  // memo of invoked
	values    map[string]*knownSet  // memo of withSignature, by key of the signature
	external  []types.Type          // of converted, named types from outside the module
	// enablers are, for a body, those in which it becomes a value or its
	// receiver's type the type of an interface: unless one of them executes,
	// no call through a value or an interface gets to it.
	enablers map[int]idSet
	enables  map[int][]int // the same, turned round; filled on demand
	// retained is what packages that are not quiet were given.
	retained *knownSet
	// wrapped is what values made outside the module may hold.
	wrapped *knownSet
}

type takenFunction struct {
	id        int
	signature *types.Signature
}

type methodList struct {
	ids   map[string]int // by name; -1 for methods from outside the module
	names map[string]bool
}

// collect reads all bodies once.
func (v *valueFlow) collect(g *graph) {
	v.seen, v.taken = map[string]bool{}, map[string][]int{}
	v.nodes, v.invokes, v.values = map[string]*typeNode{}, map[string]*knownSet{}, map[string]*knownSet{}
	v.methods, v.enablers = map[string]methodList{}, map[int]idSet{}
	v.retained, v.wrapped = g.newKnown(idSet{}), g.newKnown(idSet{})
	convertedIn := map[string]idSet{} // by type: the bodies that convert it
	convert := func(t types.Type, by *body) {
		v.convert(g, t)
		key := g.names.typ(t)
		if convertedIn[key] == nil {
			convertedIn[key] = idSet{}
			v.roots = append(v.roots, t)
		}
		convertedIn[key][by.id] = true
	}
	takenSeen := map[int]bool{}
	take := func(fn *ssa.Function, sig *types.Signature, by *body) {
		t := g.target(fn)
		if t.method != nil { // a method value of an interface: any implementation
			for _, b := range g.bodies {
				if b.key != "" && strings.HasSuffix(b.key, "."+t.method.Name()) && b.fn.Signature.Recv() != nil {
					v.take(g, b.id, sig, takenSeen)
					v.enable(b.id, by.id)
				}
			}
			return
		}
		if t.body != nil {
			v.take(g, t.body.id, sig, takenSeen)
			v.enable(t.body.id, by.id)
		}
	}
	for _, b := range g.bodies {
		for _, block := range b.fn.Blocks {
			for _, instr := range block.Instrs {
				if m, ok := instr.(*ssa.MakeInterface); ok {
					convert(m.X.Type(), b)
				}
				if m, ok := instr.(*ssa.MakeClosure); ok {
					take(m.Fn.(*ssa.Function), m.Type().Underlying().(*types.Signature), b)
				}
				call, isCall := instr.(ssa.CallInstruction)
				for k, o := range operands(instr) {
					fn, ok := o.(*ssa.Function)
					if !ok {
						continue
					}
					for _, t := range fn.TypeArgs() {
						convert(t, b)
					}
					if isCall && k == 0 && !call.Common().IsInvoke() {
						continue // the callee itself
					}
					take(fn, fn.Signature, b)
				}
			}
		}
	}
	for _, t := range v.converted {
		if n := namedOf(t); n != nil && n.Obj().Pkg() != nil && !g.ownImport[n.Obj().Pkg().Path()] {
			v.external = append(v.external, t)
		}
	}
	for _, t := range v.roots {
		by := convertedIn[g.names.typ(t)]
		components := valueFlow{seen: map[string]bool{}}
		components.convert(g, t)
		for _, c := range components.converted {
			for _, id := range v.methodsOf(g, c).ids {
				if id >= 0 {
					for b := range by {
						v.enable(id, b)
					}
				}
			}
		}
	}
	v.collectOutside(g)
}

func (v *valueFlow) enable(id, by int) {
	if v.enablers[id] == nil {
		v.enablers[id] = idSet{}
	}
	v.enablers[id][by] = true
}

// enabledBy turns enablers round.
func (v *valueFlow) enabledBy() map[int][]int {
	if v.enables == nil {
		v.enables = map[int][]int{}
		for id, by := range v.enablers {
			for b := range by {
				v.enables[b] = append(v.enables[b], id)
			}
		}
	}
	return v.enables
}

func (v *valueFlow) take(g *graph, id int, sig *types.Signature, seen map[int]bool) {
	if seen[id] {
		return
	}
	seen[id] = true
	f := takenFunction{id, sig}
	v.all = append(v.all, f)
	if mentionsTypeParams(g.names, sig) {
		v.open = append(v.open, f)
		return
	}
	key := signatureKey(g.names, sig)
	v.taken[key] = append(v.taken[key], id)
}

// collectOutside finds what code outside the module may keep: what it is given
// where it may register it, and what is inside the values that it returns.
func (v *valueFlow) collectOutside(g *graph) {
	add := func(to *knownSet, from *union) {
		if s := g.setOf(from); s != nil && !to.holds[s] {
			to.holds[s] = true
			for _, id := range s.ids {
				to.ids[id] = true
			}
		}
	}
	for _, b := range g.bodies {
		for _, block := range b.fn.Blocks {
			for _, instr := range block.Instrs {
				if s, ok := instr.(*ssa.Store); ok {
					if global, ok := s.Addr.(*ssa.Global); ok && global.Pkg != nil && !g.ownImport[global.Pkg.Pkg.Path()] {
						kept := &union{}
						v.trace(g, s.Val, kept, 0)
						add(v.retained, kept)
					}
					continue
				}
				call, ok := instr.(ssa.CallInstruction)
				if !ok || call.Common().IsInvoke() {
					continue
				}
				fn := call.Common().StaticCallee()
				if fn == nil {
					continue
				}
				t := g.target(fn)
				if t.body != nil || t.method != nil {
					continue
				}
				path := ""
				if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() != nil {
					path = obj.Pkg().Path()
				}
				back := g.callbacks(call.Common())
				if !isQuiet(path) {
					add(v.retained, back)
				}
				if holdsValues(fn.Signature.Results(), map[types.Type]bool{}) {
					add(v.wrapped, back)
				}
			}
		}
	}
}

// holdsValues reports whether a type may hold interfaces or functions.
func holdsValues(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Interface, *types.Signature:
		return true
	case *types.Pointer:
		return holdsValues(u.Elem(), seen)
	case *types.Slice:
		return holdsValues(u.Elem(), seen)
	case *types.Array:
		return holdsValues(u.Elem(), seen)
	case *types.Chan:
		return holdsValues(u.Elem(), seen)
	case *types.Map:
		return holdsValues(u.Key(), seen) || holdsValues(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsValues(f.Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for x := range u.Variables() {
			if holdsValues(x.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// convert records a dynamic type and its components, which reflection gets at.
func (v *valueFlow) convert(g *graph, t types.Type) {
	t = types.Unalias(t)
	key := g.names.typ(t)
	if v.seen[key] {
		return
	}
	v.seen[key] = true
	v.converted = append(v.converted, t)
	if n, ok := t.(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			v.convert(g, a)
		}
		if p := n.Obj().Pkg(); p != nil && !g.ownImport[p.Path()] {
			return // holds nothing of the module that was not converted by itself
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		v.convert(g, u.Elem())
	case *types.Slice:
		v.convert(g, u.Elem())
	case *types.Array:
		v.convert(g, u.Elem())
	case *types.Chan:
		v.convert(g, u.Elem())
	case *types.Map:
		v.convert(g, u.Key())
		v.convert(g, u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			v.convert(g, f.Type())
		}
	}
}

// trace adds what can be got at from a value, looking a little into how it was
// made: an interface made on the spot, a closure, the list of a variadic call.
func (v *valueFlow) trace(g *graph, x ssa.Value, all *union, depth int) {
	const deep = 6
	if depth > deep {
		all.add(v.fromType(g, x.Type()))
		return
	}
	switch x := x.(type) {
	case *ssa.Const:
		return
	case *ssa.MakeInterface:
		v.trace(g, x.X, all, depth+1)
		return
	case *ssa.ChangeInterface:
		v.trace(g, x.X, all, depth+1)
		return
	case *ssa.Function:
		if b := g.target(x).body; b != nil {
			all.ids = append(all.ids, b.id)
			return
		}
	case *ssa.MakeClosure:
		if b := g.target(x.Fn.(*ssa.Function)).body; b != nil {
			all.ids = append(all.ids, b.id)
			return
		}
	case *ssa.Slice:
		if a, ok := x.X.(*ssa.Alloc); ok && v.traceList(g, a, all, depth) {
			return
		}
	}
	all.add(v.fromType(g, x.Type()))
}

// traceList looks at the elements stored into the list of a variadic call, and
// reports whether nothing else is done with the list.
func (v *valueFlow) traceList(g *graph, a *ssa.Alloc, all *union, depth int) bool {
	var stored []ssa.Value
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Slice, *ssa.DebugRef:
		case *ssa.IndexAddr:
			for _, u := range *r.Referrers() {
				s, ok := u.(*ssa.Store)
				if !ok || s.Addr != ssa.Value(r) {
					return false
				}
				stored = append(stored, s.Val)
			}
		default:
			return false
		}
	}
	for _, s := range stored {
		v.trace(g, s, all, depth+1)
	}
	return true
}

// methodsOf lists the methods of a type and of pointers to it, by name.
func (v *valueFlow) methodsOf(g *graph, t types.Type) methodList {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	key := g.names.typ(t)
	if m, ok := v.methods[key]; ok {
		return m
	}
	m := methodList{map[string]int{}, map[string]bool{}}
	if !types.IsInterface(t) {
		for s := range types.NewMethodSet(types.NewPointer(t)).Methods() {
			name := s.Obj().Name()
			m.names[name] = true
			m.ids[name] = -1
			if obj, ok := s.Obj().(*types.Func); ok {
				if b := g.byKey[funcKey(obj)]; b != nil {
					m.ids[name] = b.id
				}
			}
		}
	}
	v.methods[key] = m
	return m
}

// implements reports whether a type has the methods of an interface. It compares
// by names only: types of different variants of a package are not identical, and
// too many implementations do no harm.
func (v *valueFlow) implements(g *graph, t types.Type, i *types.Interface) bool {
	m := v.methodsOf(g, t)
	for k := range i.NumMethods() {
		if !m.names[i.Method(k).Name()] {
			return false
		}
	}
	return true
}

// invoked returns what a call of an interface's method may execute.
func (v *valueFlow) invoked(g *graph, t types.Type, method *types.Func) *knownSet {
	key := g.names.typ(t) + "." + method.Name()
	if s, ok := v.invokes[key]; ok {
		return s
	}
	found := g.newKnown(idSet{})
	set := found.ids
	i, ok := t.Underlying().(*types.Interface)
	if !ok { // a type parameter that slipped through: every method of the name
		i = types.NewInterfaceType([]*types.Func{method}, nil)
	}
	exported := true
	for k := range i.NumMethods() {
		exported = exported && i.Method(k).Exported()
	}
	for _, c := range v.converted {
		if !v.implements(g, c, i) {
			continue
		}
		if id, ok := v.methodsOf(g, c).ids[method.Name()]; ok && id >= 0 {
			set[id] = true
		}
	}
	if exported { // the dynamic type may come from outside, and hold values of the module
		set.addAll(v.wrapped.ids)
		for _, c := range v.external {
			if v.implements(g, c, i) {
				set.addAll(v.fromType(g, c).ids)
			}
		}
	}
	v.invokes[key] = found
	return found
}

// withSignature returns the functions that a value of a function type may be.
// Where type parameters are involved, the number of parameters has to do.
func (v *valueFlow) withSignature(g *graph, sig *types.Signature) *knownSet {
	key := signatureKey(g.names, sig)
	if s, ok := v.values[key]; ok {
		return s
	}
	set := idSet{}
	candidates := v.open
	if mentionsTypeParams(g.names, sig) {
		candidates = v.all
	}
	for _, f := range candidates {
		if sameArity(f.signature, sig) {
			set[f.id] = true
		}
	}
	for _, id := range v.taken[key] {
		set[id] = true
	}
	v.values[key] = g.newKnown(set)
	return v.values[key]
}

func sameArity(a, b *types.Signature) bool {
	return a.Params().Len() == b.Params().Len() && a.Results().Len() == b.Results().Len()
}

// signatureKey leaves the receiver out.
func signatureKey(n *namer, s *types.Signature) string {
	return n.typ(types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic()))
}

func mentionsTypeParams(n *namer, s *types.Signature) bool {
	return strings.Contains(signatureKey(n, s), "$")
}

func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

package surface

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/version"
)

// adaptation is how both versions are called of a function whose signature changed in a way
// that its callers hardly notice: through one signature, which leaves out what only one
// version takes or gives. Adapt of package harness does at run time what is planned here.
type adaptation struct {
	sig *types.Signature // common to both, in head's types, without a receiver
	// takes are the parameters of each version, receivers left out, as indices into those of
	// sig; -1 for what is supplied.
	takes version.Both[[]int]
	// nils says that a pointer or a function is supplied, which is nil then.
	nils bool
	// alike says that the same source calls both.
	alike bool
	// whole says that one version takes all of sig, and the other one some of it.
	whole bool
	texts version.Both[string] // the signatures, for people
}

// adapter plans adaptations.
type adapter struct{ base, head *names }

// plan returns nil where signatures are the same, or where callers of one cannot mean the
// other.
func (a adapter) plan(b, h *types.Signature) *adaptation {
	if b == nil || h == nil || b.TypeParams().Len()+h.TypeParams().Len()+b.RecvTypeParams().Len()+h.RecvTypeParams().Len() > 0 {
		return nil
	}
	p := &adaptation{alike: true, texts: version.Both[string]{signatureText(b), signatureText(h)}}
	params, variadic, ok := a.params(p, b, h)
	if !ok || p.nils && constructs(h) {
		if all, takes, done := a.whole(b, h); done {
			*p = adaptation{takes: takes, whole: true, texts: p.texts}
			params, variadic, ok = all, false, true
		}
	}
	if !ok {
		return nil
	}
	results, ok := a.results(p, b, h)
	if !ok {
		return nil
	}
	p.sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), variadic)
	return p
}

// params pairs the parameters: a context may have come in front, and options at the end.
func (a adapter) params(p *adaptation, b, h *types.Signature) (common []*types.Var, variadic, ok bool) {
	sides := version.Both[[]*types.Var]{vars(b.Params()), vars(h.Params())}
	var first version.Both[int]
	for side := range sides {
		if other := sides[1-side]; takesContext(sides[side]) && !takesContext(other) {
			first[side], p.alike = 1, false
			p.takes[side] = append(p.takes[side], -1)
		}
	}
	rest := version.Both[[]*types.Var]{sides[0][first[0]:], sides[1][first[1]:]}
	n := min(len(rest[0]), len(rest[1]))
	last := version.Both[bool]{b.Variadic(), h.Variadic()}
	if last[0] && last[1] && len(rest[0]) != len(rest[1]) {
		return nil, false, false
	}
	for i := range n {
		var types version.Both[bool] // takes any number
		for side := range rest {
			types[side] = last[side] && i == len(rest[side])-1
			p.takes[side] = append(p.takes[side], i)
		}
		t, ok := a.parameter(p, rest[0][i].Type(), rest[1][i].Type(), types)
		if !ok {
			return nil, false, false
		}
		variadic = types[0] && types[1]
		common = append(common, newVar(t))
	}
	for side := range rest {
		for i := n; i < len(rest[side]); i++ {
			if !p.supply(rest[side][i].Type(), last[side] && i == len(rest[side])-1) {
				return nil, false, false
			}
			p.takes[side] = append(p.takes[side], -1)
		}
	}
	return common, variadic, true
}

// whole pairs the parameters of a constructor of which one version lacks some, wherever they stand: what is built of
// others, as a server is of its store and its logger, often takes one more or one less. The version that takes it is
// given one. That holds for interfaces, and for pointers to opaque structs: a number or a text decides what a thing does.
func (a adapter) whole(b, h *types.Signature) (params []*types.Var, takes version.Both[[]int], ok bool) {
	sides := version.Both[[]*types.Var]{vars(b.Params()), vars(h.Params())}
	if !constructs(h) || b.Variadic() || h.Variadic() || len(sides[0]) == len(sides[1]) {
		return nil, takes, false
	}
	more := version.Base
	if len(sides[1]) > len(sides[0]) {
		more = version.Head
	}
	less := sides[1-more]
	for i, v := range sides[more] {
		t := v.Type()
		takes[more] = append(takes[more], i)
		n := len(takes[1-more])
		switch {
		case n < len(less) && typeText(less[n].Type()) == typeText(t):
			takes[1-more] = append(takes[1-more], i)
		case !isPart(t):
			return nil, takes, false
		}
		if more == version.Base {
			t = a.head.twin(t)
		} else if a.base.twin(t) == nil {
			t = nil
		}
		if t == nil {
			return nil, takes, false
		}
		params = append(params, newVar(t))
	}
	return params, takes, len(takes[1-more]) == len(less)
}

// parts has the bit of each parameter that one version alone takes.
func (p *adaptation) parts() (bits uint64) {
	for i := range min(p.sig.Params().Len(), 64) {
		if !slices.Contains(p.takes[version.Base], i) || !slices.Contains(p.takes[version.Head], i) {
			bits |= 1 << i
		}
	}
	return bits
}

// registered returns what the registration of an adapted function tells of it.
func (p *adaptation) registered() (fields string) {
	if !p.alike {
		fields = ", Adapted: true"
	}
	if p.whole {
		fields += fmt.Sprintf(", Parts: %#x", p.parts())
	}
	return fields
}

// constructs reports whether the first thing that a function, and no method, gives is of a named struct or interface type.
func constructs(sig *types.Signature) bool {
	return sig.Recv() == nil && sig.Results().Len() > 0 && makesNamed(sig.Results().At(0).Type())
}

// isPart reports whether a value of a type is something that others are built of: of an interface with methods, or a
// pointer to a struct with a field that is not exported. One without is a list of options.
func isPart(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return u.NumMethods() > 0
	case *types.Pointer:
		s, ok := u.Elem().Underlying().(*types.Struct)
		for i := 0; ok && i < s.NumFields(); i++ {
			if !s.Field(i).Exported() {
				return true
			}
		}
	}
	return false
}

// supply reports whether what one version takes in addition can be left out.
func (p *adaptation) supply(t types.Type, variadic bool) bool {
	if variadic {
		return true
	}
	p.alike = false
	switch u := t.Underlying().(type) {
	case *types.Signature:
		p.nils = true
		return true
	case *types.Struct:
		return true
	case *types.Pointer:
		p.nils = true
		_, options := u.Elem().Underlying().(*types.Struct)
		return options
	}
	return false
}

// parameter returns what can be given to both: the narrower of two types.
func (a adapter) parameter(p *adaptation, b, h types.Type, variadic version.Both[bool]) (types.Type, bool) {
	if variadic[0] != variadic[1] {
		if variadic[0] {
			b = b.(*types.Slice).Elem()
		} else {
			h = h.(*types.Slice).Elem()
		}
		return h, typeText(b) == typeText(h)
	}
	if typeText(b) == typeText(h) {
		return h, true
	}
	if variadic[0] {
		return nil, false
	}
	was := a.head.twin(b)
	switch {
	case was == nil:
		return nil, false
	case types.AssignableTo(was, h):
		return was, true
	case types.AssignableTo(h, was) && a.base.twin(h) != nil:
		return h, true
	}
	return p.same(was, h)
}

// results pairs the results. What only one version gives is left out, and what may be that. An error that it does not
// give counts as nil.
func (a adapter) results(p *adaptation, b, h *types.Signature) (common []*types.Var, ok bool) {
	sides := version.Both[[]*types.Var]{vars(b.Results()), vars(h.Results())}
	var fails version.Both[bool]
	for side, list := range sides {
		if n := len(list); n > 0 && isError(list[n-1].Type()) {
			fails[side], sides[side] = true, list[:n-1]
		}
	}
	p.alike = p.alike && fails[0] == fails[1] && len(sides[0]) == len(sides[1])
	for i := range certain(sides) {
		bt, ht := sides[0][i].Type(), sides[1][i].Type()
		if typeText(bt) != typeText(ht) {
			was := a.head.twin(bt)
			if was == nil {
				return nil, false
			}
			if ht, ok = p.same(was, ht); !ok {
				return nil, false
			}
		}
		common = append(common, newVar(ht))
	}
	if fails[0] || fails[1] {
		common = append(common, newVar(types.Universe.Lookup("error").Type()))
	}
	return common, true
}

// certain returns how many of the first results are the same ones on both versions. Of one whose type what only one version
// gives has, too, that is not known, unless it is called alike.
func certain(sides version.Both[[]*types.Var]) int {
	n := min(len(sides[0]), len(sides[1]))
	more := slices.Concat(sides[0][n:], sides[1][n:])
	for i := range n {
		b, h := sides[0][i], sides[1][i]
		if b.Name() != "" && b.Name() == h.Name() {
			continue
		}
		if slices.ContainsFunc(more, func(m *types.Var) bool { return typeText(m.Type()) == typeText(h.Type()) }) {
			return i
		}
	}
	return n
}

// same returns what two types are made of, if that is the same: a named type and its
// underlying one, or text as a string and as bytes.
func (p *adaptation) same(b, h types.Type) (types.Type, bool) {
	if isText(b) && isText(h) && !types.Identical(b.Underlying(), h.Underlying()) {
		p.alike = false
		return types.Typ[types.String], true
	}
	switch h.Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Map, *types.Signature:
		return h.Underlying(), types.Identical(b.Underlying(), h.Underlying())
	}
	return nil, false
}

func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String
	case *types.Slice:
		e, ok := u.Elem().(*types.Basic)
		return ok && e.Kind() == types.Byte
	}
	return false
}

func takesContext(list []*types.Var) bool {
	return len(list) > 0 && typeText(list[0].Type()) == "context.Context"
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func newVar(t types.Type) *types.Var { return types.NewVar(0, nil, "", t) }

// typeText spells a type out, so that those of two versions can be compared.
func typeText(t types.Type) string {
	return sameNames(types.TypeString(t, func(p *types.Package) string { return p.Path() }))
}

// signatureText is a signature as people read it, without names.
func signatureText(s *types.Signature) string {
	list := func(t *types.Tuple) []*types.Var {
		var out []*types.Var
		for v := range t.Variables() {
			out = append(out, newVar(v.Type()))
		}
		return out
	}
	plain := types.NewSignatureType(nil, nil, nil, types.NewTuple(list(s.Params())...), types.NewTuple(list(s.Results())...), s.Variadic())
	return types.TypeString(plain, func(p *types.Package) string { return p.Name() })
}

// given picks, of what one version was given, what both take. receivers is 1 for a method.
func (p *adaptation) given(args []wire.Lit, receivers int) ([]wire.Lit, bool) {
	for _, takes := range p.takes {
		if len(takes)+receivers != len(args) {
			continue
		}
		out := append([]wire.Lit(nil), args[:receivers]...)
		if p.whole {
			for range p.sig.Params().Len() {
				out = append(out, wire.Lit{Form: wire.Hole})
			}
			for i, at := range takes {
				out[receivers+at] = args[receivers+i]
			}
			return out, true
		}
		for i, at := range takes {
			if at >= 0 {
				out = append(out, p.narrowed(args[receivers+i], at))
			}
		}
		return out, true
	}
	return nil, false
}

// narrowed takes a value out of the interface that one version wants it in, or out of a list
// that holds nothing else.
func (p *adaptation) narrowed(l wire.Lit, at int) wire.Lit {
	t := p.sig.Params().At(at).Type()
	if l.Form == wire.Dynamic && len(l.E) == 1 && !types.IsInterface(t) {
		return l.E[0]
	}
	if _, list := t.Underlying().(*types.Slice); l.Form == wire.Seq && len(l.E) == 1 && !list {
		return l.E[0]
	}
	return l
}

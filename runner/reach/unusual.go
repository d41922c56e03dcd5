package reach

import (
	"encoding/json"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// bindsOther reports whether a step passes another table to an unexported function than all calls in the module do. One of the
// callers must be an operation itself.
func (u user) bindsOther(p wire.Sequence) bool {
	for _, step := range p {
		op := u.API.Op(step.Op)
		for k, a := range step.Args {
			if op.Function == nil || a.Form == wire.Ref {
				continue
			}
			callers, bound := u.usage.Bound(op.Function, k)
			if bound && has(u.API, func(o surface.Operation) bool { return o.Function != nil && callers[o.Function.Origin().FullName()] }) {
				return true
			}
		}
	}
	return false
}

// callsUnmade reports whether a method is called on an empty struct of another module, which has no exported fields and
// whose package has a function for it. What such a struct does is nobody's concern. The standard library's
// empty structs are meant to be used.
func (u user) callsUnmade(p wire.Sequence) bool {
	for _, step := range p {
		of := u.API.Op(step.Op).Abroad()
		if of == nil || len(step.Args) == 0 || !isMadeAbroad(of) {
			continue
		}
		if u.isUnusuallyEmpty(u.emptyType(p, types.NewPointer(of), step.Args[0])) {
			return true
		}
	}
	return false
}

// isMadeAbroad reports whether a type outside of the standard library is a struct that has no exported fields, and an exported
// function of its package gives one, or an interface with methods that it implements.
func isMadeAbroad(n *types.Named) bool {
	fields, ok := n.Underlying().(*types.Struct)
	if !ok || fields.NumFields() == 0 || !strings.Contains(n.Obj().Pkg().Path(), ".") {
		return false
	}
	for f := range fields.Fields() {
		if f.Exported() {
			return false
		}
	}
	scope := n.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		f, ok := scope.Lookup(name).(*types.Func)
		return ok && f.Exported() && slices.ContainsFunc(slices.Collect(f.Signature().Results().Variables()), func(r *types.Var) bool {
			if face, ok := r.Type().Underlying().(*types.Interface); ok {
				return face.NumMethods() > 0 && types.Implements(types.NewPointer(n), face) && types.TypeString(r.Type(), nil) != "error"
			}
			return types.Identical(r.Type(), n) || types.Identical(r.Type(), types.NewPointer(n))
		})
	})
}

// givesItself reports whether a step passes a receiver to itself as an interface. A router is mounted in itself, for example.
func givesItself(p wire.Sequence, api *surface.API) bool {
	for _, step := range p {
		op := api.Op(step.Op)
		if !op.IsMethod() || len(step.Args) == 0 || step.Args[0].Form != wire.Ref {
			continue
		}
		for k, a := range step.Args[1:] {
			if t := op.Parameter(k + 1); t != nil && types.IsInterface(t) && a.Form == wire.Ref && a.N == step.Args[0].N && a.U == step.Args[0].U {
				return true
			}
		}
	}
	return false
}

// leavesOut reports whether a step gets a struct that lacks a number or a text which all literals of the module set. Nil fields do not
// count, because callers may rely on a default.
func (u user) leavesOut(p wire.Sequence) bool {
	return u.anyLiteral(p, func(t types.Type, l wire.Lit) bool {
		under, ok := t.Underlying().(*types.Struct)
		if !ok || l.Form != wire.Struct {
			return false
		}
		name := surface.ReflectName(t)
		for i := range under.NumFields() {
			_, basic := under.Field(i).Type().Underlying().(*types.Basic)
			if basic && (i >= len(l.E) || l.E[i].Form == wire.Zero) && u.usage.AlwaysSets(name, i) {
				return true
			}
		}
		return false
	})
}

// renumbered reports whether a step gets a number whose constants have other names on head than on base.
func (u user) renumbered(p wire.Sequence) bool {
	return len(u.numbers) > 0 && u.anyLiteral(p, func(t types.Type, l wire.Lit) bool {
		return (l.Form == wire.Int || l.Form == wire.Uint) && u.numbers[surface.ReflectName(t)][l.N]
	})
}

// anyLiteral reports whether is returns true for a literal of known type in the arguments of a step.
func (u user) anyLiteral(p wire.Sequence, is func(types.Type, wire.Lit) bool) bool {
	for _, step := range p {
		op := u.API.Op(step.Op)
		for k, a := range step.Args {
			if within(op.Parameter(k), a, is) {
				return true
			}
		}
	}
	return false
}

// within reports whether is returns true for a literal of a type, or for a literal in it.
func within(t types.Type, l wire.Lit, is func(types.Type, wire.Lit) bool) bool {
	if t == nil {
		return false
	}
	if is(t, l) {
		return true
	}
	switch under := t.Underlying().(type) {
	case *types.Pointer:
		return l.Form == wire.Pointer && len(l.E) == 1 && within(under.Elem(), l.E[0], is)
	case *types.Struct:
		for i := 0; l.Form == wire.Struct && i < min(len(l.E), under.NumFields()); i++ {
			if within(under.Field(i).Type(), l.E[i], is) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // slices, arrays and maps
		for i, e := range l.E {
			of := under.Elem()
			if m, ok := under.(*types.Map); ok && i%2 == 0 {
				of = m.Key()
			}
			if (l.Form == wire.Seq || l.Form == wire.Map) && within(of, e, is) {
				return true
			}
		}
	}
	return false
}

// decodesOther reports whether a step passes something to a type's UnmarshalJSON that package encoding/json would not pass.
func decodesOther(p wire.Sequence, api *surface.API) bool {
	for _, step := range p {
		op := api.Op(step.Op)
		if op.IsMethod() && strings.HasSuffix(op.Name, ").UnmarshalJSON") && len(step.Args) == 2 &&
			(step.Args[1].Form == wire.Zero || step.Args[1].Form == wire.Text && !isDocument(step.Args[1].S)) {
			return true
		}
	}
	return false
}

// isDocument reports whether a text is valid JSON without surrounding blanks, as package encoding/json passes it.
func isDocument(text string) bool { return json.Valid([]byte(text)) && strings.TrimSpace(text) == text }

// tellsErrors reports whether a finding differs only in the texts of errors that callbacks tell in a list.
func tellsErrors(p wire.Sequence, api *surface.API, f event.Finding) bool {
	var names []string
	others := false
	p.Walk(func(_ int, l *wire.Lit) {
		switch {
		case l.Form == wire.Special && l.S == wire.SpecialTelling:
			others = true
		case l.Form == wire.Special && l.S == wire.SpecialBack && len(l.E) > 0:
			names = append(names, l.E[0].S)
		}
	})
	if others || len(names) == 0 || len(f.Differs) == 0 || f.Kind != event.KindValue {
		return false
	}
	for _, d := range f.Differs {
		for _, text := range []string{d.Base, d.Head} {
			if !strings.HasPrefix(d.Path, "value[") || !strings.HasPrefix(text, `"`) || text == `"<nil>"` {
				return false
			}
		}
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		return !has(api, func(o surface.Operation) bool { return o.Name == name && o.GivesError })
	})
}

// has reports whether wanted returns true for an operation.
func has(api *surface.API, wanted func(surface.Operation) bool) bool {
	for _, op := range api.All() {
		if wanted(op) {
			return true
		}
	}
	return false
}

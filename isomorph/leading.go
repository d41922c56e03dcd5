package isomorph

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// A Lead says how a function of the module leads to what differs in dependencies.
type Lead int

const (
	// LeadsNowhere is a function from which no call leads there.
	LeadsNowhere Lead = iota
	// LeadsOn is one from which calls lead there by way of exported functions of the module.
	LeadsOn
	// LeadsIn is one by which callers get there: it is exported, and no other exported
	// function lies between.
	LeadsIn
)

// Lead returns how a function leads to Δ, by where its func keyword stands on a side; side
// is "base" or "head". known is false where more differs than dependencies, and then nothing
// is said. Unlike Reach it follows types as they flow, so that a function value which
// somebody else may call counts for those alone that hand it over.
func (r *Result) Lead(side string, declaration load.Place) (lead Lead, known bool) {
	if !r.OnlyDependencies || r.leads == nil {
		return LeadsNowhere, false
	}
	return r.leads[side][declaration], true
}

// leading finds out how the functions of the module lead to those that call what differs,
// which are given by their families.
func (l *linked) leading(through map[string]map[string]bool) map[string]Lead {
	callers := map[*ssa.Function][]*ssa.Function{}
	for from, to := range l.calls {
		for _, fn := range to {
			callers[fn] = append(callers[fn], from)
		}
	}
	out := map[string]Lead{}
	walk := func(lead Lead, passes func(*ssa.Function) bool) {
		seen := map[*ssa.Function]bool{}
		var work []*ssa.Function
		visit := func(fn *ssa.Function) {
			if seen[fn] {
				return
			}
			seen[fn] = true
			if l.own[fn] {
				family := ownFamily(fn)
				if lead == LeadsOn || isFace(fn) {
					out[family] = max(out[family], lead)
				}
			}
			if passes(fn) {
				work = append(work, fn)
			}
		}
		for fn := range l.own {
			if through[ownFamily(fn)] != nil {
				visit(fn)
			}
		}
		for len(work) > 0 {
			fn := work[len(work)-1]
			work = work[:len(work)-1]
			for _, c := range callers[fn] {
				visit(c)
			}
		}
	}
	walk(LeadsOn, func(*ssa.Function) bool { return true })
	walk(LeadsIn, func(fn *ssa.Function) bool { return l.own[fn] && !isFace(fn) })
	return out
}

func ownFamily(fn *ssa.Function) string { return fn.Pkg.Pkg.Path() + "\x00" + fn.String() }

// isFace reports whether callers from outside can name a function.
func isFace(fn *ssa.Function) bool {
	if !token.IsExported(fn.Name()) {
		return false
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return true
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Exported()
}

// place turns families of a version into the places of their declarations.
func (p *Program) place(leads map[string]Lead) map[load.Place]Lead {
	out := map[load.Place]Lead{}
	for _, f := range p.functions {
		if lead := leads[f.family]; lead != LeadsNowhere && f.span != nil {
			out[f.span.Place] = lead
		}
	}
	return out
}

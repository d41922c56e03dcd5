package isomorph

import (
	"go/ast"

	"golang.org/x/tools/go/ssa"
)

// mentions are the functions of a version that name others, by family: from each function that is named to those that name it.
type mentions map[string]map[string]bool

// add notes which declared functions a function names.
func (m mentions) add(f *function) {
	for operand := range operandsOf(f.fn) {
		fn, ok := operand.(*ssa.Function)
		if !ok || fn.Parent() != nil {
			continue
		}
		if fn = declaration(fn); fn.Pkg == nil || fn == f.fn {
			continue
		}
		family := fn.Pkg.Pkg.Path() + "\x00" + fn.String()
		if m[family] == nil {
			m[family] = map[string]bool{}
		}
		m[family][f.family] = true
	}
}

// earlyFunctions returns the functions that run before anything else does, and then never again, by family: initialisers name them, or others
// that are early, and nothing else does on either version, as far as the code without tests goes.
func earlyFunctions(b, h *Program) map[string]bool {
	early, inits := map[string]bool{}, map[string]bool{}
	for _, p := range []*Program{b, h} {
		for _, f := range p.functions {
			switch {
			case f.init:
				inits[f.family] = true
			case !f.exported():
				early[f.family] = true
			}
		}
	}
	for moved := true; moved; {
		moved = false
		for family := range early {
			if !namedEarly(family, early, inits, b.mentions, h.mentions) {
				delete(early, family)
				moved = true
			}
		}
	}
	return fromInits(early, inits, b.mentions, h.mentions)
}

// namedEarly reports whether initialisers and functions that may be early name a function, and no others do.
func namedEarly(family string, early, inits map[string]bool, sides ...mentions) bool {
	named := false
	for _, side := range sides {
		for by := range side[family] {
			if !inits[by] && !early[by] {
				return false
			}
			named = true
		}
	}
	return named
}

// fromInits returns those of some functions to which names lead from an initialiser: others that only name each other never run.
func fromInits(some, inits map[string]bool, sides ...mentions) map[string]bool {
	reached := map[string]bool{}
	for moved := true; moved; {
		moved = false
		for family := range some {
			for _, side := range sides {
				for by := range side[family] {
					if !reached[family] && (inits[by] || reached[by]) {
						reached[family], moved = true, true
					}
				}
			}
		}
	}
	return reached
}

// markEarly marks those functions of Δ that are early, as earlyFunctions gives them.
func markEarly(b, h *Program, early map[string]bool, changed []Function) {
	names := map[string]bool{}
	for _, p := range []*Program{b, h} {
		for _, f := range p.functions {
			if early[f.family] {
				names[f.pkg+" "+f.name] = true
			}
		}
	}
	for i, f := range changed {
		changed[i].Early = names[f.Package+" "+f.Name]
	}
}

// exported reports whether other packages can name the function. A method may be called
// through an interface.
func (f *function) exported() bool {
	return f.fn.Signature.Recv() != nil || ast.IsExported(f.fn.Name())
}

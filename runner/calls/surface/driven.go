package surface

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/load"
)

const (
	maxDriven     = 96      // sequences that Driven gives
	longestDriven = 4 << 10 // bytes of a text in one
)

// Driven are the calls of drivers that tests of the package make, or may make by helpers of theirs: with the texts that a
// call in a test file has, and with what its other arguments give. What is not known is a hole.
func (a *API) Driven() []wire.Sequence { return a.driven }

// driven reads the test files of a package for what drivers are given.
func (w *writer) driven(t *load.Tree, p *load.Package) {
	var drivers []wire.Op
	for n, op := range w.api.All() {
		if op.Driver {
			drivers = append(drivers, n)
		}
	}
	if len(drivers) == 0 {
		return
	}
	seen := map[string]bool{}
	for _, file := range testFiles(t, p.Test) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(w.api.driven) >= maxDriven {
				return len(w.api.driven) < maxDriven
			}
			for _, n := range drivers {
				for _, s := range w.drivenBy(p.Test, call, n) {
					if key := string(s.Encode(nil)); !seen[key] && len(w.api.driven) < maxDriven {
						seen[key] = true
						w.api.driven = append(w.api.driven, s)
					}
				}
			}
			return true
		})
	}
}

// drivenBy are the calls of a driver with what a call in a test is given: one with all of its texts where it calls the driver
// or the driver takes them all, and else one for each.
func (w *writer) drivenBy(p *packages.Package, call *ast.CallExpr, n wire.Op) []wire.Sequence {
	d := w.api.Op(n)
	var texts []string
	for _, e := range call.Args {
		if s, ok := constantText(p, e); ok && len(s) <= longestDriven {
			texts = append(texts, s)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	callee, _ := typeutil.Callee(p.TypesInfo, call).(*types.Func)
	own := callee != nil && callee.Name() == d.expr && callee.Pkg() == p.Types && callee.Signature().Recv() == nil
	if callee != nil && !own && callee.Pkg() != p.Types {
		return nil // a call into another package
	}
	places := 0
	for _, t := range d.params {
		if holdsText(t) {
			places++
		}
	}
	if own || places > 1 || d.sig.Variadic() {
		return []wire.Sequence{w.driveWith(p, call, n, texts)}
	}
	var out []wire.Sequence
	for _, s := range texts {
		out = append(out, w.driveWith(p, call, n, []string{s}))
	}
	return out
}

// driveWith is a call of a driver with texts, in order, and with the values of those arguments of a call that are calls
// without arguments themselves.
func (w *writer) driveWith(p *packages.Package, call *ast.CallExpr, n wire.Op, texts []string) wire.Sequence {
	d := w.api.Op(n)
	var s wire.Sequence
	args := make([]wire.Lit, len(d.params))
	for i, t := range d.params {
		args[i] = wire.Lit{Form: wire.Hole}
		switch {
		case holdsText(t) && len(texts) > 0:
			take := 1
			if isTexts(t) {
				take = len(texts)
			}
			list := make([]wire.Lit, take)
			for k, text := range texts[:take] {
				list[k] = wire.Lit{Form: wire.Text, S: text}
			}
			texts = texts[take:]
			args[i] = list[0]
			if isTexts(t) {
				args[i] = wire.Lit{Form: wire.Seq, E: list}
			}
		default:
			if maker, ok := w.makerIn(p, call, t); ok {
				s = append(s, wire.Step{Op: maker})
				args[i] = wire.RefTo(len(s)-1, 0)
			}
		}
	}
	return append(s, wire.Step{Op: n, Args: args})
}

// makerIn is the operation, without parameters but for the test, that gives an argument of a call, of a type.
func (w *writer) makerIn(p *packages.Package, call *ast.CallExpr, t types.Type) (wire.Op, bool) {
	want := types.TypeString(t, nil)
	for _, e := range call.Args {
		made, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			continue
		}
		f, ok := typeutil.Callee(p.TypesInfo, made).(*types.Func)
		if !ok || f.Signature().Params().Len() != len(made.Args) || f.Signature().Recv() != nil || f.Signature().Results().Len() == 0 || types.TypeString(f.Signature().Results().At(0).Type(), nil) != want {
			continue
		}
		if without, _ := underTest(f.Signature()); without.Params().Len() > 0 {
			continue
		}
		name := w.short(f)
		for n, op := range w.api.All() {
			gives := op.OfTest || slices.ContainsFunc(op.results, func(r types.Type) bool { return types.TypeString(r, nil) == want })
			if op.Name == name && len(op.params) == 0 && gives {
				return n, true
			}
		}
	}
	return 0, false
}

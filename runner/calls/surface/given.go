package surface

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

const (
	maxGiven    = 16 // types of functions taken from tests
	maxVariants = 3  // of each, with another parameter
)

// givenFunctions registers the types of functions that tests give where anything may be given, and those that the code itself
// asks for there: constructors of a container, handlers, callbacks that code looks at by package reflect. Beside each stand some with a pointer where a
// parameter is none, and the other way round, since that code asks for the kinds of the parameters.
func (w *writer) givenFunctions(p *load.Package) {
	seen := map[string]bool{}
	eachAsserted(p.Code, func(t types.Type) {
		if sig, ok := t.(*types.Signature); ok {
			w.givenType(sig, p.Code.Types, seen)
		}
	})
	for _, q := range []*packages.Package{p.Test, p.XTest} {
		if q == nil || q.TypesInfo == nil {
			continue
		}
		for _, file := range q.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				for _, e := range givenToAny(q.TypesInfo, n) {
					if sig, ok := q.TypesInfo.TypeOf(e).(*types.Signature); ok && sig.Params().Len()+sig.Results().Len() > 0 {
						w.givenType(sig, q.Types, seen)
					}
				}
				return true
			})
		}
	}
}

// givenToAny are the expressions that a call or a composite literal gives to an empty interface.
func givenToAny(info *types.Info, n ast.Node) []ast.Expr {
	var out []ast.Expr
	note := func(t types.Type, e ast.Expr) {
		if i, ok := t.Underlying().(*types.Interface); ok && i.Empty() {
			out = append(out, e)
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		sig, ok := info.TypeOf(n.Fun).(*types.Signature)
		if !ok {
			return nil
		}
		params := sig.Params()
		for i, e := range n.Args {
			switch last := params.Len() - 1; {
			case sig.Variadic() && i >= last && !n.Ellipsis.IsValid():
				note(params.At(last).Type().(*types.Slice).Elem(), e)
			case i <= last:
				note(params.At(i).Type(), e)
			}
		}
	case *ast.CompositeLit:
		for i, e := range n.Elts {
			value := e
			kv, keyed := e.(*ast.KeyValueExpr)
			if keyed {
				value = kv.Value
			}
			switch t := info.TypeOf(n).Underlying().(type) {
			case *types.Slice:
				note(t.Elem(), value)
			case *types.Array:
				note(t.Elem(), value)
			case *types.Map:
				note(t.Elem(), value)
			case *types.Struct:
				if keyed {
					note(info.TypeOf(kv.Key), value)
				} else if i < t.NumFields() {
					note(t.Field(i).Type(), value)
				}
			}
		}
	}
	return out
}

// givenType registers a type and its variants.
func (w *writer) givenType(sig *types.Signature, in *types.Package, seen map[string]bool) {
	if sig.TypeParams().Len() > 0 || sig.Recv() != nil {
		return
	}
	params, ok := w.shapesOf(sig.Params(), in)
	results, ok2 := w.shapesOf(sig.Results(), in)
	if !ok || !ok2 {
		return
	}
	register := func(params []string) {
		text := "func(" + strings.Join(params, ", ") + ") (" + strings.Join(results, ", ") + ")"
		if seen[text] || len(seen) >= maxGiven || len(text) > shapeText {
			return
		}
		seen[text] = true
		w.line(-1, "isodeltaH.Given((*%s)(nil))", text)
	}
	if sig.Variadic() {
		last := len(params) - 1
		params[last] = "..." + strings.TrimPrefix(params[last], "[]")
	}
	register(params)
	variants := 0
	for i, v := range vars(sig.Params()) {
		if _, asked := v.Type().Underlying().(*types.Interface); asked || variants == maxVariants || strings.HasPrefix(params[i], "...") {
			continue
		}
		variants++
		other := append([]string(nil), params...)
		if elem, pointer := strings.CutPrefix(params[i], "*"); pointer {
			other[i] = elem
		} else {
			other[i] = "*" + params[i]
		}
		register(other)
	}
}

// shapesOf writes the types of parameters or results; false where one cannot be named.
func (w *writer) shapesOf(t *types.Tuple, in *types.Package) ([]string, bool) {
	var out []string
	for _, v := range vars(t) {
		w.embedded = nil
		s, ok := w.shape(v.Type(), in, 1)
		if !ok || len(w.embedded) > 0 {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

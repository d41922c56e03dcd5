package tested

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

func (w *walker) call(e *ast.CallExpr, t types.Type) *term {
	ignored := w.ignored == e
	if w.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
		return w.conversion(e, t)
	}
	f, recv := w.callee(w.info, e)
	if f != nil {
		call := w.packageCall(f, recv, e, ignored)
		if call == nil {
			return nil
		}
		if f.Sig.Results().Len() == 1 {
			return newResult(call, 0)
		}
		return call
	}
	var args []*term
	for _, a := range e.Args {
		args = append(args, w.eval(a))
	}
	w.spoil(e)
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		if _, builtin := w.info.Uses[fun].(*types.Builtin); builtin {
			return w.builtin(fun.Name, e, t, args)
		}
	case *ast.SelectorExpr:
		fn, ok := w.info.Uses[fun.Sel].(*types.Func)
		if !ok {
			return nil
		}
		if fun.Sel.Name == "Diff" && len(args) >= 2 && fn.Signature().Recv() == nil {
			x := w.unknown(e, t)
			x.differs = args[:2]
			return x
		}
		if fn.Pkg() != nil && fn.Signature().Recv() == nil && slices.Contains(relation.Standard(), fn.Pkg().Path()) && fn.Signature().Results().Len() == 1 {
			return w.operation("lib "+fn.FullName(), t, func(s *speller, p []string) (string, bool) {
				return s.use(fn.Pkg()) + "." + fn.Name() + "(" + spread(p, e.Ellipsis != token.NoPos) + ")", true
			}, args...)
		}
	}
	return nil
}

func spread(parts []string, all bool) string {
	text := ""
	for i, p := range parts {
		if i > 0 {
			text += ", "
		}
		text += p
	}
	if all {
		text += "..."
	}
	return text
}

func (w *walker) conversion(e *ast.CallExpr, t types.Type) *term {
	x := w.eval(e.Args[0])
	if types.Identical(t, x.typ) {
		return x
	}
	return w.operation("convert "+types.TypeString(t, nil), t, func(s *speller, p []string) (string, bool) {
		text, ok := s.typ(t)
		return goexpr.Convert(text, p[0]), ok
	}, x)
}

// builtin follows those built-in functions that change nothing.
func (w *walker) builtin(name string, e *ast.CallExpr, t types.Type, args []*term) *term {
	switch name {
	case "new":
		return address(zero(t.Underlying().(*types.Pointer).Elem()))
	case "len", "min", "max":
		return w.operation(name, t, func(_ *speller, p []string) (string, bool) { return name + "(" + spread(p, false) + ")", true }, args...)
	}
	return nil
}

// packageCall is a call of the package under test; nil where its arguments are no
// expressions.
func (w *walker) packageCall(f *function, recv ast.Expr, e *ast.CallExpr, ignored bool) *term {
	var args []*term
	var places []ast.Expr // what the arguments are written as
	if recv != nil {
		args, places = append(args, w.receiver(f, recv)), append(places, recv)
	}
	for _, a := range e.Args {
		args, places = append(args, w.eval(a)), append(places, a)
	}
	params := f.Sig.Params()
	if f.Sig.Variadic() && e.Ellipsis == token.NoPos {
		n := params.Len() - 1
		if len(args) < n {
			return nil // f(g())
		}
		args = append(args[:n:n], w.list(params.At(n).Type(), args[n:]))
		places = append(places[:n:n], nil)
	}
	if len(args) != params.Len() {
		return nil
	}
	call := newCall(f, args)
	if call.size > maxSize {
		return nil
	}
	// What gives nothing, or an error only, is called for what it does.
	acts := ignored
	if n := f.Sig.Results().Len(); n == 0 || n == 1 && isError(f.Sig.Results().At(0).Type()) {
		acts = true
	}
	w.made = append(w.made, call)
	for i, place := range places {
		w.affect(call, i, place, acts && i == 0 && recv != nil, acts)
	}
	return call
}

// affect notes what a call does to the variable that it was given: by its address, or as
// what a pointer refers to.
func (w *walker) affect(call *term, i int, place ast.Expr, receiver, acts bool) {
	_, pointer := call.call.Sig.Params().At(i).Type().Underlying().(*types.Pointer)
	if !pointer {
		return
	}
	if u, ok := ast.Unparen(place).(*ast.UnaryExpr); ok && u.Op == token.AND {
		if o := w.local(u.X); o != nil {
			w.effects[o] = value(newAfter(call, i))
		}
		return
	}
	o := w.local(place)
	if o == nil || !acts {
		return
	}
	changed := newAfter(call, i)
	if _, is := o.Type().Underlying().(*types.Pointer); is {
		if receiver || call.parts[i].kind != unknown {
			w.effects[o] = changed
		}
		return
	}
	w.effects[o] = value(changed)
}

// spoil forgets variables whose address a call gets that is none of the package under
// test, and lists that are sorted in place.
func (w *walker) spoil(e *ast.CallExpr) {
	for _, a := range e.Args {
		if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && u.Op == token.AND {
			if o := w.local(u.X); o != nil {
				w.effects[o] = w.unknown(u, o.Type())
			}
		}
	}
	s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || w.ignored != e || len(e.Args) == 0 {
		return
	}
	if fn, ok := w.info.Uses[s.Sel].(*types.Func); ok && fn.Pkg() != nil && slices.Contains([]string{"sort", "slices"}, fn.Pkg().Path()) {
		if o := w.local(e.Args[0]); o != nil {
			w.effects[o] = w.unknown(e, o.Type())
		}
	}
}

// local is the variable of a test that an expression is, nil for none.
func (w *walker) local(e ast.Expr) types.Object {
	if e == nil {
		return nil
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	if v, ok := w.info.Uses[id].(*types.Var); ok && w.declares(v) == nil {
		return v
	}
	return nil
}

// receiver is the receiver as the method gets it.
func (w *walker) receiver(f *function, recv ast.Expr) *term {
	x := w.eval(recv)
	_, want := f.Sig.Params().At(0).Type().Underlying().(*types.Pointer)
	_, have := w.info.TypeOf(recv).Underlying().(*types.Pointer)
	switch {
	case want && !have:
		return address(x)
	case have && !want:
		return value(x)
	}
	return x
}

// list is what a variadic parameter gets.
func (w *walker) list(t types.Type, elems []*term) *term {
	if len(elems) == 0 {
		x := newTerm(literal, "none "+types.TypeString(t, nil), t)
		x.spell = fixed("nil")
		return x
	}
	return w.operation("list "+types.TypeString(t, nil), t, func(s *speller, p []string) (string, bool) {
		text, ok := s.typ(t)
		return text + "{" + spread(p, false) + "}", ok
	}, elems...)
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

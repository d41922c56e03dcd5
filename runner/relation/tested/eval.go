package tested

import (
	"bytes"
	"go/ast"
	"go/constant"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
)

// A walker goes through the statements of a test in their order, and knows what the
// variables hold.
type walker struct {
	*finder
	vars   map[types.Object]*term
	guards []guard
	// effects are what the calls of a statement do to variables, once it has ended.
	effects map[types.Object]*term
	ignored *ast.CallExpr          // the statement is this call
	returns bool                   // what a function literal returns is what should be true
	prints  map[*ast.CallExpr]bool // what an example prints
}

// A guard is a condition that holds where a claim is made.
type guard struct {
	is   *term
	want bool
}

// inner is a walker of a nested block: it forgets in the end what it has learned.
func (w *walker) inner() *walker {
	out := *w
	out.vars, out.guards, out.effects, out.ignored = maps.Clone(w.vars), slices.Clone(w.guards), map[types.Object]*term{}, nil
	return &out
}

// unknown is the term of something that cannot be followed. All that is evaluated at a
// place is the same there.
func (w *walker) unknown(at ast.Node, t types.Type) *term {
	return newTerm(unknown, "at "+strconv.Itoa(int(at.Pos()))+" to "+strconv.Itoa(int(at.End())), t)
}

func (w *walker) variable(o types.Object) *term {
	if t := w.vars[o]; t != nil {
		return t
	}
	t := newTerm(unknown, o.Name()+" "+strconv.Itoa(int(o.Pos())), o.Type())
	t.object = o
	return t
}

// eval follows an expression.
func (w *walker) eval(e ast.Expr) *term {
	t := w.follow(e)
	if t == nil || t.size > maxSize {
		return w.unknown(e, w.info.TypeOf(e))
	}
	return t
}

// follow returns nil for what cannot be followed.
func (w *walker) follow(e ast.Expr) *term {
	tv := w.info.Types[e]
	switch {
	case tv.Value != nil:
		return w.constant(e, tv)
	case tv.IsNil():
		t := newTerm(literal, "nil", tv.Type)
		t.spell = fixed("nil")
		return t
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.eval(e.X)
	case *ast.Ident:
		return w.named(e, tv.Type)
	case *ast.CompositeLit:
		return w.composite(e, tv.Type)
	case *ast.UnaryExpr:
		x := w.eval(e.X)
		if e.Op == token.AND {
			return address(x)
		}
		if e.Op == token.ARROW {
			return nil
		}
		return w.operation(e.Op.String()+" unary", tv.Type, func(_ *speller, p []string) (string, bool) { return e.Op.String() + operand(p[0]), true }, x)
	case *ast.StarExpr:
		return value(w.eval(e.X))
	case *ast.BinaryExpr:
		return binary(e.Op, tv.Type, w.eval(e.X), w.eval(e.Y))
	case *ast.SelectorExpr:
		return w.selector(e, tv.Type)
	case *ast.IndexExpr:
		if !w.info.Types[e.X].IsValue() || !w.info.Types[e.Index].IsValue() {
			return nil
		}
		return w.operation("index", tv.Type, func(_ *speller, p []string) (string, bool) { return operand(p[0]) + "[" + p[1] + "]", true }, w.eval(e.X), w.eval(e.Index))
	case *ast.SliceExpr:
		return w.slice(e, tv.Type)
	case *ast.CallExpr:
		return w.call(e, tv.Type)
	}
	return nil
}

func fixed(text string) func(*speller, []string) (string, bool) {
	return func(*speller, []string) (string, bool) { return text, true }
}

// binary is an operation on two terms.
func binary(op token.Token, t types.Type, a, b *term) *term {
	x := newTerm(operation, op.String(), t, a, b)
	x.op = op
	x.spell = func(_ *speller, p []string) (string, bool) {
		for i, part := range x.parts {
			if part.op.Precedence() <= op.Precedence() {
				p[i] = operand(p[i])
			}
		}
		return p[0] + " " + op.String() + " " + p[1], true
	}
	return x
}

func (w *walker) operation(name string, t types.Type, spell func(*speller, []string) (string, bool), parts ...*term) *term {
	x := newTerm(operation, name, t, parts...)
	x.spell = spell
	return x
}

func (w *walker) constant(e ast.Expr, tv types.TypeAndValue) *term {
	t := newTerm(literal, "const "+types.TypeString(tv.Type, nil)+" "+tv.Value.ExactString(), tv.Type)
	t.value = tv.Value
	text := constantText(tv.Value)
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o := w.declares(w.info.Uses[x]); o != nil {
			text, t.constant = o.Name(), true
		}
	case *ast.SelectorExpr:
		if o := w.declares(w.info.Uses[x.Sel]); o != nil {
			text, t.constant = o.Name(), true
		}
	case *ast.BasicLit:
		if x.Kind != token.STRING {
			text = x.Value
		}
	}
	t.spell = func(*speller, []string) (string, bool) { return text, text != "" }
	return t
}

// constantText writes a constant, "" for one that no type of the language has exactly.
func constantText(v constant.Value) string {
	switch v.Kind() {
	case constant.Bool, constant.Int:
		return v.ExactString()
	case constant.String:
		return strconv.Quote(constant.StringVal(v))
	case constant.Float:
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return ""
}

func (w *walker) named(e *ast.Ident, t types.Type) *term {
	o := w.info.Uses[e]
	if o == nil {
		o = w.info.Defs[e]
	}
	v, ok := o.(*types.Var)
	if !ok {
		return nil
	}
	return w.global(v, t)
}

// global is a variable; one of the package under test can be named everywhere.
func (w *walker) global(v *types.Var, t types.Type) *term {
	if o := w.declares(v); o != nil {
		x := newTerm(literal, "var "+o.Name(), t)
		x.spell = fixed(o.Name())
		return x
	}
	return w.variable(v)
}

func (w *walker) selector(e *ast.SelectorExpr, t types.Type) *term {
	s := w.info.Selections[e]
	if s == nil {
		if v, ok := w.info.Uses[e.Sel].(*types.Var); ok {
			return w.global(v, t)
		}
		return nil
	}
	if s.Kind() != types.FieldVal {
		return nil
	}
	reached := token.IsExported(e.Sel.Name) || s.Obj().Pkg() != nil && s.Obj().Pkg().Path() == w.path
	x := w.operation("field "+e.Sel.Name, t, func(_ *speller, p []string) (string, bool) { return operand(p[0]) + "." + e.Sel.Name, reached }, w.eval(e.X))
	x.field = e.Sel.Name
	return x
}

func (w *walker) slice(e *ast.SliceExpr, t types.Type) *term {
	if e.Slice3 {
		return nil
	}
	parts := []*term{w.eval(e.X)}
	low, high := -1, -1
	if e.Low != nil {
		low = len(parts)
		parts = append(parts, w.eval(e.Low))
	}
	if e.High != nil {
		high = len(parts)
		parts = append(parts, w.eval(e.High))
	}
	return w.operation("slice "+strconv.Itoa(low)+" "+strconv.Itoa(high), t, func(_ *speller, p []string) (string, bool) {
		text := operand(p[0]) + "["
		if low > 0 {
			text += p[low]
		}
		text += ":"
		if high > 0 {
			text += p[high]
		}
		return text + "]", true
	}, parts...)
}

// composite is a composite literal. One without variables is the same wherever it is
// written the same.
func (w *walker) composite(e *ast.CompositeLit, t types.Type) *term {
	if _, is := t.Underlying().(*types.Struct); is && len(e.Elts) == 0 {
		return zero(t)
	}
	text, ok := w.text(e)
	if !ok {
		return nil
	}
	return newTerm(unknown, "literal "+types.TypeString(t, nil)+" "+text, t)
}

// text writes an expression that is the same everywhere: false if it has variables,
// calls or function literals.
func (w *walker) text(e ast.Expr) (string, bool) {
	plain := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := w.info.Uses[n].(*types.Var); ok && !v.IsField() {
				plain = false
			}
		case *ast.FuncLit:
			plain = false
		case *ast.CallExpr:
			if !w.info.Types[n.Fun].IsType() {
				plain = false
			}
		}
		return plain
	})
	if !plain {
		return "", false
	}
	var b bytes.Buffer
	// Positions would bring line ends in.
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		return "", false
	}
	return b.String(), true
}

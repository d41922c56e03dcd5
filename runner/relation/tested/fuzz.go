package tested

import (
	"bytes"
	"errors"
	"go/ast"
	"go/printer"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// fuzzed makes relations of the bodies of fuzz tests in a file. A body is a property of
// what it is given. It becomes one of the function that gets all of that first, since
// inputs are those of functions.
func (f *finder) fuzzed(file *ast.File) []relation.Relation {
	var out []relation.Relation
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
			continue
		}
		lit := f.target(fn)
		if lit == nil {
			continue
		}
		r, err := f.fuzz(file, fn, lit)
		if err != nil {
			f.left = append(f.left, Left{At: f.at(fn.Pos()), Reason: "the body of " + fn.Name.Name + " is not run on other inputs: " + err.Error()})
			continue
		}
		out = append(out, r)
	}
	return out
}

// target is the function literal that a fuzz test hands to testing.F.Fuzz, nil for none.
func (f *finder) target(fn *ast.FuncDecl) *ast.FuncLit {
	var lit *ast.FuncLit
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return lit == nil
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if o, is := f.info.Uses[selected(s, ok)].(*types.Func); is && o.FullName() == "(*testing.F).Fuzz" {
			lit, _ = call.Args[0].(*ast.FuncLit)
		}
		return lit == nil
	})
	return lit
}

func selected(s *ast.SelectorExpr, ok bool) *ast.Ident {
	if !ok {
		return nil
	}
	return s.Sel
}

func (f *finder) fuzz(file *ast.File, fn *ast.FuncDecl, lit *ast.FuncLit) (relation.Relation, error) {
	var r relation.Relation
	if err := f.portable(lit); err != nil {
		return r, err
	}
	var params []*types.Var
	for i, field := range lit.Type.Params.List {
		if i == 0 && len(field.Names) != 1 {
			return r, errors.New("it does not name its *testing.T")
		}
		for k, name := range field.Names {
			v, ok := f.info.Defs[name].(*types.Var)
			if i == 0 && k == 0 {
				continue
			}
			if !ok {
				return r, errors.New("it leaves out an argument")
			}
			params = append(params, v)
		}
	}
	if len(params) == 0 {
		return r, errors.New("it is given nothing")
	}
	// A finder of its own: what the body claims was noted before.
	in := *f
	in.found, in.made = nil, nil
	w := &walker{finder: &in, vars: map[types.Object]*term{}, effects: map[types.Object]*term{}}
	w.block(lit.Body.List)
	for _, call := range in.made {
		if args, ok := given(w, call, params); ok && !communicates(call) {
			return f.property(file, fn, lit, call, args)
		}
	}
	return r, errors.New("it calls no function of the package with all that it is given")
}

// given finds what a call gets of the arguments of a fuzz test: the number of the
// parameter for each, false if it does not get all of them.
func given(w *walker, call *term, params []*types.Var) ([]int, bool) {
	var out []int
	for _, p := range params {
		key := w.variable(p).key
		i := slices.IndexFunc(call.parts, func(a *term) bool {
			return a.key == key || strings.HasPrefix(a.key, "convert ") && a.parts[0].key == key && isText(a.typ) && isText(p.Type())
		})
		if i < 0 || slices.Contains(out, i) {
			return nil, false
		}
		out = append(out, i)
	}
	return out, true
}

// isText reports whether a type is one of string and []byte, which convert both ways.
func isText(t types.Type) bool {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()&types.IsString != 0
	}
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Byte])
}

// property is a relation whose source call gets what the body is given.
func (f *finder) property(file *ast.File, fn *ast.FuncDecl, lit *ast.FuncLit, source *term, args []int) (relation.Relation, error) {
	frame := relation.NewFrame(source.call.Subject)
	var values, names []string
	for i, field := range slices.Collect(parametersOf(lit)) {
		if i == 0 {
			continue
		}
		p := frame.Params[args[i-1]].Name
		names = append(names, p)
		if want := f.info.Defs[field].Type(); !sameType(want, source.call.Sig.Params().At(args[i-1]).Type()) {
			p = goexpr.Convert(types.TypeString(want.Underlying(), nil), p)
		}
		values = append(values, p)
	}
	text, err := f.moved(file, lit, frame)
	if err != nil {
		return relation.Relation{}, err
	}
	if len(text) > goexpr.MaxLength {
		return relation.Relation{}, errors.New("it is too long")
	}
	call := frame.Call()
	for range source.call.Sig.Results().Len() {
		call.Results = append(call.Results, frame.Fresh("result"))
	}
	// A form imports what its expressions use.
	form := frame.Form([]relation.Call{call}, "", "", text)
	form.Body, form.BodyArgs, form.Check = text, values, ""
	s := source.call.Subject
	return relation.Relation{Function: s.Name, Package: s.Package.Path(), Name: "fuzz test", Source: event.FromTest, At: f.at(fn.Pos()),
		Notation: fn.Name.Name + " passes for " + strings.Join(names, ", "), Form: form}, nil
}

// parametersOf yields the names of a function literal's parameters.
func parametersOf(lit *ast.FuncLit) func(func(*ast.Ident) bool) {
	return func(yield func(*ast.Ident) bool) {
		for _, field := range lit.Type.Params.List {
			for _, name := range field.Names {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// moved is the text of a function literal where the package's own code stands.
func (f *finder) moved(file *ast.File, lit *ast.FuncLit, frame *relation.Frame) (string, error) {
	var b bytes.Buffer
	if err := printer.Fprint(&b, f.tree.Fset, lit); err != nil {
		return "", err
	}
	own, names := map[string]bool{}, map[string]string{}
	// In the order of the text, since packages get their names in turn.
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := f.info.Uses[id]
		if text, ok := f.inline(o); ok && o.Parent() == o.Pkg().Scope() {
			names[id.Name] = text
		}
		if p, ok := o.(*types.PkgName); ok && p.Imported().Path() == f.path {
			own[id.Name] = true
		} else if ok {
			names[id.Name] = frame.Use(p.Imported().Path(), p.Imported().Name())
		}
		return true
	})
	return goexpr.Rewriter{Name: func(name string) string {
		if n, ok := names[name]; ok {
			return n
		}
		return name
	}, Selection: func(x, y string) (string, bool) { return y, own[x] }}.Rewrite(b.String())
}

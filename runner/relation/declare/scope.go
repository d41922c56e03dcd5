package declare

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/internal/spelling"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// A scope is what one declared expression can name.
type scope struct {
	*relation.Frame
	library *library
	vars    map[string]scoped
	// structs are variables that stand for a call: their fields are selected and
	// never the variable itself.
	structs map[string]map[string]scoped
	hints   map[string]string // what to say about names that are not there
}

// scoped is a name: its type, and how the form spells it.
type scoped struct {
	typ   types.Type
	form  string
	spell func() string // in the place of form, for what is declared only if it is used
}

// with is a scope with further variables.
func (s *scope) with() *scope {
	out := *s
	out.vars, out.structs = map[string]scoped{}, map[string]map[string]scoped{}
	for k, v := range s.vars {
		out.vars[k] = v
	}
	for k, v := range s.structs {
		out.structs[k] = v
	}
	return &out
}

// complaint is an error at a place of an expression.
type complaint struct {
	line, column int
	msg          string
}

// compile type-checks an expression that is to have the type want, bool if that
// is nil, and spells it for the form.
func (s *scope) compile(expr string, want types.Type) (string, *complaint) {
	if len(expr) > goexpr.MaxLength {
		return "", &complaint{1, 1, fmt.Sprintf("the expression has %d bytes, more than the %d allowed", len(expr), goexpr.MaxLength)}
	}
	set := token.NewFileSet()
	e, err := parser.ParseExprFrom(set, "", expr, parser.SkipObjectResolution)
	if err != nil {
		return "", syntaxComplaint(err)
	}
	pkg := s.environment(want)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if err := types.CheckExpr(set, pkg, token.NoPos, e, info); err != nil {
		return "", s.complain(set, err)
	}
	tv := info.Types[e]
	if !tv.IsValue() {
		return "", &complaint{1, 1, "this is no value"}
	}
	if want == nil {
		if !isBool(tv.Type) {
			return "", &complaint{1, 1, fmt.Sprintf("this is %s, wanted a bool: a condition such as a == b", s.describe(tv.Type))}
		}
	} else {
		call := &ast.CallExpr{Fun: &ast.Ident{NamePos: e.Pos(), Name: wanted}, Lparen: e.Pos(), Args: []ast.Expr{e}, Rparen: e.End()}
		if types.CheckExpr(set, pkg, token.NoPos, call, nil) != nil {
			return "", &complaint{1, 1, fmt.Sprintf("this is %s, wanted %s", s.describe(tv.Type), s.describe(want))}
		}
	}
	for id, o := range info.Uses {
		if p, ok := o.(*types.PkgName); ok {
			s.Use(p.Imported().Path(), id.Name)
		}
	}
	return s.spell(expr), nil
}

// wanted is the name of a function in the environment that takes what is
// wanted; no expression can call it.
const wanted = "what is wanted"

// environment is a package that declares everything that an expression can
// name: it has the path of the package under test, so unexported fields and
// methods can be selected.
func (s *scope) environment(want types.Type) *types.Package {
	own := s.Subject.Package
	pkg := types.NewPackage(own.Path(), own.Name())
	for name, v := range s.vars {
		pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, name, v.typ))
	}
	for name, fields := range s.structs {
		pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, name, structOf(pkg, fields)))
	}
	for _, name := range own.Scope().Names() {
		pkg.Scope().Insert(own.Scope().Lookup(name))
	}
	for _, p := range relation.Standard() {
		if lib := s.library.loaded[p]; lib != nil {
			pkg.Scope().Insert(types.NewPkgName(token.NoPos, pkg, path.Base(p), lib))
		}
	}
	anything := types.Universe.Lookup("any").Type()
	function := func(name string, result *types.Tuple, params ...types.Type) {
		var vars []*types.Var
		for _, p := range params {
			vars = append(vars, types.NewParam(token.NoPos, pkg, "", p))
		}
		pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), result, false)))
	}
	function("Equal", types.NewTuple(types.NewParam(token.NoPos, pkg, "", types.Typ[types.Bool])), anything, anything)
	if want != nil {
		function(wanted, nil, want)
	}
	return pkg
}

func structOf(pkg *types.Package, fields map[string]scoped) types.Type {
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []*types.Var
	for _, name := range names {
		list = append(list, types.NewField(token.NoPos, pkg, name, fields[name].typ, false))
	}
	return types.NewStruct(list, nil)
}

// spell writes an expression that compiles as the form has it.
func (s *scope) spell(expr string) string {
	_, hidden := s.vars["Equal"]
	ownEqual := !hidden && s.Subject.Package.Scope().Lookup("Equal") != nil
	out, err := goexpr.Rewriter{Name: func(name string) string {
		if v, ok := s.vars[name]; ok {
			return v.spelled()
		}
		if name == "Equal" && ownEqual {
			return "(Equal)"
		}
		return name
	}, Selection: func(x, y string) (string, bool) {
		if _, hidden := s.vars[x]; hidden {
			return "", false
		}
		v, ok := s.structs[x][y]
		if !ok {
			return "", false
		}
		return v.spelled(), true
	}}.Rewrite(expr)
	if err != nil {
		return expr
	}
	return out
}

func (v scoped) spelled() string {
	if v.spell != nil {
		return v.spell()
	}
	return v.form
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func (s *scope) describe(t types.Type) string {
	text := types.TypeString(t, types.RelativeTo(s.Subject.Package))
	if text == "untyped nil" {
		return "nil"
	}
	return strings.NewReplacer("untyped float", "a number with a fraction", "untyped int", "a whole number", "untyped string", "a text", "untyped rune", "a character", "untyped bool", "a bool").Replace(text)
}

func syntaxComplaint(err error) *complaint {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return &complaint{list[0].Pos.Line, list[0].Pos.Column, "this is no Go expression: " + list[0].Msg}
	}
	return &complaint{1, 1, "this is no Go expression: " + err.Error()}
}

var (
	undefinedName  = lazyregexp.New(`^undefined: ([\pL_][\pL\d_]*)$`)
	undefinedIn    = lazyregexp.New(`^undefined: ([\pL_][\pL\d_]*)\.([\pL_][\pL\d_]*)$`)
	undefinedField = lazyregexp.New(`^([\pL_][\pL\d_]*)\.([\pL_][\pL\d_]*) undefined`)
)

// complain puts an error of the type checker into words that fit: there is no
// file with declarations that whoever wrote the expression could look at.
func (s *scope) complain(set *token.FileSet, err error) *complaint {
	var te types.Error
	if !errors.As(err, &te) {
		return &complaint{1, 1, err.Error()}
	}
	at := set.Position(te.Pos)
	c := &complaint{at.Line, at.Column, te.Msg}
	if m := undefinedField().FindStringSubmatch(te.Msg); m != nil {
		if fields, ok := s.structs[m[1]]; ok {
			var names []string
			for name := range fields {
				names = append(names, name)
			}
			slices.Sort(names)
			hint := spelling.DidYouMean(m[2], names)
			if hint == "" {
				hint = "; it has " + strings.Join(names, ", ")
			}
			c.msg = fmt.Sprintf("%s has no %s%s", m[1], m[2], hint)
		}
	}
	if m := undefinedIn().FindStringSubmatch(te.Msg); m != nil {
		if lib := s.library.named(m[1]); lib != nil {
			names := slices.DeleteFunc(lib.Scope().Names(), func(n string) bool { return !token.IsExported(n) })
			c.msg = fmt.Sprintf("package %s has no %s%s", m[1], m[2], spelling.DidYouMean(m[2], names))
		}
	}
	if m := undefinedName().FindStringSubmatch(te.Msg); m != nil {
		c.msg = "unknown name " + m[1] + s.hint(m[1])
	}
	return c
}

func (s *scope) hint(name string) string {
	if h, ok := s.hints[name]; ok {
		return "; " + h
	}
	var names []string
	for n := range s.vars {
		names = append(names, n)
	}
	for n := range s.structs {
		names = append(names, n)
	}
	slices.Sort(names)
	if h := spelling.DidYouMean(name, names); h != "" {
		return h
	}
	more := append(s.Subject.Package.Scope().Names(), types.Universe.Names()...)
	for _, p := range relation.Standard() {
		more = append(more, path.Base(p))
	}
	if h := spelling.DidYouMean(name, more); h != "" {
		return h
	}
	if len(names) == 0 {
		return ""
	}
	return "; known are " + strings.Join(names, ", ") + ", names of the package, and the packages " + strings.Join(relation.Standard(), ", ")
}

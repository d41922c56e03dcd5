package relation

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// body writes the calls and the check of a relation as a test has them.
type body struct {
	form      Form
	tolerance float64
	pkg       string            // import path of the package under test
	pkgName   string            // and its name
	external  bool              // the test is outside the package
	declares  func(string) bool // by the package; may be nil
	fixed     map[string]string // imports that must have their names: path → name
	aliases   map[string]string // imports: path → name
	variables map[string]string // kinds of variables
	makers    map[string]bool   // parameters that are functions which make the value anew
	taken     map[string]bool
	helper    string // name of the function that compares floats, "" where none is needed
}

func newBody(r Relation, pkgName string, external bool, declares func(string) bool, fixed map[string]string) *body {
	b := &body{form: r.Form, tolerance: r.Tolerance, pkg: r.Package, pkgName: pkgName, external: external, declares: declares,
		fixed: fixed, aliases: map[string]string{}, variables: map[string]string{}, makers: map[string]bool{}, taken: map[string]bool{"t": true}}
	for _, v := range r.Form.variables() {
		b.variables[v] = ""
		b.taken[v] = true
	}
	for p, name := range fixed {
		b.aliases[p] = name
		b.taken[name] = true
	}
	for _, p := range r.Form.Params {
		b.variables[p.Name] = p.Kind
	}
	for _, c := range r.Form.Calls {
		for i, v := range c.Results {
			if i < len(c.Kinds) {
				b.variables[v] = c.Kinds[i]
			}
		}
	}
	return b
}

// importing returns a package a name in the file.
func (b *body) importing(p string) string {
	if n, ok := b.aliases[p]; ok {
		return n
	}
	want := path.Base(p)
	switch {
	case p == b.pkg:
		want = b.pkgName
	case b.form.Names[p] != "":
		want = b.form.Names[p]
	}
	b.aliases[p] = b.fresh(want)
	return b.aliases[p]
}

func (b *body) fresh(want string) string {
	name := want
	for i := 2; b.taken[name] || !b.external && b.declares != nil && b.declares(name) || types.Universe.Lookup(name) != nil; i++ {
		name = want + strconv.Itoa(i)
	}
	b.taken[name] = true
	return name
}

// outer spells a name that is no variable.
func (b *body) outer(name string) string {
	if p, ok := b.form.importNames()[name]; ok {
		return b.importing(p)
	}
	own := types.Universe.Lookup(name) == nil || b.declares != nil && b.declares(name)
	if own && b.external {
		return b.importing(b.pkg) + "." + name
	}
	return name
}

func (b *body) typ(t string) string {
	out, err := goexpr.Rename(t, b.outer)
	if err != nil {
		return t
	}
	return out
}

// expr spells an expression.
func (b *body) expr(text string) (string, error) {
	return goexpr.Rewriter{Name: b.name, Equal: b.equality}.Rewrite(text)
}

// name spells a name of an expression.
func (b *body) name(name string) string {
	if _, ok := b.variables[name]; !ok {
		return b.outer(name)
	}
	if b.makers[name] {
		return name + "()"
	}
	return name
}

// equality spells Equal in ordinary Go.
func (b *body) equality(x, y string) (before, between, behind string) {
	k := b.kindOf(x)
	if k == "" {
		k = b.kindOf(y)
	}
	switch k {
	case "":
		return b.importing("reflect") + ".DeepEqual(", ", ", ")"
	case "error":
		return "((", " == nil) == (", " == nil))"
	case "float64", "float32":
		return b.near() + "(", ", ", ")"
	}
	if elem, slice := strings.CutPrefix(k, "[]"); slice {
		if strings.HasPrefix(elem, "float") {
			return b.importing("slices") + ".EqualFunc(", ", ", ", " + b.near() + ")"
		}
		return b.importing("slices") + ".Equal(", ", ", ")"
	}
	return "(" + opening(x), closing(x) + " == " + opening(y), closing(y) + ")"
}

// near is the name of the function that compares floats.
func (b *body) near() string {
	if b.helper == "" {
		b.helper = b.fresh("near")
	}
	return b.helper
}

// opening and closing are the parentheses that an operand of == needs.
func opening(expr string) string {
	if e, err := parser.ParseExpr(expr); err == nil {
		if e, ok := e.(*ast.BinaryExpr); !ok || e.Op.Precedence() > token.EQL.Precedence() {
			return ""
		}
	}
	return "("
}

func closing(expr string) string { return strings.ReplaceAll(opening(expr), "(", ")") }

// kindOf is the kind of an expression made of one variable and constants, as
// far as it can be told.
func (b *body) kindOf(expr string) string {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return ""
	}
	return b.kindOfNode(e)
}

func (b *body) kindOfNode(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return b.variables[e.Name]
	case *ast.ParenExpr:
		return b.kindOfNode(e.X)
	case *ast.CallExpr:
		// A conversion, or a function of package math.
		switch f := e.Fun.(type) {
		case *ast.Ident:
			if f.Name == "float64" || f.Name == "float32" {
				return f.Name
			}
		case *ast.SelectorExpr:
			if x, ok := f.X.(*ast.Ident); ok && b.form.importNames()[x.Name] == "math" {
				return "float64"
			}
		}
	case *ast.BasicLit:
		if e.Kind == token.FLOAT {
			return "float64"
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.ADD {
			return b.kindOfNode(e.X)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
			if k := b.kindOfNode(e.X); k != "" {
				return k
			}
			return b.kindOfNode(e.Y)
		}
	}
	return ""
}

// methodExpr is a method expression: its type and the method's name.
var methodExpr = lazyregexp.New(`^(?:\((\*?[^()]+)\)|([^()]+))\.([\pL_][\pL\d_]*)$`)

// invoke spells a call.
func (b *body) invoke(c Call, args []string) string {
	if c.Spread {
		args = slices.Clone(args)
		args[len(args)-1] += "..."
	}
	m := methodExpr().FindStringSubmatch(c.Function)
	if m == nil || len(args) == 0 || b.form.importNames()[m[2]] != "" {
		return b.typ(c.Function) + "(" + strings.Join(args, ", ") + ")"
	}
	recv := args[0]
	if e, err := parser.ParseExpr(recv); err == nil {
		switch e.(type) {
		case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.ParenExpr:
		default:
			recv = "(" + recv + ")"
		}
	}
	return recv + "." + m[3] + "(" + strings.Join(args[1:], ", ") + ")"
}

// shared reports whether a call could change what the parameter refers to.
func (b *body) shared(i int) bool {
	return len(b.form.Calls) > 0 && b.form.Calls[0].copied(i)
}

// calls writes all calls; leave is the statement for inputs about which the
// relation says nothing.
func (b *body) calls(leave string) (lines []string, shown []shownCall, err error) {
	unless := func(cond string) error {
		if cond == "" {
			return nil
		}
		text, err := b.expr(cond)
		if err == nil {
			lines = append(lines, "if !("+text+") {", leave, "}")
		}
		return err
	}
	if err := unless(b.form.When); err != nil {
		return nil, nil, err
	}
	for _, c := range b.form.Calls {
		if err := unless(c.When); err != nil {
			return nil, nil, err
		}
		call, show, err := b.call(c)
		if err != nil {
			return nil, nil, err
		}
		lines = append(lines, call...)
		shown = append(shown, show)
	}
	return lines, shown, unless(b.form.Given)
}

// shownCall is a call for the message of a test that fails.
type shownCall struct {
	text   string
	values []string // variables
}

// longArg is the length from which an argument gets a name of its own.
const longArg = 40

func (b *body) call(c Call) (lines []string, show shownCall, err error) {
	types := b.form.typesOf(c)
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		text, err := b.expr(a)
		if err != nil {
			return nil, show, err
		}
		if _, variable := b.variables[a]; variable && c.copied(i) && !b.makers[a] {
			if again := b.again(a); again != nil {
				// A state is reached anew: what is changed next must not be it.
				lines = append(lines, again.lines...)
				text = again.name
			} else if strings.HasPrefix(types[i], "[]") && !slices.ContainsFunc(b.form.Params, func(p Param) bool { return p.Name == a }) {
				text = "append(" + b.typ(types[i]) + "(nil), " + text + "...)"
			}
		}
		if v := c.after(i); v != "" {
			lines = append(lines, declare(v, b.typ(types[i]), text))
			text = v
		} else if len(text) > longArg || strings.Contains(text, "func(") {
			name := b.fresh("changed")
			lines = append(lines, declare(name, b.typ(types[i]), text))
			text = name
		}
		args[i] = text
	}
	call := b.invoke(c, args)
	show.text = call
	statement := call
	used := slices.DeleteFunc(slices.Clone(c.Results), func(r string) bool { return r == "_" || r == "" })
	if len(used) > 0 {
		statement = strings.Join(c.Results, ", ") + " := " + call
	}
	show.values = used
	for i := range c.Args {
		if v := c.after(i); v != "" {
			show.values = append(show.values, v)
		}
	}
	return append(lines, statement), show, nil
}

// repeated is a state that is reached again.
type repeated struct {
	lines []string
	name  string
}

// again writes what leads to an argument as it is after a call once more, for
// pointers and the like, which cannot be copied by an expression.
func (b *body) again(variable string) *repeated {
	for _, c := range b.form.Calls {
		i := slices.Index(c.After, variable)
		if i < 0 || i >= len(c.Args) || strings.HasPrefix(b.form.typesOf(c)[i], "[]") {
			continue
		}
		args := make([]string, len(c.Args))
		for k, a := range c.Args {
			text, err := b.expr(a)
			if err != nil {
				return nil
			}
			args[k] = text
		}
		r := &repeated{name: b.fresh("again")}
		r.lines = append(r.lines, r.name+" := "+args[i])
		args[i] = r.name
		r.lines = append(r.lines, b.invoke(c, args))
		return r
	}
	return nil
}

// declare writes the declaration of a variable.
func declare(name, typ, expr string) string {
	plain := typ == "" || strings.HasPrefix(expr, typ+"{") || strings.HasPrefix(expr, typ+"(") || strings.HasSuffix(expr, "()") ||
		strings.HasPrefix(expr, "append("+typ+"(nil)") || strings.HasPrefix(typ, "*") && strings.HasPrefix(expr, "&"+typ[1:]+"{") ||
		typ == "string" && strings.HasPrefix(expr, `"`) || typ == "bool" && (expr == "true" || expr == "false") ||
		strings.HasPrefix(expr, "func(") && !strings.HasSuffix(expr, "}") && !strings.HasPrefix(typ, "func(")
	if _, err := strconv.Atoi(expr); err == nil && typ == "int" {
		plain = true
	}
	if f, err := strconv.ParseFloat(expr, 64); err == nil && typ == "float64" && f == f && strings.ContainsAny(expr, ".e") {
		plain = true
	}
	if plain {
		return name + " := " + expr
	}
	return "var " + name + " " + typ + " = " + expr
}

// check writes the comparison; report calls the test's reporting method.
func (b *body) check(notation, report string, shown []shownCall) ([]string, error) {
	cond, err := b.expr(b.form.Check)
	if err != nil {
		return nil, err
	}
	format, values := notation+" does not hold", []string(nil)
	for i, p := range b.form.Params {
		format += map[bool]string{true: " for ", false: ", "}[i == 0] + p.Name + " = " + verb(p.Kind)
		v := p.Name
		if b.makers[v] {
			v += "()"
		}
		values = append(values, v)
	}
	format = strings.ReplaceAll(notation, "%", "%%") + strings.TrimPrefix(format, notation)
	for _, s := range shown {
		format += "\n\t" + strings.ReplaceAll(s.text, "%", "%%")
		for i, v := range s.values {
			format += map[bool]string{true: " = ", false: ", "}[i == 0] + verb(b.variables[v])
			values = append(values, v)
		}
	}
	return []string{"if " + negated(cond) + " {", report + "(" + strings.Join(append([]string{strconv.Quote(format)}, values...), ", ") + ")", "}"}, nil
}

// verb is how values of a kind are printed.
func verb(kind string) string {
	switch kind {
	case "string":
		return "%q"
	case "":
		return "%+v"
	}
	return "%v"
}

// negated is a condition turned round.
func negated(cond string) string {
	e, err := parser.ParseExpr(cond)
	if err != nil {
		return "!(" + cond + ")"
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return negated(cond[1 : len(cond)-1])
	case *ast.CallExpr, *ast.Ident:
		return "!" + cond
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return cond[e.X.Pos()-1:]
		}
	case *ast.BinaryExpr:
		if e.Op == token.EQL {
			return cond[:e.OpPos-1] + "!=" + cond[e.OpPos+1:]
		}
	}
	return "!(" + cond + ")"
}

// nearFunction is the source of the function that compares floats.
func (b *body) nearFunction() string {
	if b.helper == "" {
		return ""
	}
	math := b.importing("math")
	says, more := "differ by rounding only", fmt.Sprintf(" || %s.Abs(x-y) <= %s*%s.Max(%s.Abs(x), %s.Abs(y))", math, strconv.FormatFloat(b.tolerance, 'g', -1, 64), math, math, math)
	if b.tolerance == 0 {
		says, more = "are equal; what is no number equals itself", ""
	}
	return fmt.Sprintf("\n// %s reports whether two numbers %s.\nfunc %s[F ~float32 | ~float64](a, b F) bool {\n\tx, y := float64(a), float64(b)\n\treturn x == y || %s.IsNaN(x) && %s.IsNaN(y)%s\n}\n",
		b.helper, says, b.helper, math, math, more)
}

// importBlock lists imports, the standard library's first.
func importBlock(aliases map[string]string) string {
	var groups [2][]string
	for _, p := range slices.Sorted(maps.Keys(aliases)) {
		spec := strconv.Quote(p)
		if aliases[p] != path.Base(p) {
			spec = aliases[p] + " " + spec
		}
		first, _, _ := strings.Cut(p, "/")
		group := 0
		if strings.Contains(first, ".") {
			group = 1
		}
		groups[group] = append(groups[group], "\t"+spec)
	}
	out := "import (\n" + strings.Join(groups[0], "\n") + "\n"
	if len(groups[1]) > 0 {
		out += "\n" + strings.Join(groups[1], "\n") + "\n"
	}
	return out + ")\n"
}

// ErrInternal says that a test outside the package cannot name what the
// relation is about.
var ErrInternal = errors.New("names what the package does not export")

// Exported returns nil if a relation can be tested from outside its package, and
// ErrInternal with the name at fault if not. declares says what the package
// declares; it may be nil.
func Exported(r Relation, declares func(string) bool) error {
	vars := map[string]bool{}
	for _, v := range r.Form.variables() {
		vars[v] = true
	}
	imports := r.Form.importNames()
	var hidden string
	look := func(expr string, variables bool) {
		_, _ = goexpr.Rename(expr, func(name string) string {
			_, imported := imports[name]
			own := types.Universe.Lookup(name) == nil || declares != nil && declares(name)
			if !(variables && vars[name]) && !imported && own && name != "Equal" && !token.IsExported(name) && hidden == "" {
				hidden = name
			}
			return name
		})
		if e, err := parser.ParseExpr(expr); err == nil {
			ast.Inspect(e, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if !token.IsExported(n.Sel.Name) && hidden == "" {
						hidden = n.Sel.Name
					}
				case *ast.KeyValueExpr:
					if id, ok := n.Key.(*ast.Ident); ok && !token.IsExported(id.Name) && !vars[id.Name] && hidden == "" {
						hidden = id.Name
					}
				}
				return true
			})
		}
	}
	for _, p := range r.Form.Params {
		look(p.Type, false)
	}
	for _, c := range r.Form.Calls {
		look(c.Function, false)
		for _, t := range c.Types {
			look(t, false)
		}
		for _, a := range append([]string{c.When}, c.Args...) {
			look(a, true)
		}
	}
	for _, e := range append([]string{r.Form.When, r.Form.Given, r.Form.Check, r.Form.Body}, r.Form.BodyArgs...) {
		look(e, true)
	}
	if hidden != "" {
		return fmt.Errorf("relation %s of %s %w: %s", r.Name, r.Function, ErrInternal, hidden)
	}
	return nil
}

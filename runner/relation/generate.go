package relation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// What the names in a closure begin with; no package declares such names.
const (
	group      = "isodeltaG"
	harness    = "isodeltaH"
	ownPrefix  = "isodelta_"
	outsideMsg = "the relation says nothing about this input"
)

// Qualifier gives the prefix under which the file at hand imports a package,
// such as "isodelta0.".
type Qualifier func(path string) string

// Registration is the statement that registers a relation with package harness,
// on one line, and the paths of the packages that it uses through qualify. It
// is for a test file within the package, in which isodeltaH is package harness.
// With a nil qualify a package is to be imported as isodelta_ and its name.
//
// An error says that an expression is no Go; whether it has the right type is
// for the compiler to say.
func Registration(r Relation, qualify Qualifier) (src string, imports []string, err error) {
	w := newClosureWriter(r.Form, r.Tolerance, qualify)
	body, err := w.group(r.Form)
	if err != nil {
		return "", nil, fmt.Errorf("relation %s of %s: %w", r.Name, r.Function, err)
	}
	check, err := w.expr(r.Form.Check)
	if r.Form.Body != "" {
		check, err = w.body(r.Form)
	}
	if err != nil {
		return "", nil, fmt.Errorf("relation %s of %s: %w", r.Name, r.Function, err)
	}
	if r.Form.Idle != "" {
		idle, err := w.expr(r.Form.Idle)
		if err != nil {
			return "", nil, fmt.Errorf("relation %s of %s: %w", r.Name, r.Function, err)
		}
		body = append(body, group+".Idle("+idle+")")
	}
	params, err := w.params(r.Form)
	if err != nil {
		return "", nil, fmt.Errorf("relation %s of %s: %w", r.Name, r.Function, err)
	}
	body = append(body, group+".Holds("+check+")")
	src = fmt.Sprintf("%s.Relation(%q, %q, func(%s) { %s })", harness, r.Function, r.ID(), params, strings.Join(body, "; "))
	return src, w.used(), nil
}

// A ChoiceSet is the categories of a function, with their choices.
type ChoiceSet struct {
	Function string // as in Δ
	Package  string // import path
	// Form has the parameters and one call; its conditions are not used.
	Form            Form
	Inputs, Outputs []Category
	At              string // "file:line"
}

// A Category is a property of an input or an output, which has one of several
// choices: equal weights of luggage make a category, light and heavy choices.
type Category struct {
	Name    string
	Choices []Choice
}

// A Choice says of inputs or outputs whether they belong to it.
type Choice struct {
	Name string
	When string // Go expression: over the parameters, for outputs also over what the call declares
}

// Choices is the statement that registers categories with package harness, as
// Registration does for relations. Categories and choices go by their index.
func Choices(s ChoiceSet, qualify Qualifier) (src string, imports []string, err error) {
	w := newClosureWriter(s.Form, 0, qualify)
	fail := func(err error) (string, []string, error) {
		return "", nil, fmt.Errorf("categories of %s: %w", s.Function, err)
	}
	choose := func(method string, list []Category) ([]string, error) {
		var out []string
		for i, cat := range list {
			for k, choice := range cat.Choices {
				cond, err := w.expr(choice.When)
				if err != nil {
					return nil, err
				}
				out = append(out, fmt.Sprintf("if %s { %s.%s(%d, %d) }", cond, group, method, i, k))
			}
		}
		return out, nil
	}
	body, err := choose("Choose", s.Inputs)
	if err != nil {
		return fail(err)
	}
	call, err := w.group(Form{Params: s.Form.Params, Calls: s.Form.Calls[:1]})
	if err != nil {
		return fail(err)
	}
	out, err := choose("ChooseOut", s.Outputs)
	if err != nil {
		return fail(err)
	}
	params, err := w.params(s.Form)
	if err != nil {
		return fail(err)
	}
	src = fmt.Sprintf("%s.Choices(%q, func(%s) { %s })", harness, s.Function, params, strings.Join(slices.Concat(body, call, out), "; "))
	return src, w.used(), nil
}

// A closureWriter writes one closure.
type closureWriter struct {
	form      Form
	variables map[string]string // name in the form → name here
	imports   map[string]string // name in the form → path
	tolerance float64
	qualify   Qualifier
	paths     map[string]bool
}

func newClosureWriter(f Form, tolerance float64, qualify Qualifier) *closureWriter {
	c := &closureWriter{form: f, variables: map[string]string{}, imports: f.importNames(), tolerance: tolerance, qualify: qualify, paths: map[string]bool{}}
	if qualify == nil {
		c.qualify = func(p string) string { return ownPrefix + f.importName(p) + "." }
	}
	for _, v := range f.variables() {
		c.variables[v] = ownPrefix + v
	}
	return c
}

func (w *closureWriter) used() []string {
	var out []string
	for p := range w.paths {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// expr spells an expression in the closure.
func (w *closureWriter) expr(text string) (string, error) {
	r := goexpr.Rewriter{Name: func(name string) string {
		if v, ok := w.variables[name]; ok {
			return v
		}
		return w.outer(name)
	}}
	if _, hidden := w.variables["Equal"]; !hidden {
		r.Equal = func(string, string) (string, string, string) {
			return harness + ".Equal(", ", ", ", " + strconv.FormatFloat(w.tolerance, 'g', -1, 64) + ")"
		}
	}
	return r.Rewrite(text)
}

// body spells the body of a test as the condition that it passes.
func (w *closureWriter) body(f Form) (string, error) {
	name := func(name string) string {
		if v, ok := w.variables[name]; ok {
			return v
		}
		return w.outer(name)
	}
	text, err := goexpr.Rewriter{Name: name, Selection: func(x, y string) (string, bool) {
		return harness + ".T", w.imports[x] == "testing" && y == "T"
	}}.Rewrite(f.Body)
	const t = ownPrefix + "t"
	args := []string{t}
	for _, a := range f.BodyArgs {
		arg, wrong := goexpr.Rename(a, name)
		args, err = append(args, arg), errors.Join(err, wrong)
	}
	return fmt.Sprintf("%s.Passes(%s, func(%s *%s.T) { %s(%s) })", harness, group, t, harness, text, strings.Join(args, ", ")), err
}

// typ spells a type, or a function: variables do not hide its names.
func (w *closureWriter) typ(text string) (string, error) { return goexpr.Rename(text, w.outer) }

func (w *closureWriter) outer(name string) string {
	p, ok := w.imports[name]
	if !ok {
		return name
	}
	w.paths[p] = true
	return strings.TrimSuffix(w.qualify(p), ".")
}

func (w *closureWriter) params(f Form) (string, error) {
	list := []string{group + " *" + harness + ".Group"}
	for _, p := range f.Params {
		t, err := w.typ(p.Type)
		if err != nil {
			return "", err
		}
		list = append(list, w.variables[p.Name]+" "+t)
	}
	return strings.Join(list, ", "), nil
}

// group writes the statements up to the check.
func (w *closureWriter) group(f Form) ([]string, error) {
	var out []string
	skipUnless := func(cond string) error {
		if cond == "" {
			return nil
		}
		text, err := w.expr(cond)
		if err != nil {
			return err
		}
		out = append(out, fmt.Sprintf("if !(%s) { %s.Skip(%q); return }", text, group, outsideMsg))
		return nil
	}
	if err := skipUnless(f.When); err != nil {
		return nil, err
	}
	for k, call := range f.Calls {
		if err := skipUnless(call.When); err != nil {
			return nil, err
		}
		lines, err := w.call(f, call, k)
		if err != nil {
			return nil, err
		}
		out = append(out, lines...)
	}
	return out, skipUnless(f.Given)
}

// call writes one call. What it is given is made before it begins, so that a
// panic while the arguments are made is not the call's.
func (w *closureWriter) call(f Form, call Call, k int) ([]string, error) {
	var out, given, passed, results []string
	types := f.typesOf(call)
	for i, a := range call.Args {
		expr, err := w.expr(a)
		if err != nil {
			return nil, err
		}
		v := fmt.Sprintf("%sgiven%d_%d", ownPrefix, k, i)
		if types[i] == "" {
			out = append(out, v+" := "+expr)
		} else {
			t, err := w.typ(types[i])
			if err != nil {
				return nil, err
			}
			out = append(out, "var "+v+" "+t+" = "+expr)
		}
		given = append(given, v)
		if call.copied(i) {
			v = fmt.Sprintf("%scopy%d_%d", ownPrefix, k, i)
			out = append(out, v+" := "+harness+".Copy("+given[i]+")")
		}
		passed = append(passed, v)
	}
	for i, r := range call.Results {
		if v := w.variables[r]; v != "" {
			r = v
		} else {
			r = fmt.Sprintf("%sunused%d_%d", ownPrefix, k, i)
		}
		results = append(results, r)
	}
	fn, err := w.typ(call.Function)
	if err != nil {
		return nil, err
	}
	invoke := fn + "(" + strings.Join(passed, ", ") + ")"
	if call.Spread {
		invoke = strings.TrimSuffix(invoke, ")") + "...)"
	}
	if len(results) > 0 {
		invoke = strings.Join(results, ", ") + " := " + invoke
	}
	out = append(out, group+".Begin()", invoke)
	for i := range call.Args {
		if a := call.after(i); a != "" {
			out = append(out, w.variables[a]+" := "+passed[i])
			results = append(results, w.variables[a])
		}
	}
	return append(out, fmt.Sprintf("%s.End([]any{%s}, []any{%s})", group, strings.Join(given, ", "), strings.Join(results, ", "))), nil
}

package relation

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/mistake"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// Declared is what declarations come to.
type Declared struct {
	Relations  []Relation
	Categories []ChoiceSet
	Limits     []string // what cannot be checked, with the reason
}

// Compile finds the functions that declarations of a file are about and
// type-checks their expressions, on both versions. All mistakes come back
// together, as a mistake.List. A function that only one version has, or that has
// another signature there, is a limit: its relations cannot be compared.
func Compile(ctx context.Context, file string, relations []Declaration, categories []Categorisation, base, head *load.Tree) (Declared, error) {
	if len(relations)+len(categories) == 0 {
		return Declared{}, nil
	}
	d := &declarer{file: file, trees: [2]*load.Tree{base, head}}
	paths := mentioned(allTexts(relations, categories))
	for i, t := range d.trees {
		if i == 1 && t == d.trees[0] {
			d.libraries[1] = d.libraries[0]
			break
		}
		d.libraries[i] = &library{tree: t}
		if err := d.libraries[i].load(ctx, paths); err != nil {
			return Declared{}, err
		}
	}
	for _, r := range relations {
		d.both(r.Function, func(v *version) func() {
			rel := v.relation(r)
			return func() { d.out.Relations = append(d.out.Relations, rel) }
		})
	}
	for _, c := range categories {
		d.both(c.Function, func(v *version) func() {
			set := v.categories(c)
			return func() { d.out.Categories = append(d.out.Categories, set) }
		})
	}
	if err := d.errs.Err(); err != nil {
		return Declared{}, err
	}
	return d.out, nil
}

func allTexts(relations []Declaration, categories []Categorisation) []string {
	var out []string
	for _, r := range relations {
		out = append(out, r.When.Value, r.Holds.Value)
		for _, list := range r.FollowUps {
			for _, a := range list {
				out = append(out, a.Value.Value)
			}
		}
	}
	for _, c := range categories {
		for _, cat := range append(slices.Clone(c.Input), c.Output...) {
			for _, choice := range cat.Choices {
				out = append(out, choice.When.Value)
			}
		}
	}
	return out
}

type declarer struct {
	file      string
	trees     [2]*load.Tree // base, head
	libraries [2]*library
	errs      mistake.List
	out       Declared
}

// both compiles a declaration on both versions and keeps what head's gives, if
// they can be compared.
func (d *declarer) both(function Text, compile func(*version) func()) {
	var found [2]*declaredFunction
	for i, t := range d.trees {
		f, err := find(t, function.Value)
		if err != nil {
			d.fail(function, 1, 1, err.Error())
			return
		}
		found[i] = f
	}
	name := strconv.Quote(function.Value)
	switch {
	case found[0] == nil && found[1] == nil:
		d.fail(function, 1, 1, unknown(function.Value, d.trees[:]...))
		return
	case found[0] == nil:
		d.limit(function, "only head has "+name)
		return
	case found[1] == nil:
		d.limit(function, "only base has "+name)
		return
	}
	var keep func()
	var texts [2]string
	// Head's mistakes are the file's: it stands there.
	for _, i := range []int{1, 0} {
		s, err := found[i].subject(function.Value)
		if err != nil {
			d.fail(function, 1, 1, err.Error())
			return
		}
		// Names count too: expressions use them.
		texts[i] = types.TypeString(s.Sig, func(p *types.Package) string { return p.Path() })
		if i == 0 && texts[0] != texts[1] {
			d.limit(function, name+" has another signature on base")
			return
		}
		v := &version{file: d.file, frame: newFrame(s), library: d.libraries[i]}
		done := compile(v)
		if len(v.errs) == 0 {
			if i == 1 {
				keep = done
			}
			continue
		}
		if i == 0 {
			d.limit(function, "it does not compile on base: "+v.errs[0].Msg)
			return
		}
		d.errs = append(d.errs, v.errs...)
		return
	}
	keep()
}

func (d *declarer) fail(t Text, line, column int, msg string) {
	line, column = t.place(line, column)
	d.errs.Add(d.file, line, column, msg)
}

func (d *declarer) limit(t Text, msg string) {
	d.out.Limits = append(d.out.Limits, fmt.Sprintf("%s:%d: not compared: %s", d.file, t.Line, msg))
}

// version compiles one declaration on one version.
type version struct {
	*frame
	file    string
	library *library
	errs    mistake.List
}

func (v *version) fail(t Text, c *complaint) {
	line, column := t.place(c.line, c.column)
	v.errs.Add(v.file, line, column, c.msg)
}

func (v *version) expr(s *scope, t Text, want types.Type) string {
	out, c := s.compile(t.Value, want)
	if c != nil {
		v.fail(t, c)
	}
	return out
}

// source is the scope of the parameters.
func (v *version) source() *scope {
	s := &scope{frame: v.frame, library: v.library, vars: map[string]scoped{}, structs: map[string]map[string]scoped{}, hints: map[string]string{
		"result": "results are known only after the call: use them in follow-up and holds", "followup": "use it in holds",
	}}
	i := 0
	for p := range v.subject.Sig.Params().Variables() {
		if name := p.Name(); name != "" && name != "_" {
			s.vars[name] = scoped{typ: p.Type(), form: v.params[i].Name}
		}
		i++
	}
	return s
}

// declaredCall is a call of a declaration and the names of what it gives.
type declaredCall struct {
	call   Call
	names  map[string]scoped // results, under all their names
	after  map[string]scoped // arguments as they are after the call
	params map[string]scoped // arguments as given
}

// call declares the variables of a call; first is what their names begin with.
func (v *version) call(s *scope, first string) *declaredCall {
	c := &declaredCall{names: map[string]scoped{}, after: map[string]scoped{}, params: map[string]scoped{}}
	c.call = Call{Function: v.subject.Expr, Copied: v.copied, Spread: v.subject.Sig.Variadic(), Kinds: kinds(v.subject.Sig.Results()), After: make([]string, len(v.params))}
	for _, p := range v.params {
		c.call.Args = append(c.call.Args, p.Name)
	}
	n := v.subject.Sig.Results().Len()
	k := 0
	for r := range v.subject.Sig.Results().Variables() {
		own := r.Name()
		failing := k == n-1 && n > 1 && isError(r.Type())
		want := first
		switch {
		case own != "" && own != "_" && first == "result":
			want = own
		case own != "" && own != "_":
			want = first + strings.ToUpper(own[:1]) + own[1:]
		case failing && first == "result":
			want = "err"
		case failing:
			want = first + "Err"
		case n > 2 || n == 2 && !isError(v.subject.Sig.Results().At(1).Type()):
			want = first + string(rune('A'+k%26))
		}
		variable := v.names.fresh(want)
		c.call.Results = append(c.call.Results, variable)
		here := scoped{typ: r.Type(), form: variable}
		names := []string{"result" + strconv.Itoa(k+1)}
		if own != "" && own != "_" {
			names = append(names, own)
		}
		if failing {
			names = append(names, "err")
		}
		if k == 0 {
			names = append(names, "result")
		}
		for _, name := range names {
			if _, taken := c.names[name]; !taken || name == own {
				c.names[name] = here
			}
		}
		k++
	}
	for i, typ := range v.types {
		name := v.parameter(i)
		if name == "" || !v.copied[i] {
			continue
		}
		variable := ""
		c.after[name] = scoped{typ: typ, spell: func() string {
			if variable == "" {
				want := "after"
				if first != "result" {
					want = first + "After"
				}
				variable = v.names.fresh(want + strings.ToUpper(name[:1]) + name[1:])
				c.call.After[i] = variable
			}
			return variable
		}}
	}
	return c
}

// done is the call, once all expressions are compiled.
func (c *declaredCall) done() Call {
	if !slices.ContainsFunc(c.call.After, func(a string) bool { return a != "" }) {
		c.call.After = nil
	}
	return c.call
}

// parameter is the declared name of a parameter, "" for none.
func (v *version) parameter(i int) string {
	if n := v.subject.Sig.Params().At(i).Name(); n != "_" {
		return n
	}
	return ""
}

func (v *version) relation(d Declaration) Relation {
	s := v.source()
	rel := Relation{Function: v.subject.Name, Package: v.subject.Package.Path(), Name: d.Name.Value, Source: event.Declared,
		Tolerance: d.Tolerance, At: fmt.Sprintf("%s:%d", v.file, d.Function.Line)}
	if rel.Name == "" {
		rel.Name = "declared"
	}
	when := ""
	if d.When.Value != "" {
		when = v.expr(s, d.When, nil)
	}

	after := s.with()
	after.hints = map[string]string{"followup": "the follow-up call has not been made yet; use it in holds"}
	source := v.call(s, "result")
	after.add(source)
	calls := []*declaredCall{source}
	for i, list := range d.FollowUps {
		first := "followup"
		if i > 0 {
			first += strconv.Itoa(i + 1)
		}
		c := v.call(s, first)
		v.assign(c, after, list)
		calls = append(calls, c)
	}

	all := after.with()
	all.hints = map[string]string{}
	n := len(d.FollowUps)
	for i, c := range calls[1:] {
		fields := map[string]scoped{}
		for _, names := range []map[string]scoped{c.names, c.params} {
			for name, f := range names {
				fields[name] = f
			}
		}
		names := []string{"followup" + strconv.Itoa(i+1)}
		if n == 1 {
			names = append(names, "followup")
		}
		for _, name := range names {
			all.structs[name] = fields
			if len(c.after) > 0 {
				all.structs[name+"After"] = c.after
			}
		}
	}
	switch {
	case n == 0:
		all.hints["followup"] = "the relation has no follow-up call; add follow-up: {w: 2*w}"
	case n > 1:
		all.hints["followup"] = fmt.Sprintf("there are %d follow-up calls: use followup1 to followup%d", n, n)
	}
	for i := n + 1; i < n+10; i++ {
		all.hints["followup"+strconv.Itoa(i)] = fmt.Sprintf("there is no such call: follow-up lists %d", n)
	}
	holds := v.expr(all, d.Holds, nil)
	var list []Call
	for _, c := range calls {
		list = append(list, c.done())
	}
	rel.Form = v.form(list, when, "", holds)
	rel.Notation = v.notation(d, rel.Form)
	return rel
}

// add lets expressions use what a call gave.
func (s *scope) add(c *declaredCall) {
	for name, r := range c.names {
		if _, param := s.vars[name]; !param {
			s.vars[name] = r
		}
	}
	if _, taken := s.vars["after"]; !taken && len(c.after) > 0 {
		s.structs["after"] = c.after
	}
}

// assign returns a follow-up call its arguments.
func (v *version) assign(c *declaredCall, s *scope, list []Assignment) {
	given := map[int]bool{}
	for _, a := range list {
		i := -1
		var names []string
		for k := range v.params {
			if name := v.parameter(k); name != "" {
				names = append(names, name)
				if name == a.Param.Value {
					i = k
				}
			}
		}
		if i < 0 {
			hint := nearestOf(a.Param.Value, names)
			v.fail(a.Param, &complaint{1, 1, fmt.Sprintf("%s has no parameter %s%s", v.subject.Short, a.Param.Value, hint)})
			continue
		}
		c.call.Args[i] = v.expr(s, a.Value, v.types[i])
		given[i] = true
	}
	for i, typ := range v.types {
		name := v.parameter(i)
		if name == "" {
			continue
		}
		spelled := c.call.Args[i]
		if given[i] {
			// A constant has to have the parameter's type where it is used.
			spelled = goexpr.Convert(v.params[i].Type, spelled)
		}
		c.params[name] = scoped{typ: typ, form: spelled}
	}
}

func (v *version) categories(d Categorisation) ChoiceSet {
	s := v.source()
	source := v.call(s, "result")
	out := s.with()
	out.hints = map[string]string{}
	out.add(source)
	set := ChoiceSet{Function: v.subject.Name, Package: v.subject.Package.Path(), At: fmt.Sprintf("%s:%d", v.file, d.Function.Line)}
	var used []string
	compile := func(s *scope, list []DeclaredCategory) []Category {
		var cats []Category
		for _, c := range list {
			cat := Category{Name: c.Name.Value}
			for _, choice := range c.Choices {
				when := v.expr(s, choice.When, nil)
				used = append(used, "("+when+")")
				cat.Choices = append(cat.Choices, Choice{choice.Name.Value, when})
			}
			cats = append(cats, cat)
		}
		return cats
	}
	set.Inputs, set.Outputs = compile(s, d.Input), compile(out, d.Output)
	set.Form = v.form([]Call{source.done()}, "", "", strings.Join(used, " && "))
	set.Form.Check = ""
	return set
}

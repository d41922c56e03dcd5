package declare

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/mistake"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// A pass compiles one declaration on one version.
type pass struct {
	*relation.Frame
	file    string
	library *library
	errs    mistake.List
}

func (p *pass) fail(t Text, c *complaint) {
	line, column := t.place(c.line, c.column)
	p.errs.Add(p.file, line, column, c.msg)
}

func (p *pass) expr(s *scope, t Text, want types.Type) string {
	out, c := s.compile(t.Value, want)
	if c != nil {
		p.fail(t, c)
	}
	return out
}

// source is the scope of the parameters.
func (p *pass) source() *scope {
	s := &scope{Frame: p.Frame, library: p.library, vars: map[string]scoped{}, structs: map[string]map[string]scoped{}, hints: map[string]string{
		"result": "results are known only after the call: use them in follow-up and holds", "followup": "use it in holds",
	}}
	i := 0
	for param := range p.Subject.Sig.Params().Variables() {
		if name := param.Name(); name != "" && name != "_" {
			s.vars[name] = scoped{typ: param.Type(), form: p.Params[i].Name}
		}
		i++
	}
	return s
}

// declaredCall is a call of a declaration and the names of what it gives.
type declaredCall struct {
	call   relation.Call
	names  map[string]scoped // results, under all their names
	after  map[string]scoped // arguments as they are after the call
	params map[string]scoped // arguments as given
}

// call declares the variables of a call; first is what their names begin with.
func (p *pass) call(first string) *declaredCall {
	c := &declaredCall{names: map[string]scoped{}, after: map[string]scoped{}, params: map[string]scoped{}}
	c.call = p.Call()
	c.call.After = make([]string, len(p.Params))
	n := p.Subject.Sig.Results().Len()
	k := 0
	for r := range p.Subject.Sig.Results().Variables() {
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
		case n > 2 || n == 2 && !isError(p.Subject.Sig.Results().At(1).Type()):
			want = first + string(rune('A'+k%26))
		}
		variable := p.Fresh(want)
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
	for i := range p.Params {
		name := p.parameter(i)
		if name == "" || !c.call.Copied[i] {
			continue
		}
		variable := ""
		c.after[name] = scoped{typ: p.typeOf(i), spell: func() string {
			if variable == "" {
				want := "after"
				if first != "result" {
					want = first + "After"
				}
				variable = p.Fresh(want + strings.ToUpper(name[:1]) + name[1:])
				c.call.After[i] = variable
			}
			return variable
		}}
	}
	return c
}

// done is the call, once all expressions are compiled.
func (c *declaredCall) done() relation.Call {
	if !slices.ContainsFunc(c.call.After, func(a string) bool { return a != "" }) {
		c.call.After = nil
	}
	return c.call
}

// parameter is the declared name of a parameter, "" for none.
func (p *pass) parameter(i int) string {
	if n := p.Subject.Sig.Params().At(i).Name(); n != "_" {
		return n
	}
	return ""
}

func (p *pass) typeOf(i int) types.Type { return p.Subject.Sig.Params().At(i).Type() }

func (p *pass) relation(d Declaration) relation.Relation {
	s := p.source()
	rel := relation.Relation{Function: p.Subject.Name, Package: p.Subject.Package.Path(), Name: d.Name.Value, Source: event.Declared,
		Tolerance: d.Tolerance, At: event.Position(p.file, d.Function.Line)}
	if rel.Name == "" {
		rel.Name = "declared"
	}
	when := ""
	if d.When.Value != "" {
		when = p.expr(s, d.When, nil)
	}

	after := s.with()
	after.hints = map[string]string{"followup": "the follow-up call has not been made yet; use it in holds"}
	source := p.call("result")
	after.add(source)
	calls := []*declaredCall{source}
	for i, list := range d.FollowUps {
		first := "followup"
		if i > 0 {
			first += strconv.Itoa(i + 1)
		}
		c := p.call(first)
		p.assign(c, after, list)
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
	holds := p.expr(all, d.Holds, nil)
	var list []relation.Call
	for _, c := range calls {
		list = append(list, c.done())
	}
	rel.Form = p.Form(list, when, "", holds)
	rel.Notation = p.notation(d, rel.Form)
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

// assign gives a follow-up call its arguments.
func (p *pass) assign(c *declaredCall, s *scope, list []Assignment) {
	given := map[int]bool{}
	for _, a := range list {
		i := -1
		var names []string
		for k := range p.Params {
			if name := p.parameter(k); name != "" {
				names = append(names, name)
				if name == a.Param.Value {
					i = k
				}
			}
		}
		if i < 0 {
			hint := nearestOf(a.Param.Value, names)
			p.fail(a.Param, &complaint{1, 1, fmt.Sprintf("%s has no parameter %s%s", p.Subject.Short, a.Param.Value, hint)})
			continue
		}
		c.call.Args[i] = p.expr(s, a.Value, p.typeOf(i))
		given[i] = true
	}
	for i := range p.Params {
		name := p.parameter(i)
		if name == "" {
			continue
		}
		spelled := c.call.Args[i]
		if given[i] {
			// A constant has to have the parameter's type where it is used.
			spelled = goexpr.Convert(p.Params[i].Type, spelled)
		}
		c.params[name] = scoped{typ: p.typeOf(i), form: spelled}
	}
}

func (p *pass) categories(d Categorisation) relation.ChoiceSet {
	s := p.source()
	source := p.call("result")
	out := s.with()
	out.hints = map[string]string{}
	out.add(source)
	set := relation.ChoiceSet{Function: p.Subject.Name, Package: p.Subject.Package.Path(), At: event.Position(p.file, d.Function.Line)}
	var used []string
	compile := func(s *scope, list []Category) []relation.Category {
		var cats []relation.Category
		for _, c := range list {
			cat := relation.Category{Name: c.Name.Value}
			for _, choice := range c.Choices {
				when := p.expr(s, choice.When, nil)
				used = append(used, "("+when+")")
				cat.Choices = append(cat.Choices, relation.Choice{Name: choice.Name.Value, When: when})
			}
			cats = append(cats, cat)
		}
		return cats
	}
	set.Inputs, set.Outputs = compile(s, d.Input), compile(out, d.Output)
	set.Form = p.Form([]relation.Call{source.done()}, "", "", strings.Join(used, " && "))
	set.Form.Check = ""
	return set
}

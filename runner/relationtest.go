package runner

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
)

// relationSpecOf takes the source input of a counterexample apart; false where
// it cannot be written as Go.
func (c *comparison) relationSpecOf(p *caller, r relation.Relation, x calls.Counterexample) (relationSpec, bool) {
	s := relationSpec{pkg: p.pkg, relation: r, imports: x.Code.Imports, internal: x.Code.Internal}
	if x.NoCode != "" || x.Code.Call == "" || x.Code.Setup > len(x.Code.Lines) {
		return s, false
	}
	args, ok := argumentsOf(x.Code.Call)
	if !ok || len(args) != len(r.Form.Params) {
		return s, false
	}
	s.prelude, s.args = x.Code.Lines[:x.Code.Setup], args
	return s, true
}

// argumentsOf returns the arguments of a call, a method's receiver first.
// Qualifiers are marked in the text, see harness.Qualify: they are brought
// through the parser as identifiers.
func argumentsOf(call string) ([]string, bool) {
	var marks []string
	plain := wire.Qualify(call, func(p string) string {
		marks = append(marks, p)
		return mark + string(rune('a'+len(marks)-1)) + "."
	})
	if len(marks) > 26 {
		return nil, false
	}
	e, err := parser.ParseExpr(plain)
	if err != nil {
		return nil, false
	}
	x, ok := e.(*ast.CallExpr)
	if !ok || x.Ellipsis != token.NoPos {
		return nil, false
	}
	text := func(e ast.Expr) string {
		t := plain[e.Pos()-1 : e.End()-1]
		for i, p := range marks {
			t = strings.ReplaceAll(t, mark+string(rune('a'+i))+".", wire.Qualifier(p))
		}
		return t
	}
	var args []string
	if s, ok := x.Fun.(*ast.SelectorExpr); ok && !strings.HasPrefix(text(s.X), "\x00") && !strings.HasPrefix(plain[s.X.Pos()-1:], mark) {
		args = append(args, text(s.X))
	}
	for _, a := range x.Args {
		args = append(args, text(a))
	}
	return args, true
}

const mark = "isodeltaMark"

// numberSpec is what a test of an inferred relation is made of.
func (c *comparison) numberSpec(p *caller, op wire.Op, n calls.Numeric, e event.Relation, r relation.Relation, in []float64) relationSpec {
	s := relationSpec{pkg: p.pkg, relation: r}
	sig := p.campaign.API.Subject(op).Sig
	at := 0
	for i := range sig.Params().Len() {
		if n.Slices[i] == 0 {
			s.args = append(s.args, numberText(in[at]))
			at++
			continue
		}
		var list []string
		for range n.Slices[i] {
			list = append(list, numberText(in[at]))
			at++
		}
		s.args = append(s.args, types.TypeString(sig.Params().At(i).Type(), types.RelativeTo(p.campaign.API.Subject(op).Package))+"{"+strings.Join(list, ", ")+"}")
	}
	return s
}

// maxRelationTests bounds the tests written for broken relations, and those of
// one function.
const (
	maxRelationTests = 8
	perFunction      = 2
)

// relationTests writes tests for broken relations: those that somebody declared
// first.
func (c *comparison) relationTests(add func(pkg, id string, t pasted)) {
	list := slices.Clone(c.relations.events)
	slices.SortStableFunc(list, func(a, b event.Relation) int {
		return cmp.Compare(rankOf(a.Source == event.Declared), rankOf(b.Source == event.Declared))
	})
	of := map[string]int{}
	written := 0
	for _, e := range list {
		s, ok := c.relations.specs[e.ID]
		key := e.Package + " " + e.Function
		if !ok || e.State != event.Broken || of[key] == perFunction || written == maxRelationTests {
			continue
		}
		text, err := c.relationTest(e, s)
		if err != nil {
			continue // it cannot be written as a test
		}
		of[key]++
		written++
		add(s.pkg, e.ID, pasted{text, calls.TestName(e.Function, e.ID), func(text, file string) {
			for i := range c.relations.events {
				if c.relations.events[i].ID == e.ID {
					c.relations.events[i].GoTest, c.relations.events[i].GoTestFile = text, file
				}
			}
		}})
	}
}

// relationTest writes a test outside the package if that is possible.
func (c *comparison) relationTest(e event.Relation, s relationSpec) ([]byte, error) {
	api := c.apiOf(s.pkg)
	if api == nil {
		return nil, errors.New("its package is not known")
	}
	write := func(external bool) ([]byte, error) {
		imports := map[string]string{}
		qualify := func(text string) string {
			return wire.Qualify(text, func(p string) string {
				if p == s.pkg && !external {
					return ""
				}
				name := s.imports[p]
				if p == s.pkg {
					name = api.Name
				}
				if name == "" {
					name = wire.GuessPackageName(p)
				}
				imports[p] = name
				return name + "."
			})
		}
		in := relation.TestInput{PackageName: api.Name, External: external, Name: calls.TestName(e.Function, e.ID), Imports: imports, Declares: c.declares(s.pkg)}
		for _, l := range s.prelude {
			in.Prelude = append(in.Prelude, qualify(l))
		}
		for _, a := range s.args {
			in.Args = append(in.Args, qualify(a))
		}
		return relation.Test(s.relation, in)
	}
	if !s.internal && api.Name != "main" {
		if text, err := write(true); err == nil {
			return text, nil
		}
	}
	return write(false)
}

// apiOf is what calls in a package name, of whichever suite.
func (c *comparison) apiOf(pkg string) *calls.API {
	for _, p := range c.calls.callers {
		if p.pkg == pkg && p.campaign != nil {
			return p.campaign.API
		}
	}
	return nil
}

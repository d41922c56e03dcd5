package check

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
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/paste"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/version"
)

// spec is what a test to paste for a broken relation is made of.
type spec struct {
	pkg      string
	relation relation.Relation
	prelude  []string // statements that make the arguments
	args     []string // Go expressions of the source input
	imports  map[string]string
	internal bool
}

// specOf takes the source input of a counterexample apart; false where it, or the
// relation, cannot be written as Go.
func (s *Stage) specOf(p *reach.Package, r relation.Relation, code wire.Code, noCode string) (spec, bool) {
	out := spec{pkg: p.Path, relation: r, imports: code.Imports, internal: code.Internal}
	if r.Form.Check+r.Form.Body == "" || noCode != "" || code.Call == "" || code.Setup > len(code.Lines) {
		return out, false
	}
	args, ok := argumentsOf(code.Call)
	if !ok || len(args) != len(r.Form.Params) {
		return out, false
	}
	out.prelude, out.args = code.Lines[:code.Setup], args
	return out, true
}

// argumentsOf returns the arguments of a call, a method's receiver first.
// Qualifiers are marked in the text, see wire.Qualify: they are brought
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
func (s *Stage) numberSpec(p *reach.Package, op wire.Op, n surface.Numeric, e event.Relation, r relation.Relation, in []float64) spec {
	out := spec{pkg: p.Path, relation: r}
	sig := p.API.Subject(op).Sig
	at := 0
	for i := range sig.Params().Len() {
		if n.Slices[i] == 0 {
			out.args = append(out.args, numberText(in[at]))
			at++
			continue
		}
		var list []string
		for range n.Slices[i] {
			list = append(list, numberText(in[at]))
			at++
		}
		out.args = append(out.args, types.TypeString(sig.Params().At(i).Type(), types.RelativeTo(p.API.Subject(op).Package))+"{"+strings.Join(list, ", ")+"}")
	}
	return out
}

// maxRelationTests bounds the tests written for broken relations, and those of
// one function.
const (
	maxRelationTests = 8
	perFunction      = 2
)

// GoTests writes tests to paste for broken relations: those that somebody declared
// first.
func (s *Stage) GoTests() []paste.Test {
	list := slices.Clone(s.Events)
	slices.SortStableFunc(list, func(a, b event.Relation) int {
		return cmp.Compare(rankOf(a.Source == event.Declared), rankOf(b.Source == event.Declared))
	})
	of := map[string]int{}
	var out []paste.Test
	for _, e := range list {
		x, ok := s.specs[e.ID]
		key := e.Package + " " + e.Function
		if !ok || e.State != event.Broken || of[key] == perFunction || len(out) == maxRelationTests {
			continue
		}
		text, err := s.goTest(e, x)
		if err != nil {
			continue // it cannot be written as a test
		}
		of[key]++
		out = append(out, paste.Test{ID: e.ID, Package: x.pkg, Name: calls.TestName(e.Function, e.ID), File: calls.TestFile(e.ID), Text: text})
	}
	return out
}

// goTest writes a test outside the package if that is possible.
func (s *Stage) goTest(e event.Relation, x spec) ([]byte, error) {
	api := s.apiOf(x.pkg)
	if api == nil {
		return nil, errors.New("its package is not known")
	}
	write := func(external bool) ([]byte, error) {
		imports := map[string]string{}
		qualify := func(text string) string {
			return wire.Qualify(text, func(p string) string {
				if p == x.pkg && !external {
					return ""
				}
				name := x.imports[p]
				if p == x.pkg {
					name = api.Name
				}
				if name == "" {
					name = wire.GuessPackageName(p)
				}
				imports[p] = name
				return name + "."
			})
		}
		in := relation.TestInput{PackageName: api.Name, External: external, Name: calls.TestName(e.Function, e.ID), Imports: imports, Declares: reach.Declares(s.Matching.Versions[version.Head].Tree, x.pkg)}
		for _, l := range x.prelude {
			in.Prelude = append(in.Prelude, qualify(l))
		}
		for _, a := range x.args {
			in.Args = append(in.Args, qualify(a))
		}
		return relation.Test(x.relation, in)
	}
	if !x.internal && api.Name != "main" {
		if text, err := write(true); err == nil {
			return text, nil
		}
	}
	return write(false)
}

// apiOf is what calls in a package name, of whichever suite.
func (s *Stage) apiOf(pkg string) *surface.API {
	for _, p := range s.Calls.Packages {
		if p.Path == pkg && p.Search != nil {
			return p.API
		}
	}
	return nil
}

// Show puts a test to paste into the event of a relation, if there is one of that
// identifier.
func (s *Stage) Show(id, text, file string) {
	for i := range s.Events {
		if s.Events[i].ID == id {
			s.Events[i].GoTest, s.Events[i].GoTestFile = text, file
		}
	}
}

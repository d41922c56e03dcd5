package runner

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/replay"
	"github.com/isodelta/isodelta/runner/replay/harness"
)

// relationSpecOf takes the source input of a counterexample apart; false where
// it cannot be written as Go.
func (c *comparison) relationSpecOf(p *caller, r relation.Relation, x replay.Counterexample) (relationSpec, bool) {
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

// argumentsOf gives the arguments of a call, a method's receiver first.
// Qualifiers are marked in the text, see harness.Qualify: they are brought
// through the parser as identifiers.
func argumentsOf(call string) ([]string, bool) {
	var marks []string
	plain := harness.Qualify(call, func(p string) string {
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
			t = strings.ReplaceAll(t, mark+string(rune('a'+i))+".", std(p))
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

func std(path string) string { return "\x00" + path + "\x00" }

// numberSpec is what a test of an inferred relation is made of.
func (c *comparison) numberSpec(p *caller, op int, n replay.Numeric, e event.Relation, r relation.Relation, in []float64) relationSpec {
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

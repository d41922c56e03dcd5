package tested

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// maxCalls bounds the calls of a relation: a longer story is about one state, which other
// inputs do not have.
const maxCalls = 4

// maxNotation bounds a relation as it is told: nobody reads a longer one.
const maxNotation = 100

// generalise makes a relation of what a test claims of some values, false where that
// cannot be. Of the calls that may be the source call the one is taken that leaves least
// fixed.
func (f *finder) generalise(c claim) (r relation.Relation, fixed int, ok bool) {
	if settled(c.left) && settled(c.right) || saysNoError(c) {
		return r, 0, false
	}
	list := c.right.calls(c.left.calls(nil))
	if len(list) < 2 || len(list) > maxCalls || slices.ContainsFunc(list, communicates) {
		return r, 0, false
	}
	for _, source := range list {
		s := f.speller(source, c)
		if s == nil {
			continue
		}
		if x, is := s.relation(c, f.at(c.at)); is && (!ok || s.fixed < fixed) {
			r, fixed, ok = x, s.fixed, true
		}
	}
	return r, fixed, ok
}

// communicates reports whether a call takes or gives a channel: who reads it later?
func communicates(t *term) bool {
	for _, list := range []*types.Tuple{t.call.Sig.Params(), t.call.Sig.Results()} {
		for v := range list.Variables() {
			if strings.Contains(types.TypeString(v.Type().Underlying(), nil), "chan ") {
				return true
			}
		}
	}
	return false
}

func settled(t *term) bool { return t == nil || t.isConstant() }

// telling reports whether a literal may be what is expected of all values: a constant with
// a name, a zero, or an empty text.
func telling(t *term) bool {
	if t == nil || t.value == nil {
		return false
	}
	switch t.value.Kind() {
	case constant.Int, constant.Float:
		return t.constant || constant.Sign(t.value) == 0
	case constant.String:
		return t.constant || constant.StringVal(t.value) == ""
	}
	return false
}

// saysNoError reports whether a claim is only that there is no error.
func saysNoError(c claim) bool {
	for _, t := range []*term{c.left, c.right} {
		if t != nil && t.key == "nil" {
			return true
		}
	}
	return false
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// relation writes the claim.
func (s *speller) relation(c claim, at string) (relation.Relation, bool) {
	check, note, name, ok := s.check(c)
	if !ok || len(s.calls) < 2 || !s.connected(check) {
		return relation.Relation{}, false
	}
	// What is expected of fixed values says nothing of others. A value that is expected
	// counts as fixed itself.
	if settled(c.right) && s.fixed > 0 && !(telling(c.right) && s.fixed == 1) {
		return relation.Relation{}, false
	}
	var given, works []string
	for i, x := range s.calls {
		if x.fails >= 0 && !x.plain {
			ok := x.good()
			if i > 0 && len(x.depends) > 0 {
				works = append(works, ok)
			} else {
				given = append(given, ok)
			}
		}
		for _, d := range x.depends {
			if y := s.calls[d]; y.fails >= 0 && !y.plain {
				x.call.When = join(x.call.When, y.good())
			}
		}
	}
	if len(works) > 0 {
		check = strings.Join(append(works, check), " && ")
	}
	var list []relation.Call
	var all []types.Type
	for _, x := range s.calls {
		list = append(list, x.call)
		for _, t := range []*types.Tuple{x.term.call.Sig.Params(), x.term.call.Sig.Results()} {
			for v := range t.Variables() {
				all = append(all, v.Type())
			}
		}
	}
	when, says := s.conditions(c.guards)
	if utf8.RuneCountInString(says+note) > maxNotation {
		return relation.Relation{}, false
	}
	subject := s.frame.Subject
	r := relation.Relation{Function: subject.Name, Package: subject.Package.Path(), Name: name, Source: event.FromTest, At: at,
		Notation: says + note, Form: s.frame.Form(list, when, strings.Join(given, " && "), check)}
	if strings.Contains(check, "Equal(") {
		r.Tolerance = relation.ToleranceOf(all)
	}
	return r, true
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " && " + b
}

// connected reports whether a check uses every call, or another call does.
func (s *speller) connected(check string) bool {
	for i, c := range s.calls {
		used := mentions(check, c.names) || mentions(check, c.call.After)
		for _, later := range s.calls[i+1:] {
			used = used || slices.Contains(later.depends, i)
		}
		if !used {
			return false
		}
	}
	return true
}

// check writes what has to be true, as Go and for people, and how such a relation is
// called.
func (s *speller) check(c claim) (check, note, name string, ok bool) {
	left, leftNote, ok := s.side(c.left)
	if !ok {
		return "", "", "", false
	}
	if c.right == nil {
		if !isBool(c.left.typ) {
			return "", "", "", false
		}
		if c.op == token.NOT {
			return "!" + left, "¬" + leftNote, "never true", true
		}
		return left, leftNote, "always true", true
	}
	right, rightNote, ok := s.side(c.right)
	if !ok || left == right || !sameType(c.left.typ, c.right.typ) {
		return "", "", "", false
	}
	if c.op != token.EQL {
		b, basic := c.left.typ.Underlying().(*types.Basic)
		if !basic || b.Info()&types.IsOrdered == 0 {
			return "", "", "", false
		}
		return left + " " + c.op.String() + " " + right, leftNote + " " + map[token.Token]string{token.LSS: "<", token.LEQ: "≤"}[c.op] + " " + rightNote, "order", true
	}
	// What is given again, or called first, stands on the right.
	source := s.calls[0].names
	if mentions(left, source) && !mentions(right, source) && mentions(right, s.variables()) || !mentions(left, s.variables()) {
		left, right, leftNote, rightNote = right, left, rightNote, leftNote
	}
	if a, b := strings.TrimPrefix(leftNote, "¬("), strings.TrimPrefix(rightNote, "¬("); a != leftNote && b != rightNote && strings.HasSuffix(a, "fails)") && strings.HasSuffix(b, "fails)") {
		leftNote, rightNote = "("+a, "("+b
	}
	return "Equal(" + left + ", " + right + ")", leftNote + " = " + rightNote, s.name(right), true
}

// side writes one side of a comparison. A constant gets its type: Equal takes anything.
func (s *speller) side(t *term) (code, note string, ok bool) {
	code, note, ok = s.expr(t)
	if !ok || t.kind != literal || t.value == nil || types.Identical(t.typ, types.Default(t.typ)) && isDefault(t.typ) {
		return code, note, ok
	}
	text, ok := s.typ(t.typ)
	return goexpr.Convert(text, code), note, ok
}

// isDefault reports whether a constant without a type gets this one.
func isDefault(t types.Type) bool {
	switch t {
	case types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Bool]:
		return true
	}
	return false
}

// name is what an equality is called.
func (s *speller) name(right string) string {
	last := s.calls[len(s.calls)-1]
	same := !slices.ContainsFunc(s.calls, func(c *spelled) bool { return c.call.Function != s.calls[0].call.Function })
	switch {
	case len(last.depends) > 0 && slices.Contains(s.calls[0].call.Args, strings.TrimLeft(right, "*&")):
		return "round trip"
	case same:
		return "same again"
	}
	return "equal results"
}

// conditions are the guards that only need the parameters, as Go and for people.
func (s *speller) conditions(guards []guard) (when, says string) {
	var notes []string
	for _, g := range guards {
		if g.is.calls(nil) != nil || g.is.kind != operation || !isBool(g.is.typ) {
			continue
		}
		calls := len(s.calls)
		is := g.is
		if !g.want {
			is = negation(is)
		}
		code, note, ok := s.expr(is)
		if !ok || len(s.calls) > calls || !slices.ContainsFunc(goexpr.Names(code), func(n string) bool { return slices.Contains(s.parameters(), n) }) {
			continue
		}
		if is.op == token.LOR {
			code, note = "("+code+")", "("+note+")"
		}
		if !slices.Contains(notes, note) {
			when, notes = join(when, code), append(notes, note)
		}
	}
	if len(notes) == 0 {
		return "", ""
	}
	return when, inWords(strings.Join(notes, " && ")) + " ⇒ "
}

// negation is the term that is true where another is not.
func negation(t *term) *term {
	opposite := map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR}
	if op, ok := opposite[t.op]; ok {
		return binary(op, t.typ, t.parts[0], t.parts[1])
	}
	x := newTerm(operation, "not", t.typ, t)
	x.spell = func(_ *speller, p []string) (string, bool) { return "!" + operand(p[0]), true }
	return x
}

// inWords writes Go as mathematics.
func inWords(text string) string {
	return strings.NewReplacer(" == ", " = ", " != ", " ≠ ", " <= ", " ≤ ", " >= ", " ≥ ", " && ", " ∧ ", " || ", " ∨ ").Replace(text)
}

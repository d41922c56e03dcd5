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

// A speller writes the terms of a claim as a relation of one of its calls, the source
// call. What that call is given becomes its parameters.
type speller struct {
	*known
	frame  *relation.Frame
	params map[string]string // by the key of the term that the parameter stands for
	types  map[string]types.Type
	calls  []*spelled
	fixed  int // constants and zero values that calls and the check take, but for truth values
}

// spelled is one call of the relation.
type spelled struct {
	term    *term
	call    relation.Call
	note    string
	fails   int      // the error or truth among the results that says whether it counts, -1 for none
	plain   bool     // that result is compared itself
	depends []int    // earlier calls that give what it takes
	names   []string // of its results
}

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

// isFree reports whether a literal fixes nothing: it chooses among ways to do something.
func isFree(t *term) bool {
	return t.key == "nil" || isBool(t.typ) || strings.HasPrefix(t.key, "none ")
}

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

// isOut reports whether a term is the address of a variable that has no value yet.
func isOut(t *term) bool {
	return t.kind == operation && strings.HasPrefix(t.key, "address(zero ")
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

// speller begins a relation with its source call; nil where the claim cannot be about
// that call's parameters.
func (f *finder) speller(source *term, c claim) *speller {
	s := &speller{known: f.known, frame: relation.NewFrame(source.call.Subject), params: map[string]string{}, types: map[string]types.Type{}}
	args := make([]string, len(source.parts))
	for i, a := range source.parts {
		p := s.frame.Params[i].Name
		elsewhere := c.left.count(a.key, source.key) + c.right.count(a.key, source.key)
		known, repeated := s.params[a.key]
		switch {
		case repeated && a.isConstant() && elsewhere > 0:
			return nil // which of them is meant?
		case repeated:
			args[i] = known
		case a.isConstant() && elsewhere == 0, isOut(a):
			text, _, ok := s.expr(a)
			if !ok {
				return nil
			}
			args[i] = text
		default:
			args[i] = p
			s.params[a.key], s.types[a.key] = p, source.call.Sig.Params().At(i).Type()
		}
	}
	if len(s.params) == 0 {
		return nil
	}
	s.add(source, args, args)
	return s
}

// add adds a call with its arguments as Go and for people.
func (s *speller) add(t *term, args, notes []string) *spelled {
	f := t.call
	c := &spelled{term: t, fails: -1}
	if len(s.calls) == 0 {
		c.call = s.frame.Call()
	} else {
		other := relation.NewFrame(f.Subject)
		c.call = other.Call()
		c.call.Types = make([]string, len(args))
		for i := range args {
			if text, ok := s.typ(f.Sig.Params().At(i).Type()); ok {
				c.call.Types[i] = text
			}
		}
	}
	c.call.Args = args
	results := f.Sig.Results()
	n := results.Len()
	if n > 0 && (isError(results.At(n-1).Type()) || n == 2 && isBool(results.At(n-1).Type())) {
		c.fails = n - 1
	}
	first := s.prefix(f)
	for i := range n {
		name := first
		switch {
		case i == c.fails && isError(results.At(i).Type()):
			name += "Err"
		case i == c.fails:
			name += "OK"
		case n > 2 || n == 2 && c.fails < 0:
			name += string(rune('A' + i%26))
		}
		if name == "resultErr" {
			name = "err"
		}
		c.names = append(c.names, s.frame.Fresh(name))
	}
	c.call.Results = c.names
	c.note = f.Note(notes)
	s.calls = append(s.calls, c)
	return c
}

// prefix is what the names of a call's results begin with.
func (s *speller) prefix(f *function) string {
	switch {
	case len(s.calls) == 0:
		return "result"
	case f.Expr == s.calls[0].term.call.Expr:
		return "followup"
	}
	return "back"
}

// use imports a package.
func (s *speller) use(p *types.Package) string { return s.frame.Use(p.Path(), p.Name()) }

// typ writes a type; false for one that has no name within the package's code.
func (s *speller) typ(t types.Type) (string, bool) {
	ok := s.named(t, map[types.Type]bool{})
	return types.TypeString(t, s.frame.Qualify), ok
}

func (s *speller) named(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Basic:
		return true
	case *types.Named:
		o := t.Obj()
		switch {
		case o.Pkg() == nil:
		case o.Pkg().Path() == s.path:
			if s.declares(o) == nil {
				return false
			}
		case !o.Exported() || o.Parent() != o.Pkg().Scope():
			return false
		}
		for a := range t.TypeArgs().Types() {
			if !s.named(a, seen) {
				return false
			}
		}
		return true
	case *types.Alias:
		return s.named(types.Unalias(t), seen)
	case *types.Map:
		return s.named(t.Key(), seen) && s.named(t.Elem(), seen)
	case *types.Interface:
		return t.Empty()
	case *types.Pointer, *types.Slice, *types.Array:
		return s.named(t.(interface{ Elem() types.Type }).Elem(), seen)
	}
	return false
}

// expr writes a term as Go and for people.
func (s *speller) expr(t *term) (code, note string, ok bool) {
	if p, is := s.params[t.key]; is {
		return p, p, sameType(t.typ, s.types[t.key])
	}
	if p, is := s.params["address("+t.key+")"]; is {
		return "*" + p, p, true
	}
	if p, is := s.params["value("+t.key+")"]; is {
		return "&" + p, p, true
	}
	switch t.kind {
	case literal:
		code, ok = t.spell(s, nil)
		if !isFree(t) {
			s.fixed++
		}
		return code, code, ok
	case result:
		c, ok := s.made(t.parts[0])
		if !ok {
			return "", "", false
		}
		note := c.note
		if t.index == c.fails {
			c.plain = true
		}
		if t.index == c.fails && isError(t.typ) {
			note = "error of " + note
		} else if results := c.term.call.Sig.Results().Len(); results > 2 || results == 2 && (c.fails < 0 || t.index == c.fails) {
			note += string([]rune("₁₂₃₄₅₆₇₈₉")[min(t.index, 8)])
		}
		return c.names[t.index], note, true
	case after:
		return s.after(t)
	case operation:
		if isOut(t) {
			text, ok := s.typ(t.parts[0].typ)
			return "new(" + text + ")", "new(" + text + ")", ok
		}
		codes, notes := make([]string, len(t.parts)), make([]string, len(t.parts))
		for i, p := range t.parts {
			if codes[i], notes[i], ok = s.expr(p); !ok {
				return "", "", false
			}
		}
		if code, ok = t.spell(s, codes); !ok {
			return "", "", false
		}
		if note, ok = t.spell(s, notes); ok && strings.HasPrefix(t.key, "value(") {
			note = notes[0] // people do not care about pointers
		}
		if of, is := strings.CutPrefix(notes[0], "error of "); is && (t.op == token.EQL || t.op == token.NEQ) && notes[1] == "nil" {
			note = map[token.Token]string{token.EQL: "¬", token.NEQ: ""}[t.op] + "(" + of + " fails)"
		}
		return code, note, ok
	}
	return "", "", false
}

// after writes what an argument is after its call.
func (s *speller) after(t *term) (code, note string, ok bool) {
	c, ok := s.made(t.parts[0])
	if !ok {
		return "", "", false
	}
	if c.call.After == nil {
		c.call.After = make([]string, len(c.call.Args))
	}
	if c.call.After[t.index] == "" {
		c.call.After[t.index] = s.frame.Fresh("after")
	}
	_, before, _ := s.expr(t.parts[0].parts[t.index])
	if strings.HasPrefix(before, "new(") {
		return c.call.After[t.index], "what " + c.note + " makes", true
	}
	return c.call.After[t.index], "(" + before + " after " + c.note + ")", true
}

// made finds the call of the relation that a term is, and makes it if there is none yet.
func (s *speller) made(t *term) (*spelled, bool) {
	for _, c := range s.calls {
		if c.term.key == t.key {
			return c, true
		}
	}
	if len(s.calls) == 0 {
		return nil, false
	}
	args, notes := make([]string, len(t.parts)), make([]string, len(t.parts))
	for i, p := range t.parts {
		var ok bool
		if args[i], notes[i], ok = s.expr(p); !ok {
			return nil, false
		}
	}
	var depends []int
	depending := false
	for i, c := range s.calls {
		for _, a := range args {
			if mentions(a, c.names) || mentions(a, c.call.After) {
				depends = append(depends, i)
				break
			}
		}
	}
	for _, a := range args {
		for _, p := range s.params {
			depending = depending || slices.Contains(goexpr.Names(a), p)
		}
	}
	if len(depends) == 0 && !depending || len(s.calls) == maxCalls {
		return nil, false
	}
	c := s.add(t, args, notes)
	c.depends = depends
	return c, true
}

func mentions(expr string, names []string) bool {
	return slices.ContainsFunc(goexpr.Names(expr), func(n string) bool { return n != "" && slices.Contains(names, n) })
}

// sameType reports whether types of the tests and of the code are the same.
func sameType(a, b types.Type) bool {
	path := func(p *types.Package) string { return p.Path() }
	return types.TypeString(types.Unalias(a), path) == types.TypeString(types.Unalias(b), path)
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

// good is the condition that a call's results count.
func (c *spelled) good() string {
	if isError(c.term.call.Sig.Results().At(c.fails).Type()) {
		return c.names[c.fails] + " == nil"
	}
	return c.names[c.fails]
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

// variables are those of all calls.
func (s *speller) variables() []string {
	var out []string
	for _, c := range s.calls {
		out = append(append(out, c.names...), c.call.After...)
	}
	return out
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

func (s *speller) parameters() []string {
	var out []string
	for _, p := range s.params {
		out = append(out, p)
	}
	return out
}

package tested

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

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

// isFree reports whether a literal fixes nothing: it chooses among ways to do something.
func isFree(t *term) bool {
	return t.key == "nil" || isBool(t.typ) || strings.HasPrefix(t.key, "none ")
}

// isOut reports whether a term is the address of a variable that has no value yet.
func isOut(t *term) bool {
	return t.kind == operation && strings.HasPrefix(t.key, "address(zero ")
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

// good is the condition that a call's results count.
func (c *spelled) good() string {
	if isError(c.term.call.Sig.Results().At(c.fails).Type()) {
		return c.names[c.fails] + " == nil"
	}
	return c.names[c.fails]
}

// variables are those of all calls.
func (s *speller) variables() []string {
	var out []string
	for _, c := range s.calls {
		out = append(append(out, c.names...), c.call.After...)
	}
	return out
}

func (s *speller) parameters() []string {
	var out []string
	for _, p := range s.params {
		out = append(out, p)
	}
	return out
}

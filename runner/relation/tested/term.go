package tested

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/relation"
)

// A kind says what a term is.
type kind uint8

const (
	unknown   kind = iota // a variable, or an expression that cannot be written elsewhere
	literal               // a constant, a zero value, a package-level variable: can be written anywhere
	called                // a call of the package under test
	result                // what a call gives
	after                 // an argument as it is after a call
	operation             // made of other terms
)

// A term is an expression of a test, followed through the variables that hold parts of
// it. Two terms with the same key have the same value.
type term struct {
	kind     kind
	key      string
	typ      types.Type
	parts    []*term // arguments of a call, operands of an operation, the call of a result
	size     int
	call     *function // of a call
	index    int       // of a result or an argument, from 0
	value    constant.Value
	constant bool // value is that of a constant with a name
	// spell writes an operation with its parts as Go, for people too.
	spell  func(s *speller, parts []string) (string, bool)
	object types.Object // of a variable
	field  string       // that an operation selects
	op     token.Token  // of an operation on two terms
	// differs are the operands of a call that shows in what they differ.
	differs []*term
}

// maxSize bounds a term: a variable to which a loop adds is no longer followed beyond.
const maxSize = 60

// A function of the package under test as tests call it.
type function struct{ *relation.Subject }

// newTerm is a term of parts.
func newTerm(k kind, name string, t types.Type, parts ...*term) *term {
	x := &term{kind: k, typ: t, parts: parts, size: 1}
	keys := make([]string, len(parts))
	for i, p := range parts {
		keys[i] = p.key
		x.size += p.size
	}
	x.key = name
	if len(parts) > 0 {
		x.key += "(" + strings.Join(keys, ", ") + ")"
	}
	return x
}

func newCall(f *function, args []*term) *term {
	t := newTerm(called, "call "+f.Package.Path()+"."+f.Expr, f.Sig.Results(), args...)
	t.call = f
	return t
}

func newResult(call *term, i int) *term {
	t := newTerm(result, "result "+strconv.Itoa(i), call.call.Sig.Results().At(i).Type(), call)
	t.index = i
	return t
}

func newAfter(call *term, i int) *term {
	t := newTerm(after, "after "+strconv.Itoa(i), call.call.Sig.Params().At(i).Type(), call)
	t.index = i
	return t
}

// zero is the value that a variable has that nobody has given one.
func zero(t types.Type) *term {
	x := newTerm(literal, "zero "+types.TypeString(t, nil), t)
	x.spell = func(s *speller, _ []string) (string, bool) {
		text, ok := s.typ(t)
		return "*new(" + text + ")", ok
	}
	return x
}

// calls adds the calls in a term to a list, each once: outer ones before those that give
// what they take.
func (t *term) calls(list []*term) []*term {
	if t == nil {
		return list
	}
	if t.kind == called {
		for _, c := range list {
			if c.key == t.key {
				return list
			}
		}
		list = append(list, t)
	}
	for _, p := range t.parts {
		list = p.calls(list)
	}
	return list
}

// count is how often a key occurs in a term, outside of one part of it.
func (t *term) count(key, but string) int {
	switch {
	case t == nil || t.key == but:
		return 0
	case t.key == key:
		return 1
	}
	n := 0
	for _, p := range t.parts {
		n += p.count(key, but)
	}
	return n
}

// isConstant reports whether a term can be written without knowing the test's inputs.
func (t *term) isConstant() bool { return t.kind == literal }

// address is the term of &x, value that of *x.
func address(t *term) *term {
	if t.kind == operation && strings.HasPrefix(t.key, "value(") {
		return t.parts[0]
	}
	x := newTerm(operation, "address", types.NewPointer(t.typ), t)
	x.spell = func(*speller, []string) (string, bool) { return "", false }
	return x
}

func value(t *term) *term {
	if t.kind == operation && strings.HasPrefix(t.key, "address(") {
		return t.parts[0]
	}
	elem := t.typ
	if p, ok := t.typ.Underlying().(*types.Pointer); ok {
		elem = p.Elem()
	}
	x := newTerm(operation, "value", elem, t)
	x.spell = func(_ *speller, parts []string) (string, bool) { return "*" + operand(parts[0]), true }
	return x
}

// operand puts parentheses around an expression of several words.
func operand(text string) string {
	depth, quoted := 0, rune(0)
	for i, r := range text {
		switch {
		case quoted != 0:
			if r == quoted && text[i-1] != '\\' {
				quoted = 0
			}
		case r == '"' || r == '\'' || r == '`':
			quoted = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case depth == 0 && (r == ' ' || i == 0 && strings.ContainsRune("-*&!^", r)):
			return "(" + text + ")"
		}
	}
	return text
}

package law

import (
	"fmt"
	"strconv"
	"strings"
)

// maxDepth bounds the operators within each other that Parse reads.
const maxDepth = 64

// Parse reads what Key has written, for variables of those kinds.
func Parse(key string, variables []Variable) (*Expr, error) {
	p := &keyReader{rest: key, variables: variables}
	x, err := p.tree(0)
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q is left", p.rest)
	}
	if err != nil {
		return nil, fmt.Errorf("law: %q is no key of a tree: %w", key, err)
	}
	return x, nil
}

type keyReader struct {
	rest      string
	variables []Variable
}

func (p *keyReader) tree(depth int) (*Expr, error) {
	switch {
	case depth > maxDepth:
		return nil, fmt.Errorf("more than %d operators are within each other", maxDepth)
	case strings.HasPrefix(p.rest, `"`):
		quoted, err := strconv.QuotedPrefix(p.rest)
		if err != nil {
			return nil, err
		}
		p.rest = p.rest[len(quoted):]
		text, err := strconv.Unquote(quoted)
		return Const(text), err
	case strings.HasPrefix(p.rest, "("):
		return p.application(depth)
	}
	return p.leaf(p.word())
}

// word takes what stands before a blank or a parenthesis.
func (p *keyReader) word() string {
	n := strings.IndexAny(p.rest, " )")
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

func (p *keyReader) application(depth int) (*Expr, error) {
	p.rest = p.rest[1:]
	op, err := strconv.ParseUint(p.word(), 10, 8)
	if err != nil {
		return nil, err
	}
	var args []*Expr
	for strings.HasPrefix(p.rest, " ") {
		p.rest = p.rest[1:]
		a, err := p.tree(depth + 1)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	if !strings.HasPrefix(p.rest, ")") {
		return nil, fmt.Errorf("no parenthesis before %q", p.rest)
	}
	p.rest = p.rest[1:]
	x := Apply(Op(op), args...)
	if x == nil {
		return nil, fmt.Errorf("operator %d takes no such operands", op)
	}
	return x, nil
}

func (p *keyReader) leaf(word string) (*Expr, error) {
	switch {
	case word == "true", word == "false":
		return Const(word == "true"), nil
	case strings.HasPrefix(word, "$"):
		i, err := strconv.Atoi(word[1:])
		if err != nil {
			return nil, err
		}
		if i < 0 || i >= len(p.variables) {
			return nil, fmt.Errorf("there is no variable %d", i)
		}
		return Var(i, p.variables[i].Kind), nil
	case strings.HasPrefix(word, "i"):
		n, err := strconv.ParseInt(word[1:], 10, 64)
		return Const(n), err
	case strings.HasPrefix(word, "f"):
		// What is too large for a number is an error, but infinities have names.
		f, err := strconv.ParseFloat(word[1:], 64)
		if err != nil || f-f != 0 {
			return nil, fmt.Errorf("%q is no number", word)
		}
		return Const(f), nil
	}
	return nil, fmt.Errorf("%q is no variable and no constant", word)
}

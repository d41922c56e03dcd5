package goexpr

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// MaxLength bounds the text of one expression, in bytes.
const MaxLength = 1 << 14

// Rename spells every identifier that a Go expression or type does not declare
// itself as name says, and puts it on one line. The rest of the text stays as it
// is, and "" stays "".
func Rename(expr string, name func(string) string) (string, error) {
	return Rewriter{Name: name}.Rewrite(expr)
}

// Names lists the identifiers of an expression that it does not declare itself,
// sorted; none of what is no Go expression.
func Names(expr string) []string {
	var out []string
	_, err := Rename(expr, func(name string) string {
		out = append(out, name)
		return name
	})
	if err != nil {
		return nil
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Convert spells a conversion of an expression to a type.
func Convert(typ, expr string) string {
	if strings.ContainsAny(typ, " *[](){}<-") {
		typ = "(" + typ + ")"
	}
	return typ + "(" + expr + ")"
}

// A Rewriter says how the parts of an expression are spelled that are not
// declared in it.
type Rewriter struct {
	// Name spells an identifier.
	Name func(name string) string
	// Equal spells Equal(a, b): what stands in front of a, between, and behind.
	// It gets the arguments as they were before rewriting. (Equal)(a, b) is not
	// such a call. nil leaves Equal a name like others.
	Equal func(a, b string) (before, between, behind string)
	// Selection spells x.y where it knows better than Name; nil if it never does.
	Selection func(x, y string) (text string, ok bool)
}

// Rewrite spells an expression anew, on one line. "" stays "".
func (r Rewriter) Rewrite(expr string) (string, error) {
	if expr == "" {
		return "", nil
	}
	src, err := oneLine(expr)
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	e, err := parser.ParseExprFrom(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("%s is no Go expression: %w", strconv.Quote(expr), err)
	}
	var pieces []piece
	at := func(p token.Pos) int { return set.Position(p).Offset }
	w := &freeWalker{name: func(id *ast.Ident) {
		pieces = append(pieces, piece{at(id.Pos()), at(id.End()), r.Name(id.Name)})
	}}
	if r.Equal != nil {
		w.equal = func(call *ast.CallExpr) {
			a, b := call.Args[0], call.Args[1]
			before, between, behind := r.Equal(src[at(a.Pos()):at(a.End())], src[at(b.Pos()):at(b.End())])
			pieces = append(pieces, piece{at(call.Pos()), at(a.Pos()), before}, piece{at(a.End()), at(b.Pos()), between}, piece{at(b.End()), at(call.End()), behind})
		}
	}
	if r.Selection != nil {
		w.selector = func(x *ast.Ident, n *ast.SelectorExpr) bool {
			text, ok := r.Selection(x.Name, n.Sel.Name)
			if ok {
				pieces = append(pieces, piece{at(n.Pos()), at(n.End()), text})
			}
			return ok
		}
	}
	w.walk(e)
	return splice(src, pieces), nil
}

// piece is a part of a text that is replaced, in bytes.
type piece struct {
	from, to int
	text     string
}

func splice(src string, pieces []piece) string {
	slices.SortStableFunc(pieces, func(a, b piece) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for _, p := range pieces {
		b.WriteString(src[done:p.from] + p.text)
		done = p.to
	}
	b.WriteString(src[done:])
	return b.String()
}

// oneLine writes an expression on one line, without comments.
func oneLine(expr string) (string, error) {
	if len(expr) > MaxLength {
		return "", fmt.Errorf("an expression of %d bytes is longer than the %d allowed", len(expr), MaxLength)
	}
	if !strings.ContainsAny(expr, "\n\r") && !strings.Contains(expr, "//") && !strings.Contains(expr, "/*") {
		return expr, nil
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(expr))
	var failed error
	s.Init(file, []byte(expr), func(_ token.Position, msg string) {
		failed = fmt.Errorf("%s is no Go expression: %s", strconv.Quote(expr), msg)
	}, 0)
	var words []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			if n := len(words); n > 0 && words[n-1] == ";" {
				words = words[:n-1]
			}
			// Generated files are searched for the names of imports with their points.
			return strings.ReplaceAll(strings.Join(words, " "), " \x00 ", "."), failed
		case tok == token.SEMICOLON:
			lit = ";"
		case tok == token.STRING && lit[0] == '`':
			if text, err := strconv.Unquote(lit); err == nil {
				lit = strconv.Quote(text)
			}
		case tok == token.PERIOD:
			lit = "\x00"
		case lit == "" || tok.IsOperator():
			lit = tok.String()
		}
		words = append(words, lit)
	}
}

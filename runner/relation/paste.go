package relation

import (
	"errors"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// TestInput is the source input of a test to paste.
type TestInput struct {
	// Prelude are statements that come first and declare what Args use.
	Prelude []string
	// Args are Go expressions for the parameters, the receiver first, as the test
	// file sees them.
	Args []string
	// Imports are what Prelude and Args use: path → name.
	Imports     map[string]string
	PackageName string // name of the package under test
	External    bool   // the test is of package PackageName_test
	Name        string // of the test function; "" for TestRelation
	Comment     string // what to say of the test, behind its name; "" for the notation
	// Declares reports whether the package declares a name; nil if it is not known.
	Declares func(string) bool
}

// Test writes a whole Go file with one test that asserts the relation for one
// source input: plain Go with the standard library. Where a call can change what
// it is given, each call gets a value made anew. The file is formatted, not
// compiled; run it on base before showing it. ErrInternal comes back for
// External where the relation needs unexported names.
func Test(r Relation, in TestInput) ([]byte, error) {
	if len(in.Args) != len(r.Form.Params) {
		return nil, fmt.Errorf("a test for relation %s of %s: %d arguments for %d parameters", r.Name, r.Function, len(in.Args), len(r.Form.Params))
	}
	if in.External {
		if err := Exported(r, in.Declares); err != nil {
			return nil, err
		}
	}
	b := newBody(r, in.PackageName, in.External, in.Declares, in.Imports)
	name := in.Name
	if name == "" {
		name = "TestRelation"
	}
	lines := b.inputs(in)
	rest, err := b.rest(r)
	if err != nil {
		return nil, fmt.Errorf("a test for relation %s of %s: %w", r.Name, r.Function, err)
	}
	helper := b.nearFunction()
	testing := b.importing("testing")
	pkg := in.PackageName
	if in.External {
		pkg += "_test"
	}
	comment := in.Comment
	if comment == "" {
		comment = r.Notation
	}
	var file strings.Builder
	fmt.Fprintf(&file, "package %s\n\n%s\n// %s: %s.\nfunc %s(t *%s.T) {\n", pkg, importBlock(b.aliases), name, strings.Join(strings.Fields(comment), " "), name, testing)
	for _, l := range slices.Concat(lines, rest) {
		file.WriteString(l + "\n")
	}
	file.WriteString("}\n" + helper)
	out, err := format.Source([]byte(file.String()))
	if err != nil {
		return nil, fmt.Errorf("the test for relation %s of %s is no Go source: %w", r.Name, r.Function, err)
	}
	return out, nil
}

// rest writes what comes behind the inputs: the calls and the check, or the body of
// another test.
func (b *body) rest(r Relation) ([]string, error) {
	if r.Form.Body != "" {
		text, err := goexpr.Rename(r.Form.Body, b.name)
		args := []string{"t"}
		used := map[string]bool{}
		for _, a := range r.Form.BodyArgs {
			arg, wrong := goexpr.Rename(a, b.name)
			args, err = append(args, arg), errors.Join(err, wrong)
			for _, n := range goexpr.Names(a) {
				used[n] = true
			}
		}
		var lines []string
		for _, p := range r.Form.Params {
			if !used[p.Name] {
				lines = append(lines, "_ = "+p.Name)
			}
		}
		return append(lines, text+"("+strings.Join(args, ", ")+")"), err
	}
	calls, shown, err := b.calls(`t.Skip("the relation says nothing about this input")`)
	if err != nil {
		return nil, err
	}
	check, err := b.check(r.Notation, "t.Errorf", shown)
	return append(calls, check...), err
}

// inputs declares the parameters. One that a call may change is a function that
// makes it anew.
func (b *body) inputs(in TestInput) []string {
	var lines []string
	var plain []string
	for i, p := range b.form.Params {
		if b.shared(i) {
			b.makers[p.Name] = true
		} else {
			plain = append(plain, in.Args[i])
		}
	}
	lines = append(lines, leading(in.Prelude, plain...)...)
	for i, p := range b.form.Params {
		t := b.typ(p.Type)
		if !b.makers[p.Name] {
			lines = append(lines, declare(p.Name, t, in.Args[i]))
			continue
		}
		lines = append(lines, p.Name+" := func() "+t+" {")
		lines = append(lines, leading(in.Prelude, in.Args[i])...)
		lines = append(lines, "return "+in.Args[i], "}")
	}
	return lines
}

// leading are the statements that expressions need: those that have a name of
// theirs, or of another such statement.
func leading(statements []string, exprs ...string) []string {
	needed := map[string]bool{}
	for _, e := range exprs {
		for _, name := range identifiers(e) {
			needed[name] = true
		}
	}
	keep := make([]bool, len(statements))
	for changed := true; changed; {
		changed = false
		for i, s := range statements {
			names := identifiers(s)
			if keep[i] || !slices.ContainsFunc(names, func(n string) bool { return needed[n] }) {
				continue
			}
			keep[i], changed = true, true
			for _, n := range declaredBy(s) {
				needed[n] = true
			}
			for _, n := range names {
				// Names of functions lead everywhere; those that another statement
				// declares are what this one needs.
				if slices.ContainsFunc(statements, func(o string) bool { return slices.Contains(declaredBy(o), n) }) {
					needed[n] = true
				}
			}
		}
	}
	var out []string
	for i, s := range statements {
		if keep[i] {
			out = append(out, s)
		}
	}
	return out
}

// identifiers are the names in a text of Go, in its order.
func identifiers(text string) []string {
	var out []string
	scan(text, func(tok token.Token, lit string) {
		if tok == token.IDENT {
			out = append(out, lit)
		}
	})
	return out
}

// declaredBy are the variables that a statement declares.
func declaredBy(statement string) []string {
	var names []string
	done, isVar := false, false
	scan(statement, func(tok token.Token, lit string) {
		switch {
		case done:
		case tok == token.VAR:
			isVar = true
		case tok == token.IDENT && (!isVar || len(names) == 0):
			names = append(names, lit)
		case tok == token.COMMA:
		case tok == token.DEFINE || isVar:
			done = true
		default:
			done, names = true, nil
		}
	})
	if !done && !isVar {
		return nil
	}
	return names
}

func scan(text string, each func(token.Token, string)) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		each(tok, lit)
	}
}

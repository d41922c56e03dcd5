package calls

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/mod/semver"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// TestSpec is what a test to paste is made of.
type TestSpec struct {
	ID       string // of the finding
	Function string // as in Δ, such as (*Ring).Push
	Package  string // import path of the package under test
	Name     string // its name
	// Base and Head are what the versions are called, such as a tag or a short
	// commit; "" for "base" and "head".
	Base, Head string
	// Place is where the versions differ.
	Place wire.Place
	// Code is the sequence as the base version wrote it, BaseViews and HeadViews
	// what each version shows at the place.
	Code                 wire.Code
	BaseViews, HeadViews wire.Views
	// Declares reports whether the package declares a name at package level; nil
	// if that is not known. Imports must not have such names in the package.
	Declares func(name string) bool
	// Language is the module's language version, such as "1.21"; "" for the
	// newest.
	Language string
}

// ErrNoView says that nothing that a test outside or inside the package can
// look at shows the difference.
var ErrNoView = errors.New("no expression shows the difference")

// TestName is the name of the test function for a finding of a function.
func TestName(function, id string) string {
	var b strings.Builder
	b.WriteString("TestIsodelta")
	upper := true
	for _, r := range function {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			upper = true
			continue
		case upper:
			r = unicode.ToUpper(r)
		}
		upper = false
		if b.Len() < 60 {
			b.WriteRune(r)
		}
	}
	if id = shortID(id); id != "" {
		b.WriteString("_" + id)
	}
	return b.String()
}

// TestFile is the name of the file for it.
func TestFile(id string) string {
	if id = shortID(id); id != "" {
		return "isodelta_" + id + "_test.go"
	}
	return "isodelta_test.go"
}

// shortID are the first eight letters and digits.
func shortID(id string) string {
	id = strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, id)
	return id[:min(len(id), 8)]
}

// WriteTest writes a whole file with one test that passes on base and fails on
// head. Whether it does has to be tried: see VerifyTest. ErrNoView comes back
// where the difference cannot be looked at by a test.
func WriteTest(t TestSpec) ([]byte, error) {
	f := newTestFile(t)
	check, err := f.check()
	if err != nil {
		return nil, err
	}
	return f.write(check)
}

func newTestFile(t TestSpec) *testFile {
	f := &testFile{TestSpec: t, aliases: map[string]string{}, preferred: map[string]string{}}
	if f.Base == "" {
		f.Base = "base"
	}
	if f.Head == "" {
		f.Head = "head"
	}
	for p, name := range t.Code.Imports {
		f.preferred[p] = name
	}
	for p, name := range t.BaseViews.Imports {
		if f.preferred[p] == "" {
			f.preferred[p] = name
		}
	}
	f.preferred[t.Package] = t.Name
	return f
}

// write writes the file, in the package or outside it as the check allows.
func (f *testFile) write(c check) ([]byte, error) {
	f.inside = f.Code.Internal || c.internal || f.Name == "main"
	if f.inside && f.Code.External {
		return nil, fmt.Errorf("a test of %s would have to be in the package and outside: %w", f.Function, ErrNoView)
	}
	return f.assemble(c)
}

// testFile is a file under way.
type testFile struct {
	TestSpec
	inside    bool
	preferred map[string]string // import path → name wanted
	aliases   map[string]string // import path → name given
	label     string            // the call, for messages
	printing  [4]string         // see checkPrinted
}

// check is how the test looks at the difference.
type check struct {
	before   []string // in front of the last call
	after    []string // behind all statements
	around   func(call []string) []string
	says     string // for the comment
	internal bool
	declares []string // behind the test
}

const longCall = 70

// setLabel has messages name the call, or a long one's function.
func (f *testFile) setLabel() {
	call := f.plain(wire.ForPeople(f.Code.Call))
	f.label = call
	if len(call) > longCall || strings.ContainsAny(call, "\n") {
		f.label = f.Function
	}
}

// check picks the first view in which the versions differ.
func (f *testFile) check() (check, error) {
	f.setLabel()
	b, h := f.BaseViews, f.HeadViews
	if f.Place.Kind == wire.AtEnding {
		return f.checkEnding()
	}
	if f.Code.Stream != "" {
		return f.checkPrinted()
	}
	for _, internal := range []bool{false, true} {
		for _, v := range b.List {
			if v.Address || v.Internal && !f.Code.Internal != internal {
				continue
			}
			i := slices.IndexFunc(h.List, func(w wire.View) bool { return w.Style == v.Style && w.Expr == v.Expr })
			if i < 0 || h.List[i].Address || h.List[i].Literal == v.Literal {
				continue
			}
			c := f.checkView(v, h.List[i])
			c.internal = internal
			return c, nil
		}
	}
	return check{}, fmt.Errorf("%s: %w", f.Function, ErrNoView)
}

// checkView asserts what base shows.
func (f *testFile) checkView(v, head wire.View) check {
	subject := f.Code.Subject
	expr := strings.ReplaceAll(v.Expr, wire.SubjectMark, subject)
	whole := v.Expr == wire.SubjectMark
	label := f.label
	if !whole || subject != "got" && subject != "err" {
		label += ": " + f.plain(expr)
	}
	c := check{says: fmt.Sprintf("%s gives %s with %s and %s with %s", oneLine(label), oneLine(f.plain(v.Literal)), f.Base, oneLine(f.plain(head.Literal)), f.Head)}
	switch v.Style {
	case wire.StyleNil:
		isError := subject == "err" && whole
		c.says = fmt.Sprintf("%s is %s with %s and %s with %s", oneLine(label), oneLine(v.Text), f.Base, oneLine(head.Text), f.Head)
		switch {
		case v.Literal == "true" && isError:
			c.after = []string{"if err != nil {", f.errorf(label+": %v, want no error", "err"), "}"}
		case v.Literal == "true":
			c.after = []string{"if " + expr + " != nil {", f.errorf(label+" = %+v, want nil", expr), "}"}
		case isError:
			c.after = []string{"if err == nil {", f.errorf(label + ": no error, want one"), "}"}
		default:
			c.after = []string{"if " + expr + " == nil {", f.errorf(label + " is nil"), "}"}
		}
		if isError {
			c.says = fmt.Sprintf("%s gives %s with %s and %s with %s", oneLine(label), errorWord(v.Literal), f.Base, errorWord(head.Literal), f.Head)
		}
	case wire.StyleEqual:
		c.after = f.equal(label, expr, v.Literal, whole)
	case wire.StyleDeep:
		c.after = []string{"want := " + v.Literal, "if !" + wire.Qualifier("reflect") + "DeepEqual(" + expr + ", want) {",
			f.errorf(label+" = %+v, want %+v", expr, "want"), "}"}
	case wire.StyleText:
		c.after = []string{"const want = " + v.Literal, "if text := " + expr + "; text != want {",
			f.errorf(label+" = %q, want %q", "text", "want"), "}"}
	case wire.StyleRead:
		c.says = fmt.Sprintf("what is left to read of %s is %s with %s and %s with %s", oneLine(label), oneLine(f.plain(v.Literal)), f.Base, oneLine(f.plain(head.Literal)), f.Head)
		c.after = []string{"const want = " + v.Literal, "if left, err := " + wire.Qualifier("io") + "ReadAll(" + expr + "); string(left) != want || err != nil {",
			f.errorf(label+" reads as %q and ends with %v, want %q", "left", "err", "want"), "}"}
	}
	return c
}

func errorWord(isNil string) string {
	if isNil == "true" {
		return "no error"
	}
	return "an error"
}

// equal compares numbers, texts and truths.
func (f *testFile) equal(label, expr, want string, whole bool) []string {
	switch {
	case want == "true":
		return []string{"if !" + expr + " {", f.errorf(label + " = false, want true"), "}"}
	case want == "false":
		return []string{"if " + expr + " {", f.errorf(label + " = true, want false"), "}"}
	case want[0] == '"' || want[0] == '`':
		if whole {
			return []string{"const want = " + want, "if " + expr + " != want {", f.errorf(label+" = %q, want %q", expr, "want"), "}"}
		}
		return []string{"const want = " + want, "if got := " + expr + "; got != want {", f.errorf(label+" = %q, want %q", "got", "want"), "}"}
	case whole:
		return []string{"if " + expr + " != " + want + " {", f.errorf(label+" = %v, want %v", expr, want), "}"}
	}
	return []string{"if got := " + expr + "; got != " + want + " {", f.errorf(label+" = %v, want %v", "got", want), "}"}
}

// errorf writes a call of t.Errorf. Of the format, the last arguments' verbs
// are meant; everything in front of them is text.
func (f *testFile) errorf(text string, args ...string) string {
	parts := strings.Split(text, "%")
	if n := len(parts) - len(args); n > 1 {
		// Verbs are the last ones.
		parts = append([]string{strings.Join(parts[:n], "%%")}, parts[n:]...)
	}
	text = strings.Join(parts, "%")
	switch {
	case len(args) == 0 && strings.Contains(text, "%"): // vet takes it for a verb
		return "t.Errorf(" + quote(text) + ")"
	case len(args) == 0:
		return "t.Error(" + quote(text) + ")"
	}
	return "t.Errorf(" + quote(text) + ", " + strings.Join(args, ", ") + ")"
}

// quote writes a string literal, raw if that saves escapes.
func quote(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// checkEnding asserts that the last call ends as in base.
func (f *testFile) checkEnding() (check, error) {
	b, h := f.BaseViews, f.HeadViews
	label := oneLine(f.label)
	switch {
	case b.Ending == probe.Returned && strings.HasPrefix(h.Message, wire.FailedTest):
		return check{says: fmt.Sprintf("%s returns with %s and fails its test with %s: %s", label, f.Base, f.Head, oneLine(strings.TrimPrefix(h.Message, wire.FailedTest)))}, nil
	case strings.HasPrefix(b.Message, wire.FailedTest):
		return check{}, fmt.Errorf("%s: it fails its test with %s: %w", f.Function, f.Base, ErrNoView)
	case b.Ending == probe.Returned && h.Ending == probe.Panicked:
		return check{says: fmt.Sprintf("%s returns with %s and panics with %s: %s", label, f.Base, f.Head, oneLine(h.Message))}, nil
	case b.Ending == probe.Returned && f.Waits():
		verb := "does not end"
		if h.Ending == probe.Died {
			verb = "waits for ever"
		}
		return check{
			says:   fmt.Sprintf("%s returns with %s and %s with %s", label, f.Base, verb, f.Head),
			around: f.inTime,
		}, nil
	case b.Ending == probe.Returned && h.Ending == probe.Died:
		return check{says: fmt.Sprintf("%s returns with %s and ends the process with %s: %s", label, f.Base, f.Head, oneLine(h.Message))}, nil
	case b.Ending == probe.Panicked && h.Ending == probe.Returned:
		return check{
			says:   fmt.Sprintf("%s panics with %s and returns with %s", label, f.Base, f.Head),
			before: []string{"defer func() {", "if recover() == nil {", f.errorf(f.label + " returns, want a panic"), "}", "}()"},
		}, nil
	case b.Ending == probe.Panicked && h.Ending == probe.Panicked && b.Message != h.Message:
		return check{
			says: fmt.Sprintf("%s panics with another message with %s than with %s", label, f.Base, f.Head),
			before: []string{"defer func() {", "const want = " + strconv.Quote(b.Message),
				"if text := " + wire.Qualifier("fmt") + "Sprint(recover()); text != want {",
				f.errorf(f.label+" panics with %q, want %q", "text", "want"), "}", "}()"},
		}, nil
	}
	return check{}, fmt.Errorf("%s: %w", f.Function, ErrNoView)
}

// Waits reports whether the test fails since a call does not return, which takes it some seconds.
// Package testing has timers, with which the run time sees no deadlock.
func (t TestSpec) Waits() bool {
	h := t.HeadViews
	return t.Place.Kind == wire.AtEnding && (h.Ending == probe.Exhausted || h.Ending == probe.Died && strings.HasSuffix(h.Message, "deadlock!"))
}

// inTime fails the test where a call does not return.
func (f *testFile) inTime(call []string) []string {
	out := []string{"done := make(chan struct{})", "go func() {", "defer close(done)"}
	out = append(out, call...)
	return append(out, "}()", "select {", "case <-done:", "case <-"+wire.Qualifier("time")+"After(5 * "+wire.Qualifier("time")+"Second):",
		f.errorf(f.label+" does not return"), "}")
}

// assemble writes the file.
func (f *testFile) assemble(c check) ([]byte, error) {
	lines := append(slices.Clone(f.Code.Lines[:f.Code.Setup]), c.before...)
	rest := f.Code.Lines[f.Code.Setup:]
	if c.around != nil {
		rest = c.around(rest)
	}
	lines = append(append(lines, rest...), c.after...)
	name := TestName(f.Function, f.ID)

	var body bytes.Buffer
	fmt.Fprintf(&body, "// %s: %s.\n", name, oneLine(c.says))
	fmt.Fprintf(&body, "func %s(t *%sT) {\n", name, wire.Qualifier("testing"))
	for _, l := range lines {
		fmt.Fprintln(&body, l)
	}
	body.WriteString("}\n")
	for _, l := range c.declares {
		fmt.Fprintln(&body, l)
	}
	text := f.declaring(body.String())

	var file bytes.Buffer
	pkg := f.Name
	if !f.inside {
		pkg += "_test"
	}
	fmt.Fprintf(&file, "package %s\n\nimport (\n", pkg)
	f.writeImports(&file)
	file.WriteString(")\n\n" + text)
	src := file.Bytes()
	if f.Language != "" && semver.Compare("v"+f.Language, "v1.18") < 0 {
		src = withoutAny(src)
	}
	out, err := format.Source(src)
	if err != nil {
		return nil, fmt.Errorf("the test for %s is no Go source: %w", f.Function, err)
	}
	return out, nil
}

// writeImports lists the standard library first.
func (f *testFile) writeImports(b *bytes.Buffer) {
	var paths [2][]string
	for p := range f.aliases {
		group := 0
		if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") || p == f.Package {
			group = 1
		}
		paths[group] = append(paths[group], p)
	}
	for i, group := range paths {
		if i == 1 && len(group) > 0 {
			b.WriteString("\n")
		}
		slices.Sort(group)
		for _, p := range group {
			if name := f.aliases[p]; name != path.Base(p) {
				fmt.Fprintf(b, "\t%s %q\n", name, p)
			} else {
				fmt.Fprintf(b, "\t%q\n", p)
			}
		}
	}
}

// qualifier returns a package the name under which the file imports it.
func (f *testFile) qualifier(p string) string {
	if p == f.Package && f.inside {
		return ""
	}
	if f.aliases[p] == "" {
		name := f.preferred[p]
		if name == "" {
			name = wire.GuessPackageName(p)
		}
		try := name
		for i := 2; f.taken(try, p); i++ {
			try = name + "pkg"
			if i > 2 {
				try += strconv.Itoa(i)
			}
		}
		f.aliases[p] = try
	}
	return f.aliases[p] + "."
}

// taken reports whether a file of this package cannot import package p as name.
func (f *testFile) taken(name, p string) bool {
	switch name {
	case "t", "got", "want", "text", "done":
		return true
	}
	if f.Code.Stream != "" && slices.Contains(f.printing[:], name) {
		return true
	}
	if slices.Contains(f.Code.Vars, name) || f.inside && f.inPackage(name) {
		return true
	}
	if p != f.Package && !f.inside && name == f.Name && f.Code.Imports[f.Package] != "" {
		return true // the package under test keeps its name
	}
	for q, other := range f.aliases {
		if other == name && q != p {
			return true
		}
	}
	return false
}

// inPackage reports whether the package declares a name, as far as that is known.
func (f *testFile) inPackage(name string) bool { return f.Declares != nil && f.Declares(name) }

// withoutAny writes any as languages before 1.18 do.
func withoutAny(src []byte) []byte {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(src))
	s.Init(file, src, nil, scanner.ScanComments)
	var out []byte
	at, before := 0, token.ILLEGAL
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return append(out, src[at:]...)
		}
		if tok == token.IDENT && lit == "any" && before != token.PERIOD {
			offset := file.Offset(pos)
			out = append(append(out, src[at:offset]...), "interface{}"...)
			at = offset + len(lit)
		}
		before = tok
	}
}

// plain writes packages' names instead of qualifiers, for people.
func (f *testFile) plain(text string) string {
	return wire.Qualify(text, func(p string) string {
		if name := f.preferred[p]; name != "" {
			return name + "."
		}
		return wire.GuessPackageName(p) + "."
	})
}

// oneLine shortens a text for a comment.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
	const maxLength = 160
	if r := []rune(s); len(r) > maxLength {
		s = string(r[:maxLength]) + "…"
	}
	if s == "" {
		s = `""`
	}
	return s
}

// Version names for VerifyTest's runner.
const (
	VersionBase = "base"
	VersionHead = "head"
)

// ErrNotTelling says that a test does not tell the versions apart.
var ErrNotTelling = errors.New("does not tell the versions apart")

// VerifyTest runs a test on both versions, and gives nil if it passes on base
// and fails on head: then it may be shown. run reports whether the test passes; an
// error of it means that the test could not be run, which is not a failure. A
// test that gives the wrong verdict comes back as ErrNotTelling.
func VerifyTest(ctx context.Context, file []byte, run func(ctx context.Context, version string, file []byte) (passed bool, output string, err error)) error {
	for _, v := range []struct {
		name   string
		passes bool
	}{{VersionBase, true}, {VersionHead, false}} {
		passed, output, err := run(ctx, v.name, file)
		if err != nil {
			return fmt.Errorf("run the test on %s: %w", v.name, err)
		}
		if passed != v.passes {
			outcome := "fails"
			if passed {
				outcome = "passes"
			}
			return fmt.Errorf("the test %w: it %s on %s\n%s", ErrNotTelling, outcome, v.name, strings.TrimSpace(output))
		}
	}
	return nil
}

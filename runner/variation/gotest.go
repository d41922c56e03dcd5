package variation

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
)

// GoTest is what a test to paste is written of.
type GoTest struct {
	Test      *baseline.Test
	Variation Variation
	Name      string           // of the function
	Suffix    string           // of names of its own, letters and digits
	Site      *instrument.Site // what is looked at; nil where only how the test ends differs
	Want      []string         // what base gives there, one after the other, as package probe renders it
	Says      string           // its comment, behind the name
	// AsItIs says that the test passes on base with the variation: its own expectations tell.
	AsItIs bool
}

// errNoTest is why a variation has no test to paste.
var errNoTest = errors.New("the test cannot be written down by itself")

// Write writes a Go test file: the function of the test with the variation in place, whose own expectations
// end nothing and fail nothing, and with one that holds on base.
func (g GoTest) Write() ([]byte, error) {
	pkg, file := g.syntax()
	if file == nil {
		return nil, errNoTest
	}
	src, err := os.ReadFile(pkg.Fset.Position(file.Package).Filename)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(file.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && fn.Name.Name == g.Test.Source && fn.Body != nil
	})
	if i < 0 {
		return nil, errNoTest
	}
	w := &testWriter{GoTest: g, pkg: pkg, file: file, fn: file.Decls[i].(*ast.FuncDecl), src: src, assigned: map[ast.Expr]bool{}}
	return w.write()
}

// syntax is the file that the test stands in.
func (g GoTest) syntax() (*packages.Package, *ast.File) {
	tree := g.Test.Suite.Own.Tree
	for _, p := range tree.Packages {
		if p.Path != g.Test.Package {
			continue
		}
		for _, half := range []*packages.Package{p.Test, p.XTest} {
			if f := fileOf(tree, half, g.Test.File); f != nil {
				return half, f
			}
		}
	}
	return nil, nil
}

func fileOf(tree *load.Tree, p *packages.Package, rel string) *ast.File {
	if p == nil {
		return nil
	}
	for _, f := range p.Syntax {
		if tok := tree.Fset.File(f.Package); tok != nil && tree.Rel(tok.Name()) == rel {
			return f
		}
	}
	return nil
}

// testWriter writes one test.
type testWriter struct {
	GoTest
	pkg   *packages.Package
	file  *ast.File
	fn    *ast.FuncDecl
	src   []byte
	edits []textEdit
	seen  bool // the site was found
	// assigned are left sides of assignments.
	assigned map[ast.Expr]bool
}

// textEdit is another text for a range of the source.
type textEdit struct {
	from, to int
	text     string
}

func (w *testWriter) offset(p token.Pos) int { return w.pkg.Fset.PositionFor(p, false).Offset }

func (w *testWriter) text(n ast.Node) string {
	return string(w.src[w.offset(n.Pos()):w.offset(n.End())])
}

func (w *testWriter) edit(from, to token.Pos, text string) {
	w.edits = append(w.edits, textEdit{w.offset(from), w.offset(to), text})
}

func (w *testWriter) write() ([]byte, error) {
	p := w.Variation.Point
	if p.File != w.Test.File || p.Offset < w.offset(w.fn.Body.Pos()) || p.End > w.offset(w.fn.Body.End()) {
		return nil, errNoTest // the variation is of a function that the test calls
	}
	if p.Kind == instrument.PointTable {
		w.table()
	} else {
		w.edits = append(w.edits, textEdit{p.Offset, p.End, w.Variation.source()})
	}
	ast.Inspect(w.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !w.AsItIs {
				w.calm(n)
			}
		case *ast.ExprStmt:
			w.end(n)
		case *ast.FuncLit:
			if t := n.Type.Params.List; len(t) > 0 && isTest(w.pkg.TypesInfo.TypeOf(t[0].Type)) && !w.within(n) && !w.AsItIs {
				w.edit(n.Body.Lbrace+1, n.Body.Lbrace+1, "\ndefer "+w.own("ended")+"()\n")
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				w.assigned[x] = true
			}
		}
		if e, ok := n.(ast.Expr); ok && w.Site != nil && !w.seen && !w.assigned[e] {
			w.look(e)
		}
		return true
	})
	if w.Site != nil && !w.seen {
		return nil, errNoTest
	}
	body, err := w.body()
	if err != nil {
		return nil, err
	}
	return w.assemble(body)
}

// table puts the assignment to a row at the beginning, and takes it back at the end.
func (w *testWriter) table() {
	row, _, _ := strings.Cut(w.Variation.source(), "].")
	row += "]"
	begin := w.fn.Body.Lbrace + 1
	w.edit(begin, begin, fmt.Sprintf("\n%[1]s := %[2]s\n%[4]s.Cleanup(func() { %[2]s = %[1]s })\n%[3]s\n", w.own("row"), row, w.Variation.source(), w.param()))
}

// within reports whether a range lies in what the variation replaces, or around it.
func (w *testWriter) within(n ast.Node) bool {
	p := w.Variation.Point
	return w.offset(n.Pos()) < p.End && w.offset(n.End()) > p.Offset
}

// quietly are the methods of a test in whose place others end nothing and fail nothing.
var quietly = map[string]string{"Error": "Log", "Errorf": "Logf", "Fatal": "Log", "Fatalf": "Logf", "FailNow": "Name", "Fail": "Name"}

// calm has a call of the test's own expectations fail nothing.
func (w *testWriter) calm(call *ast.CallExpr) {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if other, ok := quietly[sel.Sel.Name]; ok && isTest(w.pkg.TypesInfo.TypeOf(sel.X)) {
			w.edit(sel.Sel.Pos(), sel.Sel.End(), other)
			return
		}
	}
	sig, ok := w.pkg.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return
	}
	for i, a := range call.Args {
		if i < sig.Params().Len() && isTest(w.pkg.TypesInfo.TypeOf(a)) && types.IsInterface(sig.Params().At(i).Type()) && !w.within(a) {
			w.edit(a.Pos(), a.End(), w.own("quiet")+"{"+w.text(a)+"}")
		}
	}
}

// end has a statement that ends the test end it without failing.
func (w *testWriter) end(s *ast.ExprStmt) {
	call, ok := s.X.(*ast.CallExpr)
	if !ok || w.AsItIs {
		return
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && isTest(w.pkg.TypesInfo.TypeOf(sel.X)) {
		switch sel.Sel.Name {
		case "Fatal", "Fatalf", "FailNow":
			w.edit(s.End(), s.End(), "\npanic("+w.own("end")+"{})")
		}
	}
}

// isTest reports whether a type is *testing.T.
func isTest(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == "T" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}

// own is a name of the file's own.
func (w *testWriter) own(name string) string { return name + w.Suffix }

// look passes the expression that shows the difference through a function that notes it.
func (w *testWriter) look(e ast.Expr) {
	if w.pkg.Fset.PositionFor(e.Pos(), false).Line != w.Site.Line || strings.Join(strings.Fields(w.text(e)), " ") != w.Site.Text {
		return
	}
	if tv, ok := w.pkg.TypesInfo.Types[e]; !ok || !tv.IsValue() && !isTuple(tv.Type) {
		return // where it is declared
	}
	results := 1
	if tuple, ok := w.pkg.TypesInfo.TypeOf(e).(*types.Tuple); ok {
		results = tuple.Len()
	}
	switch results {
	case 1:
		w.edit(e.Pos(), e.Pos(), w.own("note")+"(")
		w.edit(e.End(), e.End(), ")")
	case 2:
		w.edit(e.Pos(), e.Pos(), w.own("notes")+"(")
		w.edit(e.End(), e.End(), ")")
	default:
		return
	}
	w.seen = true
}

func isTuple(t types.Type) bool {
	_, ok := t.(*types.Tuple)
	return ok
}

// body is the function's body with all edits.
func (w *testWriter) body() (string, error) {
	slices.SortStableFunc(w.edits, func(a, b textEdit) int { return a.from - b.from })
	from, to := w.offset(w.fn.Body.Lbrace)+1, w.offset(w.fn.Body.Rbrace)
	var b strings.Builder
	at := from
	for _, e := range w.edits {
		if e.from < at { // within what was replaced
			if e.to <= at && e.from != e.to {
				continue
			}
			return "", errNoTest
		}
		b.Write(w.src[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(w.src[at:to])
	return b.String(), nil
}

// param is what the function calls the test.
func (w *testWriter) param() string {
	if names := w.fn.Type.Params.List[0].Names; len(names) > 0 && names[0].Name != "_" {
		return names[0].Name
	}
	return "t"
}

// assemble makes a file of the body.
func (w *testWriter) assemble(body string) ([]byte, error) {
	param := w.param()
	var decls strings.Builder
	if w.Site != nil {
		fmt.Fprintf(&decls, "var %s []string\n\n", w.own("noted"))
	}
	fmt.Fprintf(&decls, "// %s %s\nfunc %s(%s *testing.T) {\n", w.Name, w.Says, w.Name, param)
	if w.Site != nil {
		look := strings.ReplaceAll(strings.Trim(strconv.Quote(w.Site.Text), `"`), "%", "%%")
		fmt.Fprintf(&decls, lookDecl, w.own("noted"), param, quoted(strings.Join(w.Want, "\n")), look)
	}
	quiet := strings.Contains(body, w.own("quiet"))
	ends := quiet || strings.Contains(body, w.own("end"))
	if ends {
		fmt.Fprintf(&decls, "defer %s()\n", w.own("ended"))
	}
	decls.WriteString(body + "\n}\n")
	if quiet {
		fmt.Fprintf(&decls, quietDecl, w.own("quiet"), w.own("end"))
	}
	if ends {
		fmt.Fprintf(&decls, endDecl, w.own("end"), w.own("ended"))
	}
	if w.Site != nil {
		if strings.Contains(body, w.own("notes")+"(") {
			fmt.Fprintf(&decls, notesDecl, w.own("notes"), w.own("noted"), w.own("show"))
		} else {
			fmt.Fprintf(&decls, noteDecl, w.own("note"), w.own("noted"), w.own("show"))
		}
		fmt.Fprintf(&decls, showDecl, w.own("show"))
	}
	lifted := "" // generic functions need a newer language than the module has
	if v := w.Test.Suite.Own.Tree.GoVersion; version.Compare("go"+v, "go1.18") < 0 {
		lifted = "//go:build go1.21\n\n"
	}
	text := lifted + fmt.Sprintf("package %s\n\n%s\n%s", w.file.Name.Name, w.imports(decls.String()), decls.String())
	return format.Source([]byte(text))
}

// quoted is a text as a literal, in as many lines as it has where it has few marks.
func quoted(s string) string {
	if strconv.CanBackquote(strings.ReplaceAll(s, "\n", "")) && !strings.Contains(s, "\r") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

const quietDecl = `
// %[1]s fails nothing: what the test expects is not for this input.
type %[1]s struct{ *testing.T }

func (q %[1]s) Error(args ...any)                 { q.Log(args...) }
func (q %[1]s) Errorf(format string, args ...any) { q.Logf(format, args...) }
func (q %[1]s) Fatal(args ...any)                 { q.Log(args...); panic(%[2]s{}) }
func (q %[1]s) Fatalf(format string, args ...any) { q.Logf(format, args...); panic(%[2]s{}) }
func (q %[1]s) Fail()                             {}
func (q %[1]s) FailNow()                          { panic(%[2]s{}) }
`

const endDecl = `
// %[1]s ends the test where an expectation that does not fit would.
type %[1]s struct{}

func %[2]s() {
	if r := recover(); r != nil && r != any(%[1]s{}) {
		panic(r)
	}
}
`

// lookDecl compares at the end, when parallel subtests are through, too.
const lookDecl = `%[1]s = nil
%[2]s.Cleanup(func() {
	const want = %[3]s
	if got := strings.Join(%[1]s, "\n"); got != want {
		%[2]s.Errorf("%[4]s gives\n%%s\nwant\n%%s", got, want)
	}
})
`

const noteDecl = `
func %[1]s[A any](a A) A {
	%[2]s = append(%[2]s, %[3]s(a))
	return a
}
`

const notesDecl = `
func %[1]s[A, B any](a A, b B) (A, B) {
	%[2]s = append(%[2]s, %[3]s(a)+", "+%[3]s(b))
	return a, b
}
`

const showDecl = `
func %[1]s(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case error:
		return fmt.Sprintf("error(%%q)", x.Error())
	case fmt.Stringer:
		return fmt.Sprintf("%%T(%%q)", x, x.String())
	case []byte:
		return fmt.Sprintf("[]byte(%%q)", x)
	}
	if reflect.ValueOf(v).Kind() == reflect.String {
		return fmt.Sprintf("%%q", v)
	}
	return fmt.Sprint(v)
}
`

// imports are those of the test's file that the text uses, and its own.
func (w *testWriter) imports(text string) string {
	lines := map[string]string{"testing": `"testing"`}
	used := func(name string) bool { return strings.Contains(text, name+".") }
	for _, name := range []string{"fmt", "reflect", "strings"} {
		if w.Site != nil {
			lines[name] = strconv.Quote(name)
		}
	}
	for _, s := range w.file.Imports {
		at, err := strconv.Unquote(s.Path.Value)
		if err != nil || lines[at] != "" && s.Name == nil {
			continue
		}
		name := path.Base(at)
		switch imported := w.pkg.Imports[at]; {
		case s.Name != nil:
			name = s.Name.Name
		case imported != nil && imported.Name != "":
			name = imported.Name
		}
		if name == "." || name != "_" && w.uses(name) && used(name) {
			line := s.Path.Value
			if s.Name != nil {
				line = s.Name.Name + " " + line
			}
			lines[name+" "+at] = line
		}
	}
	var out []string
	for _, line := range lines {
		out = append(out, line)
	}
	slices.Sort(out)
	return "import (\n" + strings.Join(out, "\n") + "\n)\n"
}

// uses reports whether the test's function names a package.
func (w *testWriter) uses(name string) bool {
	found := false
	ast.Inspect(w.fn, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && id.Name == name {
			_, isPackage := w.pkg.TypesInfo.Uses[id].(*types.PkgName)
			found = found || isPackage
		}
		return !found
	})
	return found
}

// plainValue matches what showDecl writes as package probe does.
var plainValue = lazyregexp.New(`^(nil|true|false|[-+0-9.e]+|"(\\.|[^"\\])*"|(error|\[\]byte|[*\w.]+)\("(\\.|[^"\\])*"\))(, (nil|true|false|[-+0-9.e]+|"(\\.|[^"\\])*"|(error|\[\]byte|[*\w.]+)\("(\\.|[^"\\])*"\)))?$`)

// Plain reports whether a test to paste can expect some values.
func Plain(values []string) bool {
	return len(values) > 0 && len(values) <= maxWant && !slices.ContainsFunc(values, func(v string) bool { return len(v) > 500 || !plainValue().MatchString(v) })
}

// maxWant bounds the values that a test to paste expects.
const maxWant = 40

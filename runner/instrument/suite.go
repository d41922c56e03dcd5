package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

// Site is one expression of test code that is looked at.
type Site struct {
	ID      int // as given to probe.O1 … O6
	Package string
	File    string // relative to the root
	Line    int
	Text    string // of the expression, white space folded
	Test    string // enclosing top-level function; "" in an initialiser
	// Args are the arguments of a call that are told with what it gives, as they stand
	// there: variables and fields, such as tc.in.
	Args []string
}

// Test is one top-level test as the rewritten binary runs it.
type Test struct {
	Package       string // import path of the package under test
	Name          string // as given to -test.run: TestX, FuzzX, or the one generated for an example
	Kind          string // test, fuzz, example
	Source        string // name of the original function
	File          string
	Line, EndLine int
	External      bool   // of package foo_test
	Parallel      bool   // calls t.Parallel itself
	Reason        string // why it cannot be compared; "" where it can
	// Uses are the package-level declarations of test files that the test
	// refers to, directly or not, as file:name, sorted.
	Uses []string
	// Digest is of the text of the test and of what it uses, without white
	// space and comments (but for an example's output).
	Digest string
}

// Suite is the rewritten test code of one tree.
type Suite struct {
	Files     map[string][]byte // rewritten and added files, by name relative to the root
	Sites     []Site            // Sites[i].ID == i
	Points    []Point           // Points[i].ID == i; where Config.Vary asks for them
	Tests     []Test            // by package, file and line
	TestMain  map[string]bool   // packages with a TestMain of their own
	Skipped   []Skip
	NeedsLang bool // see Program
}

// Tests rewrites the test files of all packages of a tree. The declarations
// named in drop, by file, are blanked first, and imports that only they used
// become imports for side effects.
func Tests(t *load.Tree, cfg Config, drop map[string][]string) (*Suite, error) {
	return suite(t, cfg, drop, fromDisk)
}

func suite(t *load.Tree, cfg Config, drop map[string][]string, get read) (*Suite, error) {
	s := &Suite{Files: map[string][]byte{}, TestMain: map[string]bool{}}
	for _, p := range t.Packages {
		if err := s.addPackage(t, cfg, drop, get, p); err != nil {
			return nil, fmt.Errorf("read test sources of %s: %w", p.Path, err)
		}
	}
	sortSkips(s.Skipped)
	slices.SortStableFunc(s.Tests, func(a, b Test) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return s, nil
}

// addPackage rewrites the two test packages of one package. They are linked
// into one binary and know each other's declarations.
func (s *Suite) addPackage(t *load.Tree, cfg Config, drop map[string][]string, get read, p *load.Package) error {
	uses := newReferences(t)
	var halves []*testPackage
	for _, half := range []*packages.Package{p.Test, p.XTest} {
		if half == nil {
			continue
		}
		all, err := sources(t, half, get, func(string) bool { return true })
		if err != nil {
			return err
		}
		files := slices.DeleteFunc(slices.Clone(all), func(f *file) bool { return !isTestFile(f.rel) })
		if len(files) == 0 {
			continue
		}
		w := &testPackage{judging: map[*types.Package]bool{},
			suite: s, tree: t, cfg: cfg, path: p.Path, pkg: half,
			info: half.TypesInfo, names: freshNames(all), files: files,
			external: half == p.XTest, old: oldLanguage(t), uses: uses,
		}
		w.keep(drop)
		uses.add(w)
		halves = append(halves, w)
	}
	for _, w := range halves {
		w.rewrite()
	}
	return nil
}

type testPackage struct {
	suite    *Suite
	tree     *load.Tree
	cfg      Config
	path     string
	pkg      *packages.Package
	info     *types.Info
	names    names
	files    []*file
	external bool
	old      bool
	uses     *references
	kept     map[*file][]ast.Node // function declarations and specs that are not dropped
	examples []example
	judging  map[*types.Package]bool // packages for tests, see forTests
}

// keep leaves out what is dropped.
func (w *testPackage) keep(drop map[string][]string) {
	w.kept = map[*file][]ast.Node{}
	for _, f := range w.files {
		w.kept[f] = f.drop(w.info, drop[f.rel])
	}
}

func (w *testPackage) skip(f *file, at token.Pos, reason string) {
	w.suite.Skipped = append(w.suite.Skipped, Skip{f.rel, f.line(at), reason})
}

func (w *testPackage) rewrite() {
	for _, f := range w.files {
		if w.cfg.excluded(f.rel) {
			w.suite.Skipped = append(w.suite.Skipped, Skip{f.rel, 1, "excluded by configuration"})
			continue
		}
		w.rewriteFile(f)
	}
	w.addExamples()
}

func (w *testPackage) rewriteFile(f *file) {
	before := len(f.edits.list)
	for _, d := range w.kept[f] {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			if !w.bare(f, d) {
				w.observe(f, d, "")
			}
			continue
		}
		if fn.Body == nil {
			continue
		}
		if isInit(fn) {
			f.leaveInit(fn, w.info, w.names)
		}
		name := functionName(fn)
		kind := w.kind(fn)
		switch kind {
		case "main":
			w.suite.TestMain[w.path] = true
			name := w.named(f, fn.Type)
			f.edits.open(f.offset(fn.Body.Lbrace)+1, "if "+w.names.probe+".WithoutMain() { "+name+".Run(); return };")
			continue
		case "benchmark":
			continue
		case "test", "fuzz":
			w.prologue(f, fn.Type, fn.Body, "T")
			w.addTest(f, fn, kind, name)
		}
		w.guardSubtests(f, fn)
		if !w.bare(f, d) {
			if w.cfg.Vary {
				w.vary(f, fn, name)
			}
			w.observe(f, fn, name)
		}
	}
	w.findExamples(f)
	if len(f.edits.list) > before {
		f.importProbe(w.names)
	}
	if !f.edits.empty() {
		w.suite.Files[f.rel] = f.edits.apply(f.src)
	}
}

func (w *testPackage) bare(f *file, d ast.Node) bool {
	for _, name := range declares(d) {
		if slices.Contains(w.cfg.Bare[f.rel], name) {
			return true
		}
	}
	return false
}

// kind tells what package testing makes of a function: test, fuzz, benchmark,
// main (TestMain), or "" for any other.
func (w *testPackage) kind(fn *ast.FuncDecl) string {
	if fn.Recv != nil {
		return ""
	}
	obj, ok := w.info.Defs[fn.Name].(*types.Func)
	if !ok {
		return ""
	}
	sig := obj.Signature()
	if sig.TypeParams() != nil || sig.Results().Len() > 0 || sig.Params().Len() != 1 {
		return ""
	}
	arg := testingType(sig.Params().At(0).Type())
	switch {
	case fn.Name.Name == "TestMain" && arg == "M":
		return "main"
	case testName(fn.Name.Name, "Test") && arg == "T":
		return "test"
	case testName(fn.Name.Name, "Fuzz") && arg == "F":
		return "fuzz"
	case testName(fn.Name.Name, "Benchmark") && arg == "B":
		return "benchmark"
	}
	return ""
}

func (w *testPackage) site(f *file, at token.Pos, text, test string) int {
	id := len(w.suite.Sites)
	w.suite.Sites = append(w.suite.Sites, Site{
		ID: id, Package: w.path, File: f.rel, Line: f.line(at), Text: text, Test: test,
	})
	return id
}

// prologue makes a deferred call of the probe, given the first parameter, the
// first statement of a function. Parameters without a name get one.
func (w *testPackage) prologue(f *file, t *ast.FuncType, body *ast.BlockStmt, call string) {
	name := w.named(f, t)
	f.edits.open(f.offset(body.Lbrace)+1, "defer "+w.names.probe+"."+call+"("+name+")();")
}

// named returns the name of a function's first parameter, which it is given where it has
// none.
func (w *testPackage) named(f *file, t *ast.FuncType) string {
	first := t.Params.List[0]
	name := w.names.test
	switch {
	case len(first.Names) == 0:
		for i, p := range t.Params.List {
			n := "_ "
			if i == 0 {
				n = name + " "
			}
			f.edits.open(f.offset(p.Type.Pos()), n)
		}
	case first.Names[0].Name == "_":
		id := first.Names[0]
		f.edits.replace(f.offset(id.Pos()), f.offset(id.End()), name)
	default:
		name = first.Names[0].Name
	}
	return name
}

// guardSubtests recovers panics in what is given to t.Run and f.Fuzz.
func (w *testPackage) guardSubtests(f *file, fn *ast.FuncDecl) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		callee := w.callee(call)
		if callee == nil {
			return true
		}
		name := callee.FullName()
		if name != "(*testing.T).Run" && name != "(*testing.F).Fuzz" {
			return true
		}
		arg := call.Args[len(call.Args)-1]
		switch lit, isLit := ast.Unparen(arg).(*ast.FuncLit); {
		case isLit:
			w.prologue(f, lit.Type, lit.Body, "S")
		case name == "(*testing.F).Fuzz":
			w.skip(f, arg.Pos(), "fuzz target that is not a function literal: a panic in it ends the process")
		case len(call.Args) == 2 && w.plainFunction(arg):
			w.suite.NeedsLang = w.suite.NeedsLang || w.old
			f.edits.open(f.offset(arg.Pos()), w.names.probe+".R(")
			f.edits.close(f.offset(arg.End()), ")")
		default:
			w.skip(f, arg.Pos(), "subtest given in a way that cannot be guarded: a panic in it ends the process")
		}
		return true
	})
}

// plainFunction reports whether the type of a value is known without a context.
func (w *testPackage) plainFunction(e ast.Expr) bool {
	tv := w.info.Types[e]
	if tv.IsNil() || !tv.IsValue() {
		return false
	}
	e = ast.Unparen(e)
	if s, ok := e.(*ast.SelectorExpr); ok {
		e = s.Sel
	}
	if id, ok := e.(*ast.Ident); ok {
		if fn, ok := w.info.Uses[id].(*types.Func); ok && fn.Signature().TypeParams() != nil {
			return false
		}
	}
	_, ok := tv.Type.Underlying().(*types.Signature)
	return ok
}

// callee is the function or method that a call names; nil for a function
// value, a conversion or a builtin.
func (w *testPackage) callee(call *ast.CallExpr) *types.Func {
	e := ast.Unparen(call.Fun)
	switch x := e.(type) {
	case *ast.IndexExpr:
		e = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		e = ast.Unparen(x.X)
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		e = s.Sel
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	fn, _ := w.info.Uses[id].(*types.Func)
	return fn
}

// addedFile returns the name of a file that is not in the directory yet.
func (w *testPackage) addedFile(stem string) string {
	dir := path.Dir(w.files[0].rel)
	name := path.Join(dir, stem+"_test.go")
	for n := 1; slices.ContainsFunc(w.files, func(f *file) bool { return f.rel == name }); n++ {
		name = path.Join(dir, stem+strconv.Itoa(n)+"_test.go")
	}
	return name
}

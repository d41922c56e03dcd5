package instrument

import (
	"fmt"
	"go/ast"
	"go/doc"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/probe"
)

type example struct {
	f         *file
	decl      *ast.FuncDecl
	output    string
	unordered bool
}

// findExamples collects the examples of a file that the go command would run.
func (w *testPackage) findExamples(f *file) {
	for _, e := range doc.Examples(f.syntax) {
		if e.Output == "" && !e.EmptyOutput {
			continue
		}
		for _, n := range w.kept[f] {
			fn, ok := n.(*ast.FuncDecl)
			if ok && fn.Recv == nil && fn.Name.Name == "Example"+e.Name && fn.Type.TypeParams == nil {
				w.examples = append(w.examples, example{f, fn, e.Output, e.Unordered})
			}
		}
	}
}

// addExamples makes each example a test, in a file of its own, because package
// testing does not repeat examples.
func (w *testPackage) addExamples() {
	if len(w.examples) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t%s \"testing\"\n\t%s %q\n)\n",
		w.files[0].syntax.Name.Name, w.names.testing, w.names.probe, probe.Path)
	for _, e := range w.examples {
		source := e.decl.Name.Name
		name := "TestIsodelta_" + source
		for w.declared(name) {
			name += "_"
		}
		test := w.addTest(e.f, e.decl, "example", name)
		// The comment with the output is an expectation like any other.
		key := e.f.rel + ":" + source
		test.Digest = w.uses.digest(append([]string{key}, test.Uses...), e.output)
		site := w.site(e.f, e.decl.Pos(), "output of "+source, source)
		fmt.Fprintf(&b, "\nfunc %s(t *%s.T) {\n\tdefer %s.T(t)()\n\t%s.E(t, %d, %s, %s, %t, true)\n}\n",
			name, w.names.testing, w.names.probe, w.names.probe, site, source, strconv.Quote(e.output), e.unordered)
	}
	stem := "isodelta_examples"
	if w.external {
		stem = "isodelta_external_examples"
	}
	w.suite.Files[w.addedFile(stem)] = []byte(b.String())
}

func (w *testPackage) declared(name string) bool {
	return w.pkg.Types.Scope().Lookup(name) != nil ||
		slices.ContainsFunc(w.suite.Tests, func(t Test) bool { return t.Package == w.path && t.Name == name })
}

//go:build go1.21

package gosource

import (
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// inputSource is what a test declares in place of harness.Input. Packages stand before their names in parentheses.
const inputSource = `// givenInput has the standard input give a text, as long as the test runs.
func givenInput(t *(testing)T, text string) {
	r, w, err := (os)Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.WriteString(text)
	w.Close()
	before := (os)Stdin
	t.Cleanup(func() { (os)Stdin = before })
	(os)Stdin = r
}
`

// givenInput names the function that stands for harness.GivenInput.
func (w *writer) givenInput() string {
	return w.declaring(harness.GivenInput, inputSource, "os", "testing")
}

// startedInSource is what a test declares in place of harness.StartIn: (*testing.T).Chdir is not in all versions of Go.
const startedInSource = `// startedIn makes a folder the working directory, as long as the test runs.
func startedIn(t *(testing)T, folder string) {
	before, err := (os)Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := (os)Chdir(folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { (os)Chdir(before) })
}
`

// startedIn names the function that stands for harness.StartIn.
func (w *writer) startedIn() string {
	return w.declaring(harness.StartedIn, startedInSource, "os", "testing")
}

// assign writes a step that sets an exported variable, until the test ends.
func (w *writer) assign(op *harness.Operation, s wire.Step) {
	ident, star := strings.CutPrefix(op.Expr, "*")
	name := w.qualified(op.Package, "", ident) + ident
	if star {
		name = "*" + name
	}
	t := op.In[0]
	w.lines = append(w.lines,
		statement{with: "defer func(before " + w.typ(t) + ") { " + name + " = before }(" + name + ")"},
		statement{with: name + " = " + w.expr(s.Args[0], t, typed)})
}

//go:build go1.21

package gosource

import (
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

// commandSource gives a function that reads the command line one.
const commandSource = `// NAME calls FUNCTION with a command line.
func NAME(args ...string)RESULT {
	before := (os)Args
	defer func() { (os)Args = before }()
	(os)Args = append([]string{COMMAND}, args...)
	CALL()
}
`

// commandLine names the function that a test calls in place of one that reads the command line.
func (w *writer) commandLine(op *harness.Operation) string {
	call, result := w.qualified(op.Package, "", op.Expr)+op.Expr, ""
	name := "run" + strings.ToUpper(op.Expr[:1]) + op.Expr[1:]
	if len(op.Out) > 0 {
		result, call = " "+w.typ(op.Out[0]), "return "+call
	}
	source := strings.NewReplacer("NAME", name, "FUNCTION", op.Expr, "COMMAND", strconv.Quote(harness.CommandName(w.Package)), "RESULT", result, "CALL", call).Replace(commandSource)
	return w.declaring(name, source, "os")
}

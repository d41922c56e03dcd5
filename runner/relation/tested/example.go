package tested

import (
	"go/ast"
	"go/doc"
	"strings"
)

// exampleOutput is what an example is to print, false for functions that are no examples.
func exampleOutput(file *ast.File, fn *ast.FuncDecl) (string, bool) {
	if !strings.HasPrefix(fn.Name.Name, "Example") || fn.Recv != nil {
		return "", false
	}
	for _, e := range doc.Examples(file) {
		if "Example"+e.Name == fn.Name.Name {
			return e.Output, e.Output != "" && !e.Unordered
		}
	}
	return "", false
}

// example notes which lines that an example prints are true or false: those of
// fmt.Println with one argument, where every statement at the top prints one line.
func (w *walker) example(body *ast.BlockStmt, output string) {
	w.prints = map[*ast.CallExpr]bool{}
	lines := strings.Split(strings.TrimSpace(output), "\n")
	var calls []*ast.CallExpr
	for _, s := range body.List {
		x, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		if call, ok := x.X.(*ast.CallExpr); ok && (w.isFunction(call, "fmt", "Println") || w.isFunction(call, "fmt", "Printf") || w.isFunction(call, "fmt", "Print")) {
			calls = append(calls, call)
		}
	}
	if len(calls) != len(lines) {
		return
	}
	for i, call := range calls {
		line := strings.TrimSpace(lines[i])
		if w.isFunction(call, "fmt", "Println") && len(call.Args) == 1 && (line == "true" || line == "false") {
			w.prints[call] = line == "true"
		}
	}
}

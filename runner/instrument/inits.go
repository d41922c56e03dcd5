package instrument

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// isInit reports whether a function with a body is one that initialises its package.
func isInit(fn *ast.FuncDecl) bool { return fn.Recv == nil && fn.Name.Name == "init" }

// endsProcess are functions that end the process without a panic.
var endsProcess = []string{"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln"}

// leaveInit has an init function end alone where the process would end with it, in processes that are started for
// that: see probe.LeaveInit. Where it ends the process itself, it asks the probe first, since not every run time
// tells of it.
func (f *file) leaveInit(fn *ast.FuncDecl, info *types.Info, n names) {
	f.edits.open(f.offset(fn.Body.Lbrace)+1, "defer "+n.probe+".LeaveInit();")
	leave := func(list []ast.Stmt) {
		for _, s := range list {
			if ends(s, info) {
				f.edits.open(f.offset(s.Pos()), n.probe+".EndInit();")
			}
		}
	}
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			leave(x.List)
		case *ast.CaseClause:
			leave(x.Body)
		case *ast.CommClause:
			leave(x.Body)
		}
		return true
	})
}

// ends reports whether a statement is a call that ends the process.
func ends(s ast.Stmt, info *types.Info) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	callee := typeutil.StaticCallee(info, call)
	return callee != nil && slices.Contains(endsProcess, callee.FullName())
}

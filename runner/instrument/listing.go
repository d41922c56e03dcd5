package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (w *testPackage) addTest(f *file, fn *ast.FuncDecl, kind, name string) *Test {
	key := f.rel + ":" + functionName(fn)
	uses := w.uses.from(key)
	w.suite.Tests = append(w.suite.Tests, Test{
		Package: w.path, Name: name, Kind: kind, Source: fn.Name.Name,
		File: f.rel, Line: f.line(fn.Pos()), EndLine: f.line(fn.End()),
		External: w.external, Parallel: w.parallel(fn), Reason: w.incomparable(fn),
		Uses: uses, Digest: w.uses.digest(append([]string{key}, uses...), ""),
	})
	return &w.suite.Tests[len(w.suite.Tests)-1]
}

// parallel holds for a test that calls t.Parallel itself, not in a subtest.
func (w *testPackage) parallel(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || w.calleeName(n) == "(*testing.T).Parallel"
		}
		return !found
	})
	return found
}

func (w *testPackage) calleeName(n *ast.CallExpr) string {
	if fn := w.callee(n); fn != nil {
		return fn.FullName()
	}
	return ""
}

// measures are functions whose results depend on how code was built and on
// what else the process does.
var measures = map[string]string{
	"testing.AllocsPerRun":      "counts allocations",
	"testing.Benchmark":         "measures time",
	"runtime.ReadMemStats":      "counts allocations",
	"runtime/debug.ReadGCStats": "counts allocations",
}

// incomparable says why a test cannot be compared, judged by its own body.
func (w *testPackage) incomparable(fn *ast.FuncDecl) string {
	reason := ""
	elapsed := map[types.Object]bool{}
	isElapsed := func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			return w.calleeName(e) == "time.Since"
		case *ast.Ident:
			return elapsed[w.info.Uses[e]]
		}
		return false
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if why, ok := measures[w.calleeName(n)]; ok && reason == "" {
				reason = why + " (" + w.calleeName(n) + ")"
			}
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if id, ok := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident); ok && isElapsed(r) {
					if obj := w.info.ObjectOf(id); obj != nil {
						elapsed[obj] = true
					}
				}
			}
		case *ast.BinaryExpr:
			ordered := n.Op == token.LSS || n.Op == token.LEQ || n.Op == token.GTR || n.Op == token.GEQ
			if ordered && reason == "" && (isElapsed(n.X) || isElapsed(n.Y)) {
				reason = "measures time (time.Since)"
			}
		}
		return true
	})
	return reason
}

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

// parallel reports whether a test calls t.Parallel itself, not in a subtest.
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
	clock := &stopwatch{w, map[types.Object]bool{}, map[types.Object]bool{}}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if why, ok := measures[w.calleeName(n)]; ok && reason == "" {
				reason = why + " (" + w.calleeName(n) + ")"
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i := range n.Rhs {
					clock.assign(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.BinaryExpr:
			if reason == "" && ordered(n.Op) && (clock.elapsed(n.X) || clock.elapsed(n.Y)) {
				reason = "measures time"
			}
		}
		return true
	})
	return reason
}

func ordered(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

// stopwatch follows what time.Now gives through the variables of a function,
// to tell a test that measures time from one that only logs it.
type stopwatch struct {
	w          *testPackage
	now, spent map[types.Object]bool
}

func (s *stopwatch) assign(to, from ast.Expr) {
	id, ok := to.(*ast.Ident)
	if !ok {
		return
	}
	if obj := s.w.info.ObjectOf(id); obj != nil {
		s.now[obj] = s.now[obj] || s.instant(from)
		s.spent[obj] = s.spent[obj] || s.elapsed(from)
	}
}

// instant reports whether an expression is time.Now() or a variable that was
// assigned it.
func (s *stopwatch) instant(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return s.w.calleeName(e) == "time.Now"
	case *ast.Ident:
		return s.now[s.w.info.ObjectOf(e)]
	}
	return false
}

// elapsed reports whether an expression is the time since such an instant.
func (s *stopwatch) elapsed(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if fun, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && s.w.calleeName(e) == "(time.Time).Sub" {
			return s.instant(fun.X) || s.instant(e.Args[0])
		}
		return s.w.calleeName(e) == "time.Since"
	case *ast.Ident:
		return s.spent[s.w.info.ObjectOf(e)]
	}
	return false
}

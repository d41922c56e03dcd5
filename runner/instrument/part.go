package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/load"
)

// A part is what can be left out of a declaration so that the rest means what it meant: an element of a
// list or a map, which is mostly a row of a table of tests, or a subtest. It stands on lines of its own.
type part struct {
	name     string // unique in the file
	unit     string // the declaration's name
	node     ast.Node
	of       int // parts that the declaration has
	from, to int // lines
}

// parts lists the parts of the units of a file.
func parts(f *ast.File, line func(token.Pos) int) []part {
	var out []part
	for _, u := range units(f) {
		first := len(out)
		add := func(kind string, n ast.Node) {
			at := line(n.Pos())
			out = append(out, part{name: fmt.Sprintf("%s: %s of line %d", u.name, kind, at), unit: u.name, node: n, from: at, to: line(n.End())})
		}
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				for i, e := range elements(n) {
					if standsAlone(n, i, line) {
						add("row", e)
					}
				}
			case *ast.ExprStmt:
				if isSubtest(n) {
					add("subtest", n)
				}
			}
			return true
		})
		for i := first; i < len(out); i++ {
			out[i].of = len(out) - first
		}
	}
	return out
}

// elements are those of a list or a map, whose type is written down.
func elements(n *ast.CompositeLit) []ast.Expr {
	switch n.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		return n.Elts
	}
	return nil
}

// standsAlone reports whether no other element stands on a line of element i.
func standsAlone(n *ast.CompositeLit, i int, line func(token.Pos) int) bool {
	return line(n.Lbrace) < line(n.Elts[i].Pos()) &&
		(i == 0 || line(n.Elts[i-1].End()) < line(n.Elts[i].Pos())) &&
		(i+1 == len(n.Elts) || line(n.Elts[i].End()) < line(n.Elts[i+1].Pos()))
}

// isSubtest reports whether a statement is a call like t.Run("name", func(t *testing.T) { … }).
func isSubtest(s *ast.ExprStmt) bool {
	call, ok := s.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	_, lit := call.Args[1].(*ast.FuncLit)
	return ok && lit && sel.Sel.Name == "Run"
}

// PartAt tells which part of a declaration of a test file holds a line: the smallest, so that an error of
// the compiler can be mended by dropping that alone. Of as many parts of the declaration it is one.
func PartAt(t *load.Tree, rel string, line int) (name string, of int, ok bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(t.Root, filepath.FromSlash(rel)), nil, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil || err != nil {
		return "", 0, false
	}
	var best part
	for _, p := range parts(f, func(p token.Pos) int { return fset.PositionFor(p, false).Line }) {
		if p.from <= line && line <= p.to && (!ok || p.to-p.from < best.to-best.from) {
			best, ok = p, true
		}
	}
	return best.name, best.of, ok
}

// leaveOutPart blanks a part, with the comma behind it.
func (f *file) leaveOutPart(p part) {
	from, to := f.offset(p.node.Pos()), f.offset(p.node.End())
	if to < len(f.src) && f.src[to] == ',' {
		to++
	}
	f.edits.blank(f.src, from, to)
}

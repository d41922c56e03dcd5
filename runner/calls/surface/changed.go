package surface

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/load"
)

// changed takes in what stands in changed functions of a package and of those of its module that
// it imports, and what only one version's code of these contains. An edit seldom brings the
// character that it treats otherwise: mostly the function has it already.
func (c *collection) changed(trees [2]*load.Tree, pkg string, change Change) {
	for _, path := range within(trees[1], pkg, change.Packages) {
		var of [2]*collection
		for i, t := range trees {
			of[i] = newCollection()
			p := find(t, path)
			if p == nil || p.Code == nil {
				continue
			}
			if path != pkg { // whose own are taken in by who asks
				of[i].pkg(p.Code, nil)
			}
			c.functions(t, p.Code, change.Functions[i])
		}
		c.only(of[0], of[1])
		c.only(of[1], of[0])
	}
}

// within are the changed packages among pkg and what it imports.
func within(t *load.Tree, pkg string, changed map[string]bool) []string {
	var out []string
	seen := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		p := find(t, path)
		if seen[path] || p == nil || p.Code == nil {
			return
		}
		seen[path] = true
		if changed[path] {
			out = append(out, path)
		}
		for _, to := range slices.Sorted(maps.Keys(p.Code.Imports)) {
			visit(to)
		}
	}
	visit(pkg)
	return out
}

// functions takes in what some functions of a package contain, and under which texts they are handed out.
func (c *collection) functions(t *load.Tree, p *packages.Package, at map[load.Place]bool) {
	expressions := expressionsOf(p)
	own := newCollection()
	these := map[types.Object]bool{}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !at[t.Place(fn.Pos())] {
				continue
			}
			these[p.TypesInfo.Defs[fn.Name]] = true
			own.node(p, fn.Body)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					for _, e := range expressions[p.TypesInfo.Uses[n]] {
						own.matching(e)
					}
				case *ast.CallExpr:
					if e, ok := expressionOf(p.TypesInfo, n); ok {
						own.matching(e)
					}
				}
				return true
			})
		}
	}
	own.registered(p, these)
	c.all(own)
}

// maxExpressions is how many regular expressions of one variable are looked at, a table of them, say.
const maxExpressions = 12

// expressionsOf returns the regular expressions that variables of a package hold, by themselves or in a table.
func expressionsOf(p *packages.Package) map[types.Object][]string {
	out := map[types.Object][]string{}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok || len(v.Names) != len(v.Values) {
					continue
				}
				for i, value := range v.Values {
					var all []string
					ast.Inspect(value, func(n ast.Node) bool {
						if call, ok := n.(*ast.CallExpr); ok {
							if e, ok := expressionOf(p.TypesInfo, call); ok {
								all = append(all, e)
							}
						}
						return true
					})
					out[p.TypesInfo.Defs[v.Names[i]]] = spread(all, maxExpressions)
				}
			}
		}
	}
	return out
}

// expressionOf returns the regular expression that a call compiles. It reports whether it is a
// constant.
func expressionOf(info *types.Info, call *ast.CallExpr) (string, bool) {
	f, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "regexp" || len(call.Args) == 0 {
		return "", false
	}
	switch f.Name() {
	case "MustCompile", "Compile", "MatchString", "Match":
	default:
		return "", false
	}
	v := info.Types[call.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// matching takes in texts that a regular expression matches.
func (c *collection) matching(expression string) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return
	}
	for n := range examples {
		var b strings.Builder
		e := example{turn: n}
		e.write(&b, parsed)
		if b.Len() > 0 {
			c.addText(b.String())
		}
	}
}

const (
	examples      = 8  // texts of one regular expression
	maxExpression = 80 // bytes of one
)

// example writes a text that a regular expression matches; turn decides between what it leaves open.
// The first one takes as little as there may be, and others more.
type example struct{ turn, choices int }

// choose returns a number below n.
func (e *example) choose(n int) int {
	e.choices++
	if e.turn == 0 {
		return 0
	}
	return (e.turn + e.turn*e.choices/2) % n
}

func (e *example) write(b *strings.Builder, x *syntax.Regexp) {
	if b.Len() > maxExpression {
		return
	}
	switch x.Op {
	case syntax.OpLiteral:
		b.WriteString(string(x.Rune))
	case syntax.OpCharClass:
		if len(x.Rune) > 1 {
			k := 2 * e.choose(len(x.Rune)/2)
			r := x.Rune[k]
			if span := x.Rune[k+1] - r; span > 0 {
				r += rune(e.choose(int(min(span, 26))))
			}
			if r == 0 && x.Rune[k+1] >= 'a' { // any but some
				r = 'a'
			}
			b.WriteRune(r)
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("a0- ."[e.choose(5)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range x.Sub {
			e.write(b, sub)
		}
	case syntax.OpAlternate:
		e.write(b, x.Sub[e.choose(len(x.Sub))])
	case syntax.OpStar, syntax.OpQuest:
		most := 2
		if x.Op == syntax.OpStar {
			most = 4
		}
		e.repeat(b, x.Sub[0], e.choose(most))
	case syntax.OpPlus:
		e.repeat(b, x.Sub[0], 1+e.choose(3))
	case syntax.OpRepeat:
		e.repeat(b, x.Sub[0], x.Min+e.choose(max(1, min(x.Max-x.Min, 2)+1)))
	}
}

func (e *example) repeat(b *strings.Builder, x *syntax.Regexp, n int) {
	for range n {
		e.write(b, x)
	}
}

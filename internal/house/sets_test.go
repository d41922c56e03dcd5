package house

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/report/event"
)

const eventPath = modulePath + "/report/event"

// TestClosedSets: whatever becomes a kind, verdict, state … of the stream, anywhere
// in the module, is one of the set's constants, spelled out or not.
func TestClosedSets(t *testing.T) {
	t.Parallel()
	all := load(t)
	sets := closedSets(all)
	if len(sets) < 10 {
		t.Fatalf("only %d closed sets found in package event", len(sets))
	}
	for _, p := range all {
		declared := declaredValues(p)
		for e, tv := range p.TypesInfo.Types {
			name, isSet := setName(tv.Type)
			if !isSet || sets[name] == nil {
				continue
			}
			at := p.Fset.Position(e.Pos())
			if tv.Value == nil {
				if converts(p, e) && p.PkgPath != eventPath {
					t.Errorf("%s: a text becomes an event.%s; nobody can say that it is a member", at, name)
				}
				continue
			}
			if _, isName := e.(*ast.Ident); isName || declared[e] {
				continue // a constant with a name is meant, as are the groups of package report
			}
			if text := constant.StringVal(tv.Value); text != "" && p.PkgPath != eventPath && !slices.Contains(sets[name], text) {
				t.Errorf("%s: %q is no member of event.%s", at, text, name)
			}
		}
	}
}

// declaredValues are the expressions that give constants their values.
func declaredValues(p *packages.Package) map[ast.Expr]bool {
	values := map[ast.Expr]bool{}
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			if gen, ok := n.(*ast.GenDecl); ok && gen.Tok == token.CONST {
				for _, spec := range gen.Specs {
					for _, v := range spec.(*ast.ValueSpec).Values {
						values[v] = true
					}
				}
			}
			return true
		})
	}
	return values
}

// TestLimitsAreWritten: each kind of limits is written by something, and each limit
// that is written has a kind of the set.
func TestLimitsAreWritten(t *testing.T) {
	t.Parallel()
	written := map[event.LimitKind]bool{}
	for _, p := range load(t) {
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.CompositeLit)
				if !ok || !isLimit(p.TypesInfo.TypeOf(lit)) {
					return true
				}
				kind := kindOf(p, lit)
				if kind == "" {
					t.Errorf("%s: the kind of this limit is no constant", p.Fset.Position(lit.Pos()))
				}
				written[kind] = true
				return true
			})
		}
	}
	for _, k := range event.LimitKinds() {
		if !written[k] {
			t.Errorf("no limit of kind %q is written", k)
		}
		delete(written, k)
	}
	for k := range written {
		t.Errorf("a limit of kind %q is written, which is no member", k)
	}
}

func isLimit(of types.Type) bool {
	named, ok := of.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == eventPath && named.Obj().Name() == "Limit"
}

// kindOf returns the kind that a literal of a limit names, "" where that is no
// constant.
func kindOf(p *packages.Package, lit *ast.CompositeLit) event.LimitKind {
	for _, e := range lit.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return "" // fields without names
		}
		if key, isName := field.Key.(*ast.Ident); !isName || key.Name != "Kind" {
			continue
		}
		if v := p.TypesInfo.Types[field.Value].Value; v != nil {
			return event.LimitKind(constant.StringVal(v))
		}
	}
	return ""
}

// closedSets returns the constants of each string type of package event.
func closedSets(all []*packages.Package) map[string][]string {
	sets := map[string][]string{}
	for _, p := range all {
		if p.PkgPath != eventPath {
			continue
		}
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			c, ok := scope.Lookup(name).(*types.Const)
			if !ok || !token.IsExported(name) {
				continue
			}
			if of, isSet := setName(c.Type()); isSet {
				sets[of] = append(sets[of], constant.StringVal(c.Val()))
			}
		}
	}
	return sets
}

// setName returns the name of a string type of package event.
func setName(of types.Type) (string, bool) {
	named, ok := of.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != eventPath {
		return "", false
	}
	basic, ok := named.Underlying().(*types.Basic)
	return named.Obj().Name(), ok && basic.Kind() == types.String
}

// converts reports whether an expression makes a member of some other text.
func converts(p *packages.Package, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && len(call.Args) == 1 && p.TypesInfo.Types[call.Fun].IsType()
}

package surface

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

const (
	maxWords    = 80 // names of flags, options and commands
	longestName = 32 // bytes of such a name
)

// words registers the names of flags, options and commands, of which command lines are made,
// where a function takes a list of texts.
func (w *writer) words() {
	if !slices.ContainsFunc(w.api.ops, func(o Operation) bool { return slices.ContainsFunc(o.params, isTexts) }) {
		return
	}
	found := wordNames{}
	for _, p := range w.head.tree.Packages {
		if p.Code != nil && (p.Path == w.api.Package || w.head.pkg.Code.Imports[p.Path] != nil) {
			found.in(p.Code)
		}
	}
	for _, p := range []*packages.Package{w.head.pkg.Test, w.head.pkg.XTest} {
		if p != nil {
			found.in(p)
		}
	}
	if len(found) == 0 {
		return
	}
	var list []string
	for _, s := range spread(slices.Sorted(maps.Keys(found)), maxWords) {
		list = append(list, strconv.Quote(s))
	}
	w.line(-1, "%s", fmt.Sprintf("isodeltaH.Words(%s)", strings.Join(list, ", ")))
}

// isTexts reports whether a type is a list of texts.
func isTexts(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// wordNames are names of flags, options and commands.
type wordNames map[string]bool

// in takes in those that a package registers: texts given to functions that are named after
// flags, variables or options, fields of values of such types, and tags of structs.
func (found wordNames) in(p *packages.Package) {
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if registers(p, n) {
					found.first(p, n.Args)
				}
			case *ast.CompositeLit:
				if t := p.TypesInfo.TypeOf(n); t != nil && isOption(t) {
					found.fields(p, n)
				}
			case *ast.StructType:
				found.tags(n)
			}
			return true
		})
	}
}

func (found wordNames) add(s string) {
	s = strings.TrimLeft(s, "-")
	if s != "" && len(s) <= longestName && strings.Trim(s, "-_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" {
		found[s] = true
	}
}

// first takes in the first constant text of a call, and what follows it where that is one letter.
func (found wordNames) first(p *packages.Package, args []ast.Expr) {
	n := 0
	for _, a := range args {
		s, ok := constantText(p, a)
		switch {
		case ok && n == 0, ok && n == 1 && len(s) == 1:
			found.add(s)
			n++
		case n > 0:
			return
		}
	}
}

// fields takes in the fields of a literal that hold names.
func (found wordNames) fields(p *packages.Package, l *ast.CompositeLit) {
	for _, e := range l.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok || !slices.Contains([]string{"Name", "Aliases", "Short", "Long"}, key.Name) {
			continue
		}
		if list, ok := kv.Value.(*ast.CompositeLit); ok {
			for _, e := range list.Elts {
				if s, ok := constantText(p, e); ok {
					found.add(s)
				}
			}
		} else if s, ok := constantText(p, kv.Value); ok {
			// Some say "name, n" at once.
			for _, s := range strings.Split(s, ", ") {
				found.add(s)
			}
		}
	}
}

// tags takes in the names that tags give to the fields of a struct.
func (found wordNames) tags(s *ast.StructType) {
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue
		}
		for _, key := range []string{"long", "short", "name"} {
			found.add(reflect.StructTag(text).Get(key))
		}
	}
}

// registers reports whether a call's function is named after what it registers, or one of a
// package or a type of flags.
func registers(p *packages.Package, call *ast.CallExpr) bool {
	f, ok := typeutil.Callee(p.TypesInfo, call).(*types.Func)
	if !ok {
		return false
	}
	return namesOption(f.Name()) || strings.Contains(f.Name(), "Var") || f.Pkg() != nil && strings.HasSuffix(f.Pkg().Name(), "flag")
}

// isOption reports whether a type is named after flags, options or commands.
func isOption(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && (namesOption(n.Obj().Name()) || strings.Contains(strings.ToLower(n.Obj().Name()), "command"))
}

func namesOption(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "flag") || strings.Contains(name, "option")
}

func constantText(p *packages.Package, e ast.Expr) (string, bool) {
	v := p.TypesInfo.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

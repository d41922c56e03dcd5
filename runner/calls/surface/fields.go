package surface

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A field is a header field that code names, with a value that stands beside the name: what the
// field's is compared with, or what is sent. value is "" where only the name is said.
type field struct {
	name, value string
	ofAnswer    bool // an answer's, not a request's
}

const (
	maxHeaderFields = 200 // of one package under test
	maxFieldText    = 128 // bytes of a name or a value
	nearTheChange   = 4   // times one is registered that only one version has
)

// fields registers the header fields that the package and its tests name.
func (w *writer) fields() {
	base, head := headerFields(w.base.pkg.Code), headerFields(w.head.pkg.Code)
	all := headerFields(w.head.pkg.Test, w.head.pkg.XTest)
	for f := range base {
		all[f] = true
	}
	for f := range head {
		all[f] = true
	}
	changed := func(f field) bool { return base[f] != head[f] }
	list := slices.SortedFunc(maps.Keys(all), func(a, b field) int {
		return cmp.Or(falseFirst(!changed(a), !changed(b)), cmp.Compare(a.name, b.name), cmp.Compare(a.value, b.value), falseFirst(a.ofAnswer, b.ofAnswer))
	})
	for i, f := range list[:min(len(list), maxHeaderFields)] {
		times := 1
		if changed(f) && i < maxHeaderFields/10 {
			times = nearTheChange
		}
		for range times {
			w.line(-1, "isodeltaH.Field(%q, %q, %t)", f.name, f.value, f.ofAnswer)
		}
	}
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// headerFields are the header fields that packages name.
func headerFields(list ...*packages.Package) map[field]bool {
	found := map[field]bool{}
	for _, p := range list {
		if p == nil {
			continue
		}
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				s := fieldSearch{info: p.TypesInfo, holds: map[types.Object]field{}, found: found}
				each(d, s.holders)
				each(d, s.values)
			}
		}
	}
	return found
}

// each calls do for all nodes below one.
func each(n ast.Node, do func(ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		do(n)
		return true
	})
}

// fieldSearch looks for header fields in one declaration.
type fieldSearch struct {
	info  *types.Info
	holds map[types.Object]field // variables with the value of a field, or with a part of it
	found map[field]bool
}

// add notes a field, and the value that stands beside it.
func (s *fieldSearch) add(f field, value string) {
	f.value = strings.TrimSpace(value)
	if len(f.value) <= maxFieldText {
		s.found[f] = true
	}
}

// holders notes the variables that values of fields are assigned to.
func (s *fieldSearch) holders(n ast.Node) {
	note := func(to, from ast.Expr) {
		id, ok := to.(*ast.Ident)
		if !ok {
			return
		}
		o := s.info.ObjectOf(id)
		if f, ok := s.read(from); ok && o != nil {
			s.holds[o] = f
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			note(to, n.Rhs[min(i, len(n.Rhs)-1)])
		}
	case *ast.ValueSpec:
		for i, to := range n.Names {
			if len(n.Values) > 0 {
				note(to, n.Values[min(i, len(n.Values)-1)])
			}
		}
	case *ast.RangeStmt:
		if n.Value != nil {
			note(n.Value, n.X)
		}
	}
}

// values notes fields where they are read or written, with what their values are compared with.
func (s *fieldSearch) values(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			s.beside(n.X, n.Y)
			s.beside(n.Y, n.X)
		}
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				s.beside(n.Tag, e)
			}
		}
	case *ast.CallExpr:
		if f, both, ok := s.named(n); ok {
			value := ""
			if len(n.Args) > 1 {
				value, _ = s.text(n.Args[1])
			}
			s.add(f, value)
			if f.ofAnswer = !f.ofAnswer; both {
				s.add(f, value)
			}
			break
		}
		if name, ok := s.cookie(n); ok {
			s.add(field{name: "Cookie"}, name+"=a")
		}
		for i, a := range n.Args {
			for k, other := range n.Args {
				if i != k {
					s.beside(a, other)
				}
			}
		}
	case *ast.IndexExpr:
		if f, ok := s.indexed(n); ok {
			s.add(f, "")
		}
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok && strings.Contains(strings.ToLower(id.Name), "header") {
			s.table(n.Value)
		}
	case *ast.CompositeLit:
		if isHeader(s.info.TypeOf(n)) {
			s.table(n)
		}
	}
}

// beside notes a text that stands beside a field's value.
func (s *fieldSearch) beside(value, text ast.Expr) {
	if value == nil {
		return
	}
	t, ok := s.text(text)
	if !ok {
		return
	}
	if f, ok := s.read(value); ok {
		s.add(f, t)
	}
}

// table notes the fields of a map's literal.
func (s *fieldSearch) table(e ast.Expr) {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, ok := s.text(kv.Key)
		if !ok || !isToken(name) {
			continue
		}
		values := []ast.Expr{kv.Value}
		if list, ok := kv.Value.(*ast.CompositeLit); ok {
			values = list.Elts
		}
		for _, v := range values {
			if value, ok := s.text(v); ok {
				s.add(field{name: name}, value)
			}
		}
	}
}

// read finds in an expression the value of a field.
func (s *fieldSearch) read(e ast.Expr) (f field, ok bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if ok {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			f, _, ok = s.named(n)
		case *ast.IndexExpr:
			f, ok = s.indexed(n)
		case *ast.Ident:
			f, ok = s.holds[s.info.ObjectOf(n)]
		}
		return !ok
	})
	return f, ok
}

// indexed is the field by whose name a header is indexed.
func (s *fieldSearch) indexed(e *ast.IndexExpr) (field, bool) {
	name, ok := s.text(e.Index)
	if !ok || !isToken(name) || !isHeader(s.info.TypeOf(e.X)) {
		return field{}, false
	}
	return field{name: name, ofAnswer: s.answers(e.X)}, true
}

// named is the field that a call gets or sets: of a header, or by a function that has header in
// its name. both says that nobody knows whether requests or answers have the field.
func (s *fieldSearch) named(call *ast.CallExpr) (f field, both, ok bool) {
	if len(call.Args) == 0 {
		return f, false, false
	}
	if f.name, ok = s.text(call.Args[0]); !ok || !isToken(f.name) {
		return f, false, false
	}
	how := ""
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		if isHeader(s.info.TypeOf(fun.X)) {
			f.ofAnswer = s.answers(fun.X)
			return f, false, true
		}
		how = fun.Sel.Name
	case *ast.Ident:
		how = fun.Name
	}
	return f, !strings.HasPrefix(how, "Get"), strings.Contains(how, "Header")
}

// cookie is the name of the cookie that a call asks a request for.
func (s *fieldSearch) cookie(call *ast.CallExpr) (name string, ok bool) {
	fun, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "Cookie" || len(call.Args) != 1 {
		return "", false
	}
	name, ok = s.text(call.Args[0])
	return name, ok && isToken(name)
}

// answers reports whether a header is an answer's: what the method of a ResponseWriter gives, or
// the field of a Response.
func (s *fieldSearch) answers(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return true
	case *ast.SelectorExpr:
		t := s.info.TypeOf(e.X)
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		n, ok := t.(*types.Named)
		return ok && strings.Contains(n.Obj().Name(), "Response")
	}
	return false
}

// text is the constant text that an expression stands for.
func (s *fieldSearch) text(e ast.Expr) (string, bool) {
	v := s.info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// isHeader reports whether a type is that of header fields, of package net/http or of another one.
func isHeader(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !strings.HasSuffix(n.Obj().Name(), "Header") {
		return false
	}
	m, ok := n.Underlying().(*types.Map)
	return ok && types.TypeString(m.Key(), nil) == "string"
}

// isToken reports whether a text can be the name of a header field.
func isToken(s string) bool {
	return s != "" && len(s) <= maxFieldText && strings.IndexFunc(s, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

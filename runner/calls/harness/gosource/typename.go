//go:build go1.21

package gosource

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// typ writes a type down.
func (w *writer) typ(t reflect.Type) string {
	if name := t.Name(); name != "" {
		if t.PkgPath() == "" {
			if name == "uint8" {
				return "byte"
			}
			return name
		}
		if harness.IsStub(t) && t.PkgPath() == w.Package {
			return w.stub(t)
		}
		if strings.Contains(name, "·") {
			return w.fail("%s is declared in a function", t)
		}
		short := t.String()
		if i := strings.IndexByte(short, '['); i >= 0 {
			short = short[:i]
		}
		pkg, ident := "", name
		if i := strings.IndexByte(short, '.'); i >= 0 {
			pkg = short[:i]
		}
		args := ""
		if i := strings.IndexByte(name, '['); i >= 0 {
			ident, args = name[:i], w.typeArguments(name[i:])
		}
		return w.qualified(t.PkgPath(), pkg, ident) + ident + args
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + w.typ(t.Elem())
	case reflect.Slice:
		return "[]" + w.element(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), w.element(t.Elem()))
	case reflect.Map:
		return "map[" + w.element(t.Key()) + "]" + w.element(t.Elem())
	case reflect.Chan:
		e := w.element(t.Elem())
		switch t.ChanDir() {
		case reflect.RecvDir:
			return "<-chan " + e
		case reflect.SendDir:
			return "chan<- " + e
		}
		if strings.HasPrefix(e, "<-") {
			e = "(" + e + ")"
		}
		return "chan " + e
	case reflect.Func:
		return "func" + w.signature(t, nil)
	case reflect.Interface:
		return w.interfaceType(t)
	case reflect.Struct:
		return w.structType(t)
	}
	return w.fail("%s cannot be written down", t)
}

// element writes a type that stands in another one. An int32 there is most
// often a rune.
func (w *writer) element(t reflect.Type) string {
	if t == runeType {
		return "rune"
	}
	return w.typ(t)
}

var runeType = reflect.TypeOf(rune(0))

// signature writes parameters, with names if there are some, and results.
func (w *writer) signature(t reflect.Type, names []string) string {
	var in, out []string
	for i := 0; i < t.NumIn(); i++ {
		p := ""
		if t.IsVariadic() && i == t.NumIn()-1 {
			p = "..." + w.element(t.In(i).Elem())
		} else {
			p = w.element(t.In(i))
		}
		if names != nil {
			p = names[i] + " " + p
		}
		in = append(in, p)
	}
	for i := 0; i < t.NumOut(); i++ {
		out = append(out, w.element(t.Out(i)))
	}
	s := "(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return s
	case 1:
		return s + " " + out[0]
	}
	return s + " (" + strings.Join(out, ", ") + ")"
}

func (w *writer) interfaceType(t reflect.Type) string {
	if t.NumMethod() == 0 {
		if t.Comparable() && t != anyType && t.String() != "interface {}" {
			return w.fail("%s cannot be written down", t)
		}
		return "any"
	}
	var parts []string
	for i := 0; i < t.NumMethod(); i++ {
		m := t.Method(i)
		w.member(m.PkgPath)
		parts = append(parts, m.Name+w.signature(m.Type, nil))
	}
	return "interface { " + strings.Join(parts, "; ") + " }"
}

var anyType = reflect.TypeOf((*any)(nil)).Elem()

func (w *writer) structType(t reflect.Type) string {
	if t.NumField() == 0 {
		return "struct{}"
	}
	var parts []string
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		w.member(f.PkgPath)
		s := ""
		if f.Anonymous {
			s = w.embedded(f)
		} else {
			s = f.Name + " " + w.element(f.Type)
		}
		if f.Tag != "" {
			s += " " + quoted(string(f.Tag), true)
		}
		parts = append(parts, s)
	}
	return "struct { " + strings.Join(parts, "; ") + " }"
}

// embedded writes the type of an embedded field. What has no name of its own is declared
// under the field's in front of the test's statements.
func (w *writer) embedded(f reflect.StructField) string {
	t, star := f.Type, ""
	if t.Kind() == reflect.Pointer {
		t, star = t.Elem(), "*"
	}
	if t.Name() != "" {
		return star + w.element(t)
	}
	text := "type " + f.Name + " = " + w.typ(t)
	for _, l := range w.locals {
		if l == text {
			return star + f.Name
		}
		if strings.HasPrefix(l, "type "+f.Name+" = ") {
			return w.fail("two structs are embedded as %s", f.Name)
		}
	}
	w.locals = append(w.locals, text)
	w.own[f.Name] = true
	return star + f.Name
}

// member says that an unexported member of package path is named.
func (w *writer) member(path string) {
	switch {
	case path == "":
	case unvendored(path) == w.Package:
		w.internal = true
	case unvendored(path) == w.Package+externalSuffix:
		w.external = true
	default:
		w.fail("an unexported name of %s is needed", path)
	}
}

const externalSuffix = "_test"

// qualified returns the qualifier of an identifier and notes what the code has
// to import for it. pkg is the package's name, "" if it has to be guessed.
func (w *writer) qualified(path, pkg, ident string) string {
	path = unvendored(path)
	first := firstName(ident)
	switch path {
	case "":
		return w.fail("%s has no package", ident)
	case w.Package + externalSuffix:
		w.external = true
		w.own[first] = true
		return ""
	case w.Package:
		if !exportedName(ident) {
			w.internal = true
		}
		w.own[first] = true
	default:
		if !exportedName(ident) {
			return w.fail("%s is not exported by %s", ident, path)
		}
		if !w.mayImport(path) {
			return w.fail("package %s is internal to another module", path)
		}
	}
	w.imported(path, pkg)
	return wire.Qualifier(path)
}

// std is a package of the standard library, under the name it declares.
func (w *writer) std(path string) string {
	return w.qualified(path, path[strings.LastIndexByte(path, '/')+1:], "X")
}

func (w *writer) imported(path, pkg string) {
	if _, ok := w.packages[path]; ok {
		return
	}
	if pkg == "" {
		pkg = w.packageName(path)
	}
	taken := map[string]bool{}
	for _, n := range w.packages {
		taken[n] = true
	}
	w.packages[path] = fresh(pkg, taken)
}

// mayImport reports whether a package may import another, by the rule for
// folders called internal.
func (w *writer) mayImport(path string) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return true
	}
	root := strings.TrimSuffix(path[:i], "/")
	return root != "" && (w.Package == root || strings.HasPrefix(w.Package, root+"/"))
}

// packageName finds out what a package calls itself: a type of it tells,
// otherwise it is guessed from the path.
func (w *writer) packageName(path string) string {
	for _, t := range w.Types {
		for t.Name() == "" && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map) {
			t = t.Elem()
		}
		if t.Name() != "" && unvendored(t.PkgPath()) == path {
			if i := strings.IndexByte(t.String(), '.'); i > 0 {
				return t.String()[:i]
			}
		}
	}
	return wire.GuessPackageName(path)
}

func unvendored(path string) string {
	if i := strings.LastIndex("/"+path, "/vendor/"); i >= 0 {
		return path[i+len("vendor/"):]
	}
	return path
}

// typeArguments rewrites the instantiation in a type's name, where import
// paths stand in front of names.
func (w *writer) typeArguments(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !pathRune(r) {
			if r == ',' {
				b.WriteString(", ")
			} else {
				b.WriteRune(r)
			}
			i += n
			continue
		}
		j := i
		for j < len(s) {
			r, n := utf8.DecodeRuneInString(s[j:])
			if !pathRune(r) {
				break
			}
			j += n
		}
		word := s[i:j]
		i = j
		if strings.HasPrefix(word, "...") {
			b.WriteString("...")
			word = word[3:]
		}
		dot := strings.LastIndexByte(word, '.')
		switch {
		case strings.Contains(word, "·"):
			return w.fail("%s is declared in a function", word)
		case dot < 0:
			b.WriteString(word)
		default:
			path := strings.ReplaceAll(word[:dot], "%2e", ".")
			b.WriteString(w.qualified(path, "", word[dot+1:]) + word[dot+1:])
		}
	}
	return strings.ReplaceAll(b.String(), "interface {}", "any")
}

func pathRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_/.%~-·+!@", r)
}

// expression is an operation's expression behind its qualifier. Type arguments
// are qualified too: a bare name that Go does not declare itself is the
// package's own.
func (w *writer) expression(op *harness.Operation) string {
	i := strings.IndexByte(op.Expr, '[')
	if op.Expr == "" {
		return w.fail("%s has no name", op.Name)
	}
	if i < 0 {
		return op.Expr
	}
	var b strings.Builder
	b.WriteString(op.Expr[:i])
	rest := op.Expr[i:]
	for len(rest) > 0 {
		n := 0
		for n < len(rest) {
			r, k := utf8.DecodeRuneInString(rest[n:])
			if r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			n += k
		}
		if n == 0 {
			_, k := utf8.DecodeRuneInString(rest)
			b.WriteString(rest[:k])
			rest = rest[k:]
			continue
		}
		b.WriteString(w.typeWord(op, rest[:n]))
		rest = rest[n:]
	}
	return b.String()
}

// typeWord qualifies one word of a type argument.
func (w *writer) typeWord(op *harness.Operation, word string) string {
	if r, _ := utf8.DecodeRuneInString(word); unicode.IsDigit(r) || reserved[word] {
		return word
	}
	if i := strings.IndexByte(word, '.'); i >= 0 {
		path, ok := w.pathOf(word[:i])
		if !ok {
			return w.fail("%s: package %s is not known", op.Expr, word[:i])
		}
		return w.qualified(path, word[:i], word[i+1:]) + word[i+1:]
	}
	return w.qualified(op.Package, "", word) + word
}

// pathOf finds the import path of a package's name among the types known.
func (w *writer) pathOf(pkg string) (string, bool) {
	for _, t := range w.Types {
		if t.PkgPath() != "" && strings.HasPrefix(t.String(), pkg+".") {
			return unvendored(t.PkgPath()), true
		}
	}
	for _, op := range w.Ops {
		for _, ts := range [][]reflect.Type{op.In, op.Out} {
			for _, t := range ts {
				for t.Name() == "" && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
					t = t.Elem()
				}
				if t.PkgPath() != "" && strings.HasPrefix(t.String(), pkg+".") {
					return unvendored(t.PkgPath()), true
				}
			}
		}
	}
	return "", false
}

func firstName(expr string) string {
	for i, r := range expr {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return expr[:i]
		}
	}
	return expr
}

func exportedName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

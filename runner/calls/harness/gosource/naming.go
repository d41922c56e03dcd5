//go:build go1.21

package gosource

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// variable declares a variable and gives the mark that stands for its name.
// Names are given in the end, when it is known what they must not hide.
func (w *writer) variable(hint string) string {
	w.hints = append(w.hints, hint)
	return variableMark + strconv.Itoa(len(w.hints)-1) + variableMark
}

// names returns the variables that are used their names, by number, in the order
// of their declaration.
func (w *writer) names(used map[string]bool) map[string]string {
	taken := map[string]bool{}
	for n := range reserved {
		taken[n] = true
	}
	for _, n := range w.packages {
		taken[n] = true
	}
	for n := range w.own {
		taken[n] = true
	}
	w.declared(func(name string) { taken[name] = true })
	out := map[string]string{}
	for i, h := range w.hints {
		if n := strconv.Itoa(i); used[variableMark+n+variableMark] {
			out[n] = fresh(h, taken)
			taken[out[n]] = true
		}
	}
	return out
}

// declared are the names that the package under test is known to declare for
// itself. A check of the subject may name them.
func (w *writer) declared(f func(name string)) {
	named := func(t reflect.Type) {
		for t.Name() == "" && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
			t = t.Elem()
		}
		if t.PkgPath() == w.Package && !exportedName(t.Name()) {
			f(firstName(t.Name()))
		}
	}
	for _, t := range w.Types {
		named(t)
	}
	for _, op := range w.Ops {
		if op.Package == w.Package && !op.Method {
			f(firstName(op.Expr))
		}
		for _, t := range op.In {
			named(t)
		}
		for _, t := range op.Out {
			named(t)
		}
	}
	for _, cs := range w.Constants {
		for _, c := range cs {
			f(c.Expr)
		}
	}
}

// fresh is the first of name, name2, name3 … that is not taken.
func fresh(name string, taken map[string]bool) string {
	if !taken[name] {
		return name
	}
	for i := 2; ; i++ {
		if n := name + strconv.Itoa(i); !taken[n] {
			return n
		}
	}
}

// reserved are names that no variable gets: keywords, what Go declares, what
// the test's own statements use.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`
		break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var
		any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr
		true false iota nil append cap clear close complex copy delete imag len make max min new panic print println real recover
		t want done testing fmt reflect time math strings errors context bytes io iotest init main _`) {
		m[n] = true
	}
	return m
}()

// usual are the names that Go programmers give to values of some types.
var usual = map[string]string{
	"Buffer": "buf", "Builder": "b", "Reader": "r", "Writer": "w", "Scanner": "sc", "Decoder": "dec", "Encoder": "enc",
	"Parser": "p", "Config": "cfg", "Options": "opts", "Option": "opt", "Context": "ctx", "Template": "tmpl",
	"Document": "doc", "Message": "msg", "Request": "req", "Response": "resp", "Duration": "d", "Time": "when",
	"Location": "loc", "Regexp": "re", "File": "f", "Error": "err", "Value": "v", "Statement": "stmt",
	"Expression": "expr", "Function": "fn", "Environment": "env", "Object": "obj", "Attribute": "attr",
	"Element": "elem", "Iterator": "it", "Matrix": "m", "Position": "pos", "Number": "num", "Character": "ch",
}

// nameFor names a variable after its type.
func nameFor(t reflect.Type) string {
	switch t {
	case errorInterface:
		return "err"
	case runeType:
		return "r"
	}
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	if t.Name() != "" && t.PkgPath() != "" {
		name := firstName(t.Name())
		if n, ok := usual[name]; ok {
			return n
		}
		if n := lastWord(name); n != "" {
			if u, ok := usual[strings.ToUpper(n[:1])+n[1:]]; ok {
				return u
			}
			return n
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		return "ok"
	case reflect.String:
		return "s"
	case reflect.Float32, reflect.Float64:
		return "f"
	case reflect.Complex64, reflect.Complex128:
		return "c"
	case reflect.Slice, reflect.Array:
		switch t.Elem().Kind() {
		case reflect.Uint8:
			return "b"
		case reflect.String:
			return "names"
		}
		return "list"
	case reflect.Map:
		return "m"
	case reflect.Func:
		return "fn"
	case reflect.Chan:
		return "ch"
	case reflect.Interface, reflect.Struct:
		return "v"
	}
	return "n"
}

// lastWord is the last word of a name in camel case, or its initial if it is
// long; "" if it is not of ASCII letters.
func lastWord(name string) string {
	for i := 0; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf {
			return ""
		}
	}
	start := 0
	for i := 1; i < len(name); i++ {
		if unicode.IsUpper(rune(name[i])) && !unicode.IsUpper(rune(name[i-1])) {
			start = i
		}
	}
	word := strings.TrimLeft(strings.ToLower(name[start:]), "_0123456789")
	switch {
	case word == "":
		return ""
	case len(word) > 6:
		return word[:1]
	}
	return word
}

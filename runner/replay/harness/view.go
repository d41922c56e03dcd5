//go:build go1.21

package harness

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Views are the ways to look at the place where versions differ, as one
// version shows them, in the order in which a reader would want them.
type Views struct {
	Ending  probe.Ending // of the last step
	Message string       // of its panic
	Type    string       // of the subject, as reflect names it
	List    []View
	Imports map[string]string // what Expr and Literal of the list name: see Code
}

// View is one way to look at the subject. Two versions are compared by Literal
// in views of the same Expr; a view that only one of them has says nothing.
type View struct {
	Style Style
	// Expr is a Go expression with SubjectMark for the subject.
	Expr string
	// Literal is a Go expression of what Expr gave: an untyped constant or of
	// the type of Expr.
	Literal string
	Text    string // what is shown to people, at most 2 KiB
	Address bool   // may hold an address of memory
	// Internal says that something unexported is named.
	Internal bool
}

// Style says how a View is compared.
type Style byte

const (
	StyleNil   Style = iota // Expr is compared with nil: Literal is "true" if it is nil
	StyleEqual              // by !=
	StyleDeep               // by reflect.DeepEqual
	StyleText               // Expr gives a string
)

// Limits of views.
const (
	mostViews    = 400
	mostViewText = 2 << 10
	mostDeep     = 400 // bytes of a literal for StyleDeep
	deepestView  = 8
	mostRows     = 16 // elements of a sequence or map looked at one by one
)

// Views runs p and tells what can be seen at the place.
func (r *Registry) Views(p Program, at Place) (Views, error) {
	w := newWriter(r)
	var v Views
	if at.Kind == AtEnding {
		m := &machine{Registry: r}
		if _, err := w.locate(p, at); err != nil {
			return v, err
		}
		t := m.run(p[:at.Step+1])
		if t.Invalid || len(t.Steps) <= at.Step {
			return v, fmt.Errorf("the program %w", errInvalid)
		}
		v.Ending, v.Message = t.Steps[at.Step].Ending, t.Steps[at.Step].Message
		return v, nil
	}
	if err := w.program(p, at, true); err != nil {
		return v, err
	}
	x := w.subject.value()
	s := &viewer{w: newWriter(r)}
	if x.IsValid() && !ours(x) {
		v.Type = x.Type().String()
		s.root(x, w.subject.static)
	}
	v.List, v.Imports = s.list, s.w.packages
	return v, nil
}

// ours says whether a value is one of the harness's own, which the source has
// something else for.
func ours(x reflect.Value) bool {
	if x.Kind() == reflect.Interface {
		x = x.Elem()
	}
	return x.IsValid() && x.Type() == reflect.TypeOf((*oddReader)(nil))
}

// viewer collects views.
type viewer struct {
	w    *writer
	list []View
	size int
}

// attempt writes something down with a writer of its own, because it may fail
// or name what only the package may.
func (s *viewer) attempt(f func(w *writer) string) (text string, internal, ok bool) {
	w := newWriter(s.w.Registry)
	w.packages = map[string]string{}
	for k, v := range s.w.packages {
		w.packages[k] = v
	}
	text = f(w)
	if w.err != nil || len(w.lines) > 0 || w.external {
		return "", false, false
	}
	s.w.packages = w.packages
	return text, w.internal, true
}

func (s *viewer) add(v View) {
	if len(s.list) >= mostViews || s.size > mostViews*200 {
		return
	}
	v.Address = v.Address || holdsAddress(v.Text)
	v.Text = shown(v.Text)
	s.size += len(v.Text) + len(v.Literal)
	s.list = append(s.list, v)
}

// holdsAddress says whether a text may show an address of memory: code under
// test prints them too.
func holdsAddress(s string) bool {
	for {
		i := strings.Index(s, "0x")
		if i < 0 {
			return false
		}
		s = s[i+2:]
		if n := len(s) - len(strings.TrimLeft(s, "0123456789abcdef")); n >= 6 {
			return true
		}
	}
}

// shown cuts a text and makes it valid.
func shown(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	if len(s) > mostViewText {
		n := mostViewText
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "…"
	}
	return s
}

// root adds the views of the subject itself around those of its parts.
func (s *viewer) root(x reflect.Value, static reflect.Type) {
	isError := static == errorType
	if nilable(x.Kind()) {
		s.nilness(SubjectMark, x)
	}
	y := x
	if static.Kind() == reflect.Interface && !x.IsNil() {
		y = x.Elem()
		if !isError {
			s.addText("fmt", "Sprintf(\"%T\", "+SubjectMark+")", y.Type().String())
		}
	}
	if isError && !y.IsValid() {
		return
	}
	if !isError {
		if constantKind(y.Kind()) {
			s.scalar(SubjectMark, y, static)
		} else {
			s.deep(SubjectMark, y, static)
		}
	}
	s.parts(SubjectMark, x, static, 0, internals{})
	if x.CanInterface() && y.IsValid() {
		for _, verb := range []string{"%v", "%+v", "%q", "%#v"} {
			if verb == "%q" && !textual(static) || verb == "%#v" && !open(y.Type(), 0) {
				// Vet would object, or something would show that is nobody's
				// business, such as the room left in a buffer.
				continue
			}
			text, ok := formatted(verb, x)
			if ok && len(text) <= mostViewText {
				s.add(View{Style: StyleText, Expr: qualifierMark + "fmt" + qualifierMark + "Sprintf(\"" + verb + "\", " + SubjectMark + ")",
					Literal: strconv.Quote(text), Text: text, Address: addressed(x, 0, verb != "%#v")})
				s.w.imported("fmt", "fmt")
			}
		}
	}
	// What names something unexported comes last.
	sort.SliceStable(s.list, func(i, j int) bool { return !s.list[i].Internal && s.list[j].Internal })
}

// open says whether all parts of a type's values are visible from outside.
func open(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return depth < 10 && open(t.Elem(), depth+1)
	case reflect.Map:
		return depth < 10 && open(t.Key(), depth+1) && open(t.Elem(), depth+1)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if depth > 10 || !t.Field(i).IsExported() || !open(t.Field(i).Type, depth+1) {
				return false
			}
		}
		return true
	}
	return constantKind(t.Kind())
}

// textual says whether a type is made of strings.
func textual(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return textual(t.Elem())
	case reflect.Map:
		return textual(t.Key()) && textual(t.Elem())
	}
	return t.Kind() == reflect.String
}

func nilable(k reflect.Kind) bool {
	switch k {
	case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan:
		return true
	}
	return false
}

func (s *viewer) nilness(expr string, x reflect.Value) {
	text := "not nil"
	if x.IsNil() {
		text = "nil"
	}
	s.add(View{Style: StyleNil, Expr: expr, Literal: strconv.FormatBool(x.IsNil()), Text: text})
}

// addText adds a call of package pkg, or of none, that gives a text.
func (s *viewer) addText(pkg, call, text string) {
	if len(text) > mostViewText {
		return
	}
	if pkg != "" {
		s.w.imported(pkg, pkg)
		call = qualifierMark + pkg + qualifierMark + call
	}
	s.add(View{Style: StyleText, Expr: call, Literal: strconv.Quote(text), Text: text})
}

// scalar adds the comparison of a number, a text or a truth.
func (s *viewer) scalar(expr string, y reflect.Value, static reflect.Type) {
	if y.Kind() == reflect.String && y.Len() > mostViewText || y.Kind() == reflect.Uintptr {
		return
	}
	if y.CanFloat() && math.IsNaN(y.Float()) {
		// Not a number: only its text can be compared.
		s.addText("fmt", "Sprint("+expr+")", "NaN")
		return
	}
	c := typed
	if static.Kind() == reflect.Interface {
		c = free
	}
	lit, internal, ok := s.attempt(func(w *writer) string {
		l, ok := w.litOf(y, 0)
		if !ok {
			return w.fail("no literal")
		}
		return w.expr(l, y.Type(), c)
	})
	if !ok {
		return
	}
	s.add(View{Style: StyleEqual, Expr: expr, Literal: lit, Text: fmt.Sprint(plainOf(y)), Internal: internal})
}

// plainOf is a value of a basic kind without its type's methods.
func plainOf(y reflect.Value) any {
	switch k := y.Kind(); {
	case k == reflect.String:
		return y.String()
	case k == reflect.Bool:
		return y.Bool()
	case y.CanInt():
		return y.Int()
	case y.CanUint():
		return y.Uint()
	case y.CanFloat():
		if k == reflect.Float32 {
			return float32(y.Float())
		}
		return y.Float()
	}
	return y.Complex()
}

// deep adds the comparison with a whole literal, if there is a short one.
func (s *viewer) deep(expr string, y reflect.Value, static reflect.Type) {
	switch y.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct, reflect.Pointer:
	default:
		return
	}
	if y.Kind() == reflect.Pointer && y.IsNil() {
		return
	}
	lit, internal, ok := s.attempt(func(w *writer) string {
		l, ok := w.litOf(y, 0)
		if !ok {
			return w.fail("no literal")
		}
		text := w.expr(l, y.Type(), free)
		if len(text) > mostDeep {
			return w.fail("too long")
		}
		return text
	})
	if !ok {
		return
	}
	text, _ := formatted("%v", y)
	s.add(View{Style: StyleDeep, Expr: expr, Literal: lit, Text: text, Internal: internal})
}

type internals struct{ named bool }

// parts adds what can be reached from a value by fields, elements and the
// methods that tell what it is: the places that digests look at.
func (s *viewer) parts(expr string, x reflect.Value, static reflect.Type, depth int, in internals) {
	if depth > deepestView || len(s.list) >= mostViews || !x.CanInterface() {
		return
	}
	from := len(s.list)
	defer func() {
		if in.named {
			for i := from; i < len(s.list); i++ {
				s.list[i].Internal = true
			}
		}
	}()
	y := x
	if x.Kind() == reflect.Interface {
		if x.IsNil() {
			return
		}
		y = x.Elem()
	}
	if s.saying(expr, y, static) && static == errorType {
		return
	}
	if static.Kind() == reflect.Interface {
		switch k := y.Kind(); {
		case constantKind(k):
			if depth > 0 {
				s.scalar(expr, y, static)
			}
			return
		case k == reflect.Func, k == reflect.Chan:
			return
		}
		name, internal, ok := s.attempt(func(w *writer) string { return w.typ(y.Type()) })
		if !ok {
			return
		}
		expr, static, in.named = expr+".("+name+")", y.Type(), in.named || internal
	}
	switch y.Kind() {
	case reflect.Pointer:
		if depth > 0 {
			s.nilness(expr, y)
		}
		if y.IsNil() {
			return
		}
		if y.Elem().Kind() == reflect.Struct {
			s.fields(expr, y.Elem(), depth, in)
			return
		}
		s.parts("(*"+expr+")", y.Elem(), y.Type().Elem(), depth+1, in)
	case reflect.Struct:
		s.fields(expr, y, depth, in)
	case reflect.Slice, reflect.Array:
		s.rows(expr, y, depth, in)
	case reflect.Map:
		s.entries(expr, y, depth, in)
	default:
		if depth > 0 && constantKind(y.Kind()) {
			s.scalar(expr, y, static)
		}
	}
}

// saying adds what Error or String tell.
func (s *viewer) saying(expr string, y reflect.Value, static reflect.Type) bool {
	if nilable(y.Kind()) && y.IsNil() {
		return false
	}
	method, text := "", ""
	_, _, _ = probe.Guard(callFuel, func() {
		switch v := y.Interface().(type) {
		case error:
			text = v.Error()
			method = "Error"
		case fmt.Stringer:
			text = v.String()
			method = "String"
		}
	})
	if method == "" {
		return false
	}
	if _, ok := static.MethodByName(method); ok {
		s.addText("", expr+"."+method+"()", text)
	} else {
		s.addText("fmt", "Sprint("+expr+")", text)
	}
	return true
}

func (s *viewer) fields(expr string, y reflect.Value, depth int, in internals) {
	t := y.Type()
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if !f.IsExported() {
			if f.Anonymous && f.Type.Kind() == reflect.Struct {
				// Its exported fields are promoted.
				s.promoted(expr, y, t, i, depth, in)
			}
			continue
		}
		s.parts(expr+"."+f.Name, y.Field(i), f.Type, depth+1, in)
	}
}

func (s *viewer) promoted(expr string, y reflect.Value, t reflect.Type, i, depth int, in internals) {
	inner := t.Field(i).Type
	for j := 0; j < inner.NumField(); j++ {
		f := inner.Field(j)
		if !f.IsExported() {
			continue
		}
		if p, ok := t.FieldByName(f.Name); ok && len(p.Index) == 2 && p.Index[0] == i {
			s.parts(expr+"."+f.Name, y.Field(i).Field(j), f.Type, depth+1, in)
		}
	}
}

func (s *viewer) length(expr string, n int) {
	s.add(View{Style: StyleEqual, Expr: "len(" + expr + ")", Literal: strconv.Itoa(n), Text: strconv.Itoa(n)})
}

func (s *viewer) rows(expr string, y reflect.Value, depth int, in internals) {
	if y.Kind() == reflect.Slice {
		if y.Type().Elem().Kind() == reflect.Uint8 {
			if y.Len() <= mostViewText {
				s.addText("", "string("+expr+")", string(y.Bytes()))
			}
			return
		}
		s.length(expr, y.Len())
	}
	for i := 0; i < y.Len() && i < mostRows; i++ {
		s.parts(expr+"["+strconv.Itoa(i)+"]", y.Index(i), y.Type().Elem(), depth+1, in)
	}
}

func (s *viewer) entries(expr string, y reflect.Value, depth int, in internals) {
	if y.IsNil() {
		return
	}
	s.length(expr, y.Len())
	for i, k := range sortedKeys(y) {
		if i >= mostRows {
			return
		}
		if addressed(k, 1, false) {
			continue // only the very same pointer finds the entry
		}
		key, internal, ok := s.attempt(func(w *writer) string {
			l, ok := w.litOf(k, 0)
			if !ok {
				return w.fail("no literal")
			}
			return w.expr(l, k.Type(), typed)
		})
		if !ok {
			continue
		}
		s.parts(expr+"["+key+"]", y.MapIndex(k), y.Type().Elem(), depth+1, internals{in.named || internal})
	}
}

// sortedKeys orders keys by what they show.
func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	texts := make(map[int]string, len(keys))
	order := make([]int, len(keys))
	for i, k := range keys {
		order[i] = i
		switch {
		case k.CanInt():
			texts[i] = fmt.Sprintf("%020d", uint64(k.Int())+1<<63)
		case k.CanUint():
			texts[i] = fmt.Sprintf("%020d", k.Uint())
		case k.Kind() == reflect.String:
			texts[i] = k.String()
		default:
			texts[i], _ = formatted("%#v", k)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return texts[order[a]] < texts[order[b]] })
	out := make([]reflect.Value, len(keys))
	for i, k := range order {
		out[i] = keys[k]
	}
	return out
}

// formatted is what fmt makes of a value; a method that panics or never ends
// makes nothing.
func formatted(verb string, x reflect.Value) (text string, ok bool) {
	if !x.IsValid() || !x.CanInterface() {
		return "", false
	}
	v := x.Interface()
	ending, _, _ := probe.Guard(callFuel, func() { text = fmt.Sprintf(verb, v) })
	return text, ending == probe.Returned && !strings.Contains(text, "(PANIC=")
}

// addressed says whether fmt would show an address of memory in a value, with
// or without the methods that say what it is.
func addressed(x reflect.Value, depth int, methods bool) bool {
	if !x.IsValid() {
		return false
	}
	if depth > 50 {
		return true
	}
	if methods && x.CanInterface() && x.Kind() != reflect.Interface {
		switch x.Interface().(type) {
		case error, fmt.Stringer, fmt.Formatter:
			return false
		}
	}
	switch x.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return !x.IsZero()
	case reflect.Pointer:
		if x.IsNil() {
			return false
		}
		if depth > 0 {
			return true
		}
		switch x.Elem().Kind() {
		case reflect.Struct, reflect.Array, reflect.Slice, reflect.Map:
			return addressed(x.Elem(), depth+1, methods)
		}
		return true
	case reflect.Interface:
		return addressed(x.Elem(), depth, methods)
	case reflect.Slice, reflect.Array:
		if !mayPoint(x.Type().Elem(), 0) {
			return false
		}
		for i := 0; i < x.Len(); i++ {
			if addressed(x.Index(i), depth+1, methods) {
				return true
			}
		}
	case reflect.Map:
		if !mayPoint(x.Type().Elem(), 0) && !mayPoint(x.Type().Key(), 0) {
			return false
		}
		for it := x.MapRange(); it.Next(); {
			if addressed(it.Key(), depth+1, methods) || addressed(it.Value(), depth+1, methods) {
				return true
			}
		}
	case reflect.Struct:
		for i := 0; i < x.NumField(); i++ {
			if addressed(x.Field(i), depth+1, methods) {
				return true
			}
		}
	}
	return false
}

// mayPoint says whether values of a type can hold what prints as an address.
func mayPoint(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return depth > 10 || mayPoint(t.Elem(), depth+1)
	case reflect.Map:
		return depth > 10 || mayPoint(t.Key(), depth+1) || mayPoint(t.Elem(), depth+1)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if depth > 10 || mayPoint(t.Field(i).Type, depth+1) {
				return true
			}
		}
		return false
	}
	return !constantKind(t.Kind()) || t.Kind() == reflect.Uintptr
}

//go:build go1.21

package gosource

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// Limits of views.
const (
	maxViews    = 400
	maxViewText = 2 << 10
	maxDeep     = 400 // bytes of a literal for StyleDeep
	deepestView = 8
	maxPrinted  = 8 << 10 // bytes of what was written to a stream that a test wants whole
	maxRows     = 16      // elements of a sequence or map looked at one by one
)

// Views runs p and tells what can be seen at the place.
func Views(r *harness.Registry, p wire.Sequence, at wire.Place) (v wire.Views, err error) {
	r.InTest(p, func() { v, err = views(r, p, at) })
	return v, err
}

func views(r *harness.Registry, p wire.Sequence, at wire.Place) (wire.Views, error) {
	w := newWriter(r)
	var v wire.Views
	if at.Kind == wire.AtEnding {
		m := harness.NewMachine(r)
		if _, err := w.locate(p, at); err != nil {
			return v, err
		}
		t := m.Run(p[:at.Step+1])
		if t.Invalid || len(t.Steps) <= at.Step {
			return v, fmt.Errorf("the sequence %w", harness.ErrInvalid)
		}
		v.Ending, v.Message = t.Steps[at.Step].Ending, t.Steps[at.Step].Message
		return v, nil
	}
	if err := w.sequence(p, at, true); err != nil {
		return v, err
	}
	if w.stream >= 0 {
		v.Type, v.List = "string", printed(w.stream, w.Printed[at.Step][w.stream])
		return v, nil
	}
	if w.subject.value == nil {
		return v, nil // nothing that a test sees: the exit status
	}
	x := w.subject.value()
	s := &viewer{w: newWriter(r)}
	if x.IsValid() && !harness.Own(x) {
		v.Type = x.Type().String()
		s.root(x, w.subject.static)
	}
	v.List, v.Imports = s.list, s.w.packages
	return v, nil
}

// printed are the ways to look at what was written to a stream. A text with the time or the
// like in it is nothing that a test can want.
func printed(stream int, text string) []wire.View {
	unstable := probe.NormalOutput(stream, text) != text
	list := []wire.View{
		{Style: wire.StyleEqual, Expr: wire.SubjectMark, Literal: strconv.Quote(text), Text: shown(text), Address: unstable},
		{Style: wire.StyleEqual, Expr: "len(" + wire.SubjectMark + ")", Literal: strconv.Itoa(len(text)), Text: strconv.Itoa(len(text)), Address: unstable},
	}
	if len(text) > maxPrinted {
		return list[1:]
	}
	return list
}

// viewer collects views.
type viewer struct {
	w    *writer
	list []wire.View
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
	if w.err != nil || len(w.lines) > 0 || len(w.locals) > 0 || w.external {
		return "", false, false
	}
	s.w.packages = w.packages
	return text, w.internal, true
}

func (s *viewer) add(v wire.View) {
	if len(s.list) >= maxViews || s.size > maxViews*200 {
		return
	}
	v.Address = v.Address || holdsAddress(v.Text)
	v.Text = shown(v.Text)
	s.size += len(v.Text) + len(v.Literal)
	s.list = append(s.list, v)
}

// shown cuts a text and makes it valid.
func shown(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	if len(s) > maxViewText {
		n := maxViewText
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "…"
	}
	return s
}

// root adds the views of the subject itself around those of its parts.
func (s *viewer) root(x reflect.Value, static reflect.Type) {
	isError := static == errorInterface
	if nilable(x.Kind()) {
		s.nilness(wire.SubjectMark, x)
	}
	y := x
	if static.Kind() == reflect.Interface && !x.IsNil() {
		y = x.Elem()
		if !isError {
			s.addText("fmt", "Sprintf(\"%T\", "+wire.SubjectMark+")", y.Type().String())
		}
	}
	if isError && !y.IsValid() {
		return
	}
	if !isError {
		if constantKind(y.Kind()) {
			s.scalar(wire.SubjectMark, y, static)
		} else {
			s.deep(wire.SubjectMark, y, static)
		}
	}
	s.parts(wire.SubjectMark, x, static, 0, internals{})
	if x.CanInterface() && y.IsValid() {
		for _, verb := range []string{"%v", "%+v", "%q", "%#v"} {
			if verb == "%q" && !textual(static) || verb == "%#v" && !open(y.Type(), 0) {
				// Vet would object, or something would show that is nobody's
				// business, such as the room left in a buffer.
				continue
			}
			text, ok := formatted(verb, x)
			if ok && len(text) <= maxViewText {
				s.add(wire.View{Style: wire.StyleText, Expr: wire.Qualifier("fmt") + "Sprintf(\"" + verb + "\", " + wire.SubjectMark + ")",
					Literal: strconv.Quote(text), Text: text, Address: addressed(x, 0, verb != "%#v")})
				s.w.imported("fmt", "fmt")
			}
		}
	}
	// What names something unexported comes last.
	sort.SliceStable(s.list, func(i, j int) bool { return !s.list[i].Internal && s.list[j].Internal })
}

// open reports whether all parts of a type's values are visible from outside.
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

// textual reports whether a type is made of strings.
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
	s.add(wire.View{Style: wire.StyleNil, Expr: expr, Literal: strconv.FormatBool(x.IsNil()), Text: text})
}

// addText adds a call of package pkg, or of none, that gives a text.
func (s *viewer) addText(pkg, call, text string) {
	if len(text) > maxViewText {
		return
	}
	if pkg != "" {
		s.w.imported(pkg, pkg)
		call = wire.Qualifier(pkg) + call
	}
	s.add(wire.View{Style: wire.StyleText, Expr: call, Literal: strconv.Quote(text), Text: text})
}

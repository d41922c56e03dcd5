//go:build go1.21

package harness

import (
	"bytes"
	"io"
	"reflect"
	"sort"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Requests of package net/http, and functions that answer them. This package does not
// import that one: where functions of the package under test take its types, the
// registering file says how a request is made.

// Requests registers what makes a request, which panics where there is none. R is
// *http.Request.
func Requests[R any](request func(method, target, body string) R) {
	registry.requestType = reflect.TypeOf((*R)(nil)).Elem()
	registry.request = func(method, target, body string) reflect.Value { return reflect.ValueOf(request(method, target, body)) }
}

// requestText is a text of a request's literal: its method, target or body.
func requestText(l wire.Lit, at int) string {
	if at < len(l.E) {
		return l.E[at].S
	}
	return ""
}

// RequestHeaders are the header fields of a request's literal: names and values by turns.
func RequestHeaders(l wire.Lit) []string {
	var out []string
	for at := wire.RequestHeader; at+1 < len(l.E); at += 2 {
		out = append(out, l.E[at].S, l.E[at+1].S)
	}
	return out
}

// newRequest makes the request that a literal says.
func (m *Machine) newRequest(l wire.Lit, t reflect.Type) (v reflect.Value, err error) {
	if m.request == nil || t != m.requestType {
		return v, ErrInvalid
	}
	defer func() {
		if recover() != nil { // a method or target that cannot be one
			err = ErrInvalid
		}
	}()
	v = m.request(requestText(l, wire.RequestMethod), requestText(l, wire.RequestTarget), requestText(l, wire.RequestBody))
	header := v.Elem().FieldByName("Header")
	list := RequestHeaders(l)
	for i := 0; i < len(list); i += 2 {
		header.MethodByName("Set").Call([]reflect.Value{reflect.ValueOf(list[i]), reflect.ValueOf(list[i+1])})
	}
	return v, nil
}

var (
	requestMethods = []string{"GET", "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"}
	requestFields  = []string{"Accept", "Accept-Encoding", "Authorization", "Content-Type", "Cookie", "If-None-Match", "Origin", "Range", "X-Forwarded-For"}
)

// freshRequest is a new request. Where the sequence has registered routes, it is mostly one
// for them, or for a path beside one.
func (b *builder) freshRequest(at spot) wire.Lit {
	r := b.g.r
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	method, target := requestMethods[r.Intn(len(requestMethods))], ""
	methods, paths := b.routes()
	if len(methods) > 0 && r.Chance(70) {
		method = methods[r.Intn(len(methods))]
	}
	if len(paths) > 0 && r.Chance(70) {
		target = beside(r, targetOf(r, paths[r.Intn(len(paths))]))
	} else {
		target = targetOf(r, b.text(spot{-1, -1}))
	}
	l := wire.Lit{Form: wire.Special, S: wire.SpecialRequest, E: []wire.Lit{text(method), text(target), text("")}}
	if r.Chance(25) {
		l.E[wire.RequestBody].S = b.text(at)
	}
	for n := r.Intn(6) - 3; n > 0; n-- {
		name := requestFields[r.Intn(len(requestFields))]
		if s := b.text(spot{-1, -1}); r.Chance(30) && isFieldName(s) {
			name = s
		}
		l.E = append(l.E, text(name), text(strings.TrimSpace(b.text(spot{-1, -1}))))
	}
	return l
}

// routes are the methods and paths that the sequence seems to have registered: texts that
// are paths or methods, and operations that are named after a method.
func (b *builder) routes() (methods, paths []string) {
	for i, s := range b.p {
		name := b.g.m.Ops[s.Op].Name
		if m := strings.ToUpper(name[strings.LastIndexByte(name, '.')+1:]); isMethod(m) {
			methods = append(methods, m)
		}
		(b.p[i : i+1]).Walk(func(_ int, l *wire.Lit) {
			switch {
			case l.Form != wire.Text:
			case isMethod(l.S):
				methods = append(methods, l.S)
			case strings.HasPrefix(l.S, "/"):
				paths = append(paths, l.S)
			}
		})
	}
	return methods, paths
}

func isMethod(s string) bool {
	for _, m := range requestMethods {
		if s == m {
			return true
		}
	}
	return false
}

// beside is the path of a request, or one near it: with a slash or a segment more or less, a
// character less, another case.
func beside(r *Rand, path string) string {
	switch r.Intn(10) {
	case 0:
		if strings.HasSuffix(path, "/") {
			return strings.TrimSuffix(path, "/") + "a"
		}
		return path + "/"
	case 1:
		return path + "/a"
	case 2:
		if len(path) > 2 && path[len(path)-3] != '%' {
			return path[:len(path)-1]
		}
	case 3:
		return path[:strings.LastIndexByte(path, '/')+1]
	case 4:
		return "/" + path
	case 5:
		return strings.ToUpper(path)
	}
	return path
}

func isFieldName(s string) bool {
	return s != "" && strings.Trim(s, "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// targetOf makes the target of a request of a text: a path, in which parameters of a route
// have values.
func targetOf(r *Rand, s string) string {
	if i := strings.IndexByte(s, ' '); i > 0 && strings.Trim(s[:i], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		s = s[i+1:] // a route with its method
	}
	var b strings.Builder
	if !strings.HasPrefix(s, "/") && !strings.Contains(s, "://") {
		b.WriteByte('/')
	}
	for len(s) > 0 {
		c := s[0]
		n := 1
		switch {
		case c == '{':
			if i := strings.IndexByte(s, '}'); i > 0 {
				n = i + 1
			}
			b.WriteString([]string{"1", "a", "42", "a.b"}[r.Intn(4)])
		case c == ':' && b.Len() > 0 && strings.HasSuffix(b.String(), "/"):
			for n < len(s) && s[n] != '/' {
				n++
			}
			b.WriteString([]string{"1", "a"}[r.Intn(2)])
		case c <= ' ' || c >= 0x7f:
			b.WriteString("%20")
		default:
			b.WriteByte(c)
		}
		s = s[n:]
	}
	if r.Chance(10) {
		b.WriteByte('/')
	}
	return b.String()
}

// maxFields bounds the header fields that are written down.
const maxFields = 8

// writtenRequest writes a request down, with its body where that can be read without using
// it up; else it is left out. It fails where all is wanted and there is one.
func (w *literalWriter) writtenRequest(v reflect.Value) wire.Lit {
	e := v.Elem()
	url := e.FieldByName("URL")
	body, known := peeked(e.FieldByName("Body"))
	if url.IsNil() || w.hidden && !known && e.FieldByName("ContentLength").Int() != 0 {
		return w.fail()
	}
	l := w.special(wire.SpecialRequest, w.text(e.FieldByName("Method").String()))
	text := url.MethodByName("String").Call(nil)[0].String()
	l.E = append(l.E, w.text(text), w.text(body))
	header := e.FieldByName("Header")
	var names []string
	for _, k := range header.MapKeys() {
		names = append(names, k.String())
	}
	sort.Strings(names)
	for _, name := range names[:min(len(names), maxFields)] {
		if list := header.MapIndex(reflect.ValueOf(name)); list.Len() > 0 {
			l.E = append(l.E, w.text(name), w.text(list.Index(0).String()))
		}
	}
	return l
}

// peeked is what is left of a request's body, where a text in memory is read. known is false
// where it is not.
func peeked(body reflect.Value) (text string, known bool) {
	for body.Kind() == reflect.Interface && !body.IsNil() {
		body = body.Elem()
	}
	if body.Kind() == reflect.Struct { // what closes nothing, around a reader
		if body = body.FieldByName("Reader"); !body.IsValid() || body.Kind() != reflect.Interface || !body.CanInterface() {
			return "", false
		}
		body = body.Elem()
	}
	if !body.IsValid() || !body.CanInterface() {
		return "", false
	}
	var left []byte
	switch r := body.Interface().(type) {
	case *strings.Reader:
		read := *r
		left, _ = io.ReadAll(&read)
	case *bytes.Reader:
		read := *r
		left, _ = io.ReadAll(&read)
	case *bytes.Buffer:
		left = r.Bytes()
	default:
		return "", false
	}
	return string(left), true
}

// answers reports whether a type is that of functions which answer requests, as
// http.HandlerFunc is.
func (r *Registry) answers(t reflect.Type) bool {
	return r.requestType != nil && t.Kind() == reflect.Func && t.NumIn() == 2 && t.NumOut() == 0 && t.In(1) == r.requestType &&
		t.In(0).Kind() == reflect.Interface && t.In(0).PkgPath() == r.requestType.Elem().PkgPath() && t.In(0).Name() == "ResponseWriter"
}

// An Answer is what a function does with a request.
type Answer struct {
	Status int
	Body   string
	How    Answering
}

// Answering is a way to answer.
type Answering int

const (
	AnswerStatus Answering = iota // with the status, then the body
	AnswerBody                    // with the body alone, so that the status and the type follow from it
	AnswerAsked                   // with the method and the URL of the request
	AnswerCopy                    // with the body of the request
	AnswerPanic                   // not at all
	answerings
)

// AnswerOf reads the literal of a function that answers requests.
func AnswerOf(l wire.Lit) Answer {
	a := Answer{Status: 200}
	if len(l.E) >= 2 {
		if n := l.E[0].N; n >= 100 && n <= 999 {
			a.Status = int(n)
		}
		a.Body = l.E[1].S
	}
	if len(l.E) > 2 && l.E[2].N > 0 && l.E[2].N < int64(answerings) {
		a.How = Answering(l.E[2].N)
	}
	return a
}

// Answers reports whether a literal of type t is a function that answers requests.
func (r *Registry) Answers(l wire.Lit, t reflect.Type) bool {
	return l.Form == wire.Special && l.S == wire.SpecialFunc && r.answers(t) && len(l.E) >= 2
}

// freshAnswer is a new function that answers requests.
func (b *builder) freshAnswer() wire.Lit {
	r := b.g.r
	status := []int64{200, 200, 200, 201, 204, 404, 500}[r.Intn(7)]
	how := AnswerStatus
	if r.Chance(50) {
		how = Answering(r.Intn(int(answerings)))
	}
	return wire.Lit{Form: wire.Special, S: wire.SpecialFunc, E: []wire.Lit{
		{Form: wire.Int, N: status}, {Form: wire.Text, S: []string{"a", "b", "c", ""}[r.Intn(4)]}, {Form: wire.Int, N: int64(how)}}}
}

// answering makes the function that a literal says.
func (m *Machine) answering(l wire.Lit, t reflect.Type) reflect.Value {
	a := AnswerOf(l)
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		w, _ := args[0].Interface().(io.Writer)
		request := args[1].Elem()
		switch a.How {
		case AnswerAsked:
			url := request.FieldByName("URL").MethodByName("String").Call(nil)[0].String()
			_, _ = io.WriteString(w, request.FieldByName("Method").String()+" "+url)
		case AnswerCopy:
			_, _ = io.Copy(w, request.FieldByName("Body").Interface().(io.Reader))
		case AnswerPanic:
			panic(a.Body)
		case AnswerBody:
			_, _ = io.WriteString(w, a.Body)
		default:
			args[0].MethodByName("WriteHeader").Call([]reflect.Value{reflect.ValueOf(a.Status)})
			if a.Body != "" {
				_, _ = io.WriteString(w, a.Body)
			}
		}
		return nil
	})
}

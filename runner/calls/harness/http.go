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

// Served is the name of the operation that has a handler answer a request over a connection:
// see package serving.
const Served = "served"

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
		header.MethodByName("Add").Call([]reflect.Value{reflect.ValueOf(list[i]), reflect.ValueOf(list[i+1])})
	}
	return v, nil
}

var requestMethods = []string{"GET", "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"}

// freshRequest is a new request. Where the sequence has registered routes, it is mostly one
// for them, or for a path beside one.
func (b *builder) freshRequest(at spot) wire.Lit {
	r := b.g.r
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	method, target := requestMethods[r.Intn(len(requestMethods))], ""
	routes := b.routes()
	if len(routes.methods) > 0 && r.Chance(70) {
		method = routes.methods[r.Intn(len(routes.methods))]
	}
	files := b.filesGiven()
	if len(files) > 0 && r.Chance(75) {
		if target = filePath(r, files); len(routes.paths) > 0 && r.Chance(40) {
			target = strings.TrimRight(strings.TrimRight(targetOf(r, routes.paths[r.Intn(len(routes.paths))]), "*"), "/") + target
		}
		if r.Chance(60) {
			method = requestMethods[0]
		}
	} else if len(routes.paths) > 0 && r.Chance(70) {
		target = beside(r, targetOf(r, routes.paths[r.Intn(len(routes.paths))]))
	} else {
		target = targetOf(r, b.text(spot{-1, -1}))
	}
	if len(routes.hosts) > 0 && r.Chance(80) {
		target = hostOf(r, routes.hosts[r.Intn(len(routes.hosts))]) + target
	}
	if !strings.Contains(target, "?") && r.Chance(15) {
		target += "?" + b.query()
	}
	l := wire.Lit{Form: wire.Special, S: wire.SpecialRequest, E: []wire.Lit{text(method), text(target), text("")}}
	switch {
	case r.Chance(25):
		l.E[wire.RequestBody].S = b.text(at)
	case strings.HasPrefix(method, "P") && b.g.decodes() && r.Chance(40):
		media := "application/json"
		if l.E[wire.RequestBody].S = b.document(""); strings.HasPrefix(l.E[wire.RequestBody].S, "<") {
			media = "application/xml"
		}
		if r.Chance(60) {
			l.E = append(l.E, text("Content-Type"), text(b.parametrised("Content-Type", media)))
		}
	case strings.HasPrefix(method, "P") && r.Chance(20):
		l.E[wire.RequestBody].S = b.query()
		l.E = append(l.E, text("Content-Type"), text("application/x-www-form-urlencoded"))
	}
	if len(files) > 0 && r.Chance(20) {
		field := fileFields[r.Intn(len(fileFields))]
		l.E = append(l.E, text(field[0]), text(field[1]))
	}
	n := r.Intn(6) - 2
	if len(b.g.m.requestFields) > 0 {
		n = r.few(4) // the code looks at some
	}
	for ; n > 0; n-- {
		b.addField(&l)
	}
	return l
}

// maxFields bounds the header fields that are written down, and the values of each.
const maxFields = 8

// writtenRequest writes a request down, with its body where that can be read without using
// it up; else it is left out. It fails where all is wanted and there is one.
func (w *literalWriter) writtenRequest(v reflect.Value) wire.Lit {
	e := v.Elem()
	url := e.FieldByName("URL")
	body, known := Peeked(e.FieldByName("Body"))
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
		list := header.MapIndex(reflect.ValueOf(name))
		for i := 0; i < min(list.Len(), maxFields); i++ {
			l.E = append(l.E, w.text(name), w.text(list.Index(i).String()))
		}
	}
	return l
}

// Peeked is what is left of a reader, such as a request's body, where a text in memory is read, or none. known is false
// where it is not. Nothing is used up by it.
func Peeked(body reflect.Value) (text string, known bool) {
	for body.Kind() == reflect.Interface && !body.IsNil() {
		body = body.Elem()
	}
	if body.Kind() == reflect.Struct { // what closes nothing, around a reader
		if t := body.Type(); t.PkgPath() == "net/http" && t.Name() == "noBody" {
			return "", true
		}
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

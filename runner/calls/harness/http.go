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
		header.MethodByName("Set").Call([]reflect.Value{reflect.ValueOf(list[i]), reflect.ValueOf(list[i+1])})
	}
	return v, nil
}

var (
	requestMethods = []string{"GET", "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"}
	// requestFields are header fields of requests, with values that servers look for.
	requestFields = map[string][]string{
		"Accept":                         {"text/html", "application/json", "*/*"},
		"Accept-Encoding":                {"gzip", "deflate", "gzip, deflate, br"},
		"Access-Control-Request-Headers": {"X-A"},
		"Access-Control-Request-Method":  {"GET", "PUT"},
		"Authorization":                  {"Basic YTpi", "Bearer a"},
		"Connection":                     {"Upgrade", "close"},
		"Content-Type":                   {"application/json", "application/x-www-form-urlencoded", "text/plain"},
		"Cookie":                         {"a=b"},
		"If-Modified-Since":              {"Fri, 01 Jan 2100 00:00:00 GMT"},
		"If-None-Match":                  {"*", `"a"`},
		"Origin":                         {"http://example.com", "null"},
		"Range":                          {"bytes=0-0"},
		"Upgrade":                        {"websocket"},
		"X-Forwarded-For":                {"192.0.2.7", "192.0.2.7, 10.0.0.1"},
		"X-Forwarded-Proto":              {"https"},
		"X-Http-Method-Override":         {"PUT", "DELETE"},
	}
	requestFieldNames = func() []string {
		var names []string
		for name := range requestFields {
			names = append(names, name)
		}
		sort.Strings(names)
		return names
	}()
)

// field is a header field for a request: one that the code or its tests name, with what
// servers look for in it or with a text of the code; or one that was seen in a request.
func (b *builder) field() (name, value string) {
	r := b.g.r
	if r.Chance(30) {
		if list := b.g.fields; len(list) > 0 {
			i := r.Intn(len(list))
			return list[i][0], list[i][1]
		}
	}
	name = requestFieldNames[r.Intn(len(requestFieldNames))]
	if list := b.g.plain.fieldNames(); len(list) > 0 && r.Chance(75) {
		name = list[r.Intn(len(list))]
	}
	if list := requestFields[name]; len(list) > 0 && r.Chance(50) {
		return name, list[r.Intn(len(list))]
	}
	return name, strings.TrimSpace(b.text(spot{-1, -1}))
}

// rememberFields keeps the header fields of a request for others.
func (g *generator) rememberFields(l wire.Lit) {
	list := RequestHeaders(l)
	for i := 0; i < len(list); i += 2 {
		field := [2]string{list[i], list[i+1]}
		known := false
		for _, f := range g.fields {
			known = known || f == field
		}
		if !known && len(g.fields) < maxSeen {
			g.fields = append(g.fields, field)
		}
	}
}

// fieldNames are the texts that look like names of header fields; those near the change
// come more than once.
func (p *Plain) fieldNames() []string {
	if p.fields == nil {
		p.fields = []string{}
		for near, list := range p.texts {
			for _, s := range list {
				for n := wire.Nears - near; n > 0 && looksLikeField(s); n-- {
					p.fields = append(p.fields, s)
				}
			}
		}
	}
	return p.fields
}

// looksLikeField reports whether a text is one of the usual names of header fields, or
// written like one: words with capitals, joined by dashes.
func looksLikeField(s string) bool {
	if requestFields[s] != nil {
		return true
	}
	if !isFieldName(s) || !strings.Contains(s, "-") {
		return false
	}
	for _, word := range strings.Split(s, "-") {
		if word == "" || word[0] < 'A' || word[0] > 'Z' {
			return false
		}
	}
	return true
}

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
	if len(routes.paths) > 0 && r.Chance(70) {
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
	case strings.HasPrefix(method, "P") && r.Chance(20):
		l.E[wire.RequestBody].S = b.query()
		l.E = append(l.E, text("Content-Type"), text("application/x-www-form-urlencoded"))
	}
	for n := r.Intn(6) - 2; n > 0; n-- {
		name, value := b.field()
		l.E = append(l.E, text(name), text(value))
	}
	return l
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

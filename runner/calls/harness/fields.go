//go:build go1.21

package harness

import (
	"sort"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Header fields of requests: their names, which the code says, and values that whoever looks at
// them can tell from others.

// Field registers a header field that the code or its tests name. The value, where there is one,
// is what the code compares the field's with, or what a test sends. ofAnswer says that it is an
// answer's.
func Field(name, value string, ofAnswer bool) {
	if ofAnswer {
		registry.answerFields = append(registry.answerFields, [2]string{name, value})
	} else {
		registry.requestFields = append(registry.requestFields, [2]string{name, value})
	}
}

var (
	// requestFields are header fields of requests, with values that servers look for.
	requestFields = map[string][]string{
		"Accept":                         {"text/html", "application/json", "*/*", "text/html,application/xml;q=0.9,*/*;q=0.8"},
		"Accept-Encoding":                {"gzip", "deflate", "gzip, deflate, br"},
		"Accept-Language":                {"en", "de-CH, de;q=0.9, *;q=0.5"},
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
	// choices are what clients and servers negotiate about by fields with lists.
	choices = map[string][]string{
		"accept":          {"*/*", "text/html", "text/*", "text/plain", "application/json", "application/*", "application/xml", "image/png"},
		"accept-charset":  {"utf-8", "iso-8859-1", "*"},
		"accept-encoding": {"gzip", "deflate", "br", "zstd", "identity", "*", "x-gzip"},
		"accept-language": {"en", "en-US", "de", "de-CH", "fr", "*"},
	}
	mediaParameters = []string{"; charset=utf-8", "; charset=utf-8", ";charset=UTF-8", ";charset=utf-8; a=b", "; charset=iso-8859-1", "; boundary=a", ";"}
	qualities       = []string{"", "", "", "", ";q=0", ";q=0", ";q=0.5", "; q=0.8", ";q=1.0", ";q=0.001", ";Q=0.4", ";q=2", ";q=a", ";level=1;q=0.3"}
)

// field is a header field for a request: one that the code or its tests name, with a value that
// they name beside it, with what servers look for in it, or with a text of the code; or one that
// was seen in a request.
func (b *builder) field() (name, value string) {
	r := b.g.r
	if r.Chance(30) {
		if list := b.g.fields; len(list) > 0 {
			i := r.Intn(len(list))
			return list[i][0], list[i][1]
		}
	}
	if name = b.askedName(20); name != "" {
		if r.Chance(60) || !isFieldName(name) {
			name = "Cookie"
		}
		return name, b.fieldValue(name)
	}
	name = requestFieldNames[r.Intn(len(requestFieldNames))]
	if list := b.g.m.requestFields; len(list) > 0 && r.Chance(50) {
		name = list[r.Intn(len(list))][0]
	} else if list := b.g.plain.fieldNames(); len(list) > 0 && r.Chance(70) {
		name = list[r.Intn(len(list))]
	}
	return name, b.fieldValue(name)
}

// fieldValue is a value for a header field of a name.
func (b *builder) fieldValue(name string) string {
	r := b.g.r
	if r.Chance(60) {
		var said []string
		for _, f := range b.g.m.requestFields {
			if f[1] != "" && strings.EqualFold(f[0], name) {
				said = append(said, f[1])
			}
		}
		if len(said) > 0 {
			s := said[r.Intn(len(said))]
			if r.Chance(30) {
				s = strings.TrimSpace(b.g.plain.change(r, s))
			}
			return b.parametrised(name, s)
		}
	}
	if strings.EqualFold(name, "Cookie") && r.Chance(70) {
		return b.cookie()
	}
	if list := choices[strings.ToLower(name)]; len(list) > 0 && r.Chance(60) {
		return b.chosen(name, list)
	}
	if list := usualValues(name); len(list) > 0 && r.Chance(50) {
		return b.parametrised(name, list[r.Intn(len(list))])
	}
	return strings.TrimSpace(b.text(spot{-1, -1}))
}

// parametrised is the type of a body, now and then with a parameter behind it, as clients send it.
func (b *builder) parametrised(name, value string) string {
	r := b.g.r
	if !strings.EqualFold(name, "Content-Type") || strings.Count(value, "/") != 1 || strings.Contains(value, ";") || !r.Chance(40) {
		return value
	}
	return value + mediaParameters[r.Intn(len(mediaParameters))]
}

// usualValues are those of a usual header field, whose name may be written in any case.
func usualValues(name string) []string {
	for _, n := range requestFieldNames {
		if strings.EqualFold(n, name) {
			return requestFields[n]
		}
	}
	return nil
}

// chosen is a list of what a client takes, some of them with how much it likes it. Those that
// the code names come more often.
func (b *builder) chosen(name string, list []string) string {
	r := b.g.r
	var out []string
	for n := 1 + r.Intn(3); n > 0; n-- {
		s := list[r.Intn(len(list))]
		if r.Chance(50) {
			if known := b.text(spot{-1, -1}); strings.Contains(known, "/") == strings.Contains(list[0], "/") && choosable(known) {
				s = known
			}
		}
		out = append(out, s+qualities[r.Intn(len(qualities))])
	}
	return strings.Join(out, []string{", ", ",", " , ", ",,"}[r.few(3)])
}

// choosable reports whether a text may be one of those that are negotiated about.
func choosable(s string) bool {
	return s != "" && len(s) < 32 && strings.Count(s, "/") < 2 && isFieldName(strings.NewReplacer("/", "", "*", "", "+", "", ".", "").Replace(s))
}

// addField gives the literal of a request one more header field: now and then one that it has
// already, with another value.
func (b *builder) addField(l *wire.Lit) {
	name, value := b.field()
	if has := RequestHeaders(*l); len(has) > 0 && b.g.r.Chance(15) {
		name = has[2*b.g.r.Intn(len(has)/2)]
		value = b.fieldValue(name)
	}
	l.E = append(l.E, wire.Lit{Form: wire.Text, S: name}, wire.Lit{Form: wire.Text, S: value})
}

// changeFields changes the header fields of a request's literal by one.
func (b *builder) changeFields(l *wire.Lit) {
	r := b.g.r
	n := len(RequestHeaders(*l)) / 2
	at := wire.RequestHeader
	if n == 0 || r.Chance(40) {
		b.addField(l)
		return
	}
	if at += 2 * r.Intn(n); r.Chance(40) {
		l.E = append(l.E[:at:at], l.E[at+2:]...)
		return
	}
	l.E[at+1] = wire.Lit{Form: wire.Text, S: b.fieldValue(l.E[at].S)}
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

// looksLikeField reports whether a text is one of the usual names of header fields, in any case, or
// written like one: words with capitals, joined by dashes, or such a word behind an x.
func looksLikeField(s string) bool {
	if requestFields[s] != nil {
		return true
	}
	if !isFieldName(s) || !strings.Contains(s, "-") {
		return false
	}
	if usualValues(s) != nil {
		return true
	}
	words := strings.Split(s, "-")
	small := words[0] == "x"
	for _, word := range words {
		if word == "" || !small && (word[0] < 'A' || word[0] > 'Z') {
			return false
		}
	}
	return true
}

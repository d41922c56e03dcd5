//go:build go1.21

package harness

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Clients of package net/http are given what answers in place of servers: each answer is a text,
// as it comes over a connection, and one that does not begin as such is an error. What clients
// send is told in a list of the sequence, like the calls of other functions that the code is
// given (Telling).

// Replying is the name of what makes such a function in a test, Replied of what makes an answer.
const (
	Replying = "replying"
	Replied  = "replied"
)

// Replies registers how answers are made of texts, and functions that give them; client is a nil
// *http.Client. R is *http.Request, A is *http.Response.
func Replies[R, A any](replying func(tell func(string), answers []string) func(R) (A, error), replied func(text string) A, client any) {
	registry.replying = func(tell func(string), answers []string) reflect.Value {
		return reflect.ValueOf(replying(tell, answers))
	}
	registry.replied = func(text string) reflect.Value { return reflect.ValueOf(replied(text)) }
	registry.answerType = reflect.TypeOf((*A)(nil)).Elem()
	registry.clientType = reflect.TypeOf(client)
}

// repliesTo reports whether a type is that of functions which answer clients.
func (r *Registry) repliesTo(t reflect.Type) bool {
	return r.replying != nil && t.Kind() == reflect.Func && t.NumIn() == 1 && t.NumOut() == 2 && !t.IsVariadic() &&
		t.In(0) == r.requestType && t.Out(0) == r.answerType && t.Out(1) == errorType
}

// RepliesOf splits the literal of such a function into the reference to the list, which may be
// none, and the answers.
func RepliesOf(l wire.Lit) (list wire.Lit, answers []string, ok bool) {
	if l.S != wire.SpecialReplies || len(l.E) < 2 || l.E[0].Form != wire.Ref && l.E[0].Form != wire.Zero {
		return list, nil, false
	}
	for _, e := range l.E[1:] {
		if e.Form != wire.Text {
			return list, nil, false
		}
		answers = append(answers, e.S)
	}
	return l.E[0], answers, true
}

// replyingFunc makes the function that a literal says.
func (m *Machine) replyingFunc(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	ref, answers, ok := RepliesOf(l)
	if !ok || !m.repliesTo(t) {
		return reflect.Value{}, ErrInvalid
	}
	tell := func(string) {}
	if ref.Form == wire.Ref {
		list, ok := m.listOf(ref)
		if !ok {
			return reflect.Value{}, ErrInvalid
		}
		tell = func(text string) { m.tell(list, text) }
	}
	return m.replying(tell, answers).Convert(t), nil
}

// newReply makes the answer that a literal says.
func (m *Machine) newReply(l wire.Lit, t reflect.Type) (v reflect.Value, err error) {
	if m.replied == nil || t != m.answerType || len(l.E) != 1 {
		return v, ErrInvalid
	}
	defer func() {
		if recover() != nil { // no answer
			err = ErrInvalid
		}
	}()
	return m.replied(l.E[0].S), nil
}

// freshReplies is a new function that answers clients.
func (b *builder) freshReplies() wire.Lit {
	l := wire.Lit{Form: wire.Special, S: wire.SpecialReplies, E: []wire.Lit{{}}}
	if list, ok := b.list(); ok {
		l.E[0] = list
	}
	for n := 1 + b.g.r.few(3); n > 0; n-- {
		l.E = append(l.E, wire.Lit{Form: wire.Text, S: b.reply()})
	}
	return l
}

// changeReplies changes the literal of such a function by one answer.
func (b *builder) changeReplies(l *wire.Lit) {
	r := b.g.r
	fresh := wire.Lit{Form: wire.Text, S: b.reply()}
	at := 1 + r.Intn(len(l.E)-1)
	switch {
	case r.Chance(30):
		l.E = append(l.E[:at:at], append([]wire.Lit{fresh}, l.E[at:]...)...)
	case len(l.E) > 2 && r.Chance(30):
		l.E = append(l.E[:at:at], l.E[at+1:]...)
	default:
		l.E[at] = fresh
	}
}

// freshClient is a new client with such a function behind it, false where the registry has none.
// One without would look for servers.
func (b *builder) freshClient(t reflect.Type) (wire.Lit, bool) {
	of := t.Elem()
	for i := 0; i < b.g.m.Fields(of); i++ {
		f := of.Field(b.g.m.Field(of, i))
		if f.Name != "Transport" {
			continue
		}
		transport, ok := b.freshTransport(f.Type)
		if !ok {
			break
		}
		l := wire.Lit{Form: wire.Struct, E: make([]wire.Lit, b.g.m.Fields(of))}
		l.E[i] = transport
		return wire.Lit{Form: wire.Pointer, E: []wire.Lit{l}}, true
	}
	return wire.Lit{}, false
}

// freshTransport is a stub of a type that has such a function, false where t is not its interface.
func (b *builder) freshTransport(t reflect.Type) (wire.Lit, bool) {
	if t.Kind() != reflect.Interface || b.g.m.replying == nil {
		return wire.Lit{}, false
	}
	k := b.g.m.stubOf(t)
	if k < 0 || b.g.m.Types[k].NumField() != 1 || !b.g.m.repliesTo(b.g.m.Types[k].Field(0).Type) {
		return wire.Lit{}, false
	}
	return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{b.freshReplies()}}}}, true
}

// replyStatuses are statuses of answers with their usual texts.
var replyStatuses = []struct {
	code int
	text string
}{
	{200, "OK"}, {200, "OK"}, {200, "OK"}, {200, "OK"}, {201, "Created"}, {202, "Accepted"}, {204, "No Content"}, {206, "Partial Content"},
	{301, "Moved Permanently"}, {302, "Found"}, {303, "See Other"}, {304, "Not Modified"}, {307, "Temporary Redirect"}, {308, "Permanent Redirect"},
	{400, "Bad Request"}, {401, "Unauthorized"}, {403, "Forbidden"}, {404, "Not Found"}, {409, "Conflict"}, {418, "I'm a teapot"}, {422, "Unprocessable Entity"},
	{429, "Too Many Requests"}, {500, "Internal Server Error"}, {502, "Bad Gateway"}, {503, "Service Unavailable"}, {504, "Gateway Timeout"},
}

// replyPlaces are where answers send their clients.
var replyPlaces = []string{"/a", "/a", "b", "?c=d", "http://example.com/e", "https://example.org/f", "//example.net/g", "../h", "", ":", "#i"}

// replyFields are further header fields of answers, with values that clients look for.
var replyFields = [][2]string{{"Content-Type", "application/json"}, {"Content-Type", "text/html; charset=utf-8"}, {"Content-Type", "application/json; charset=utf-8"},
	{"Content-Type", "application/xml"}, {"Set-Cookie", "a=b; Path=/"}, {"Set-Cookie", "c=d"}, {"ETag", `"a"`}, {"Retry-After", "0"}, {"Content-Length", "99"},
	{"Cache-Control", "max-age=60"}, {"WWW-Authenticate", `Basic realm="a"`}, {"Link", `<http://example.com/?page=2>; rel="next"`}}

// replyFailures are errors of what clients have between themselves and servers.
var replyFailures = []string{"connection refused", "EOF", "timeout"}

// reply is the text of an answer.
func (b *builder) reply() string {
	r := b.g.r
	if r.Chance(8) {
		return replyFailures[r.Intn(len(replyFailures))]
	}
	status := replyStatuses[r.Intn(len(replyStatuses))]
	if r.Chance(35) {
		status = replyStatuses[0]
	}
	text := "HTTP/1.1 " + strconv.Itoa(status.code) + " " + status.text + "\n"
	add := func(name, value string) {
		if isFieldName(name) {
			text += name + ": " + strings.TrimSpace(oneLine(value)) + "\n"
		}
	}
	if status.code/100 == 3 && r.Chance(85) {
		place := replyPlaces[r.Intn(len(replyPlaces))]
		if s := b.text(spot{-1, -1}); r.Chance(25) && strings.Contains(s, "/") {
			place = s
		}
		add("Location", place)
	}
	body := b.replyBody()
	if (strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[")) && r.Chance(60) {
		add(replyFields[0][0], replyFields[0][1])
	}
	for n := r.few(3); n > 0; n-- {
		field := replyFields[r.Intn(len(replyFields))]
		if list := b.g.m.answerFields; len(list) > 0 && r.Chance(60) {
			if field = list[r.Intn(len(list))]; field[1] == "" || r.Chance(20) {
				field[1] = b.text(spot{-1, -1})
			}
		}
		add(field[0], field[1])
	}
	return text + "\n" + body
}

// replyBody is the body of an answer: mostly what encodes something, as tests of the code say it.
func (b *builder) replyBody() string {
	r := b.g.r
	if near, _ := b.g.documents(); len(near) > 0 && r.Chance(40) {
		return b.document("")
	}
	if list := b.g.plain.encodedTexts(); len(list) > 0 && r.Chance(50) {
		s := list[r.Intn(len(list))]
		if r.Chance(25) {
			s = b.g.plain.change(r, s)
		}
		return s
	}
	if r.Chance(50) {
		return []string{"", "{}", "[]", "null", `{"a":1}`, `"a"`, "a", "{"}[r.Intn(8)]
	}
	return b.text(spot{-1, -1})
}

// encodedTexts are the texts that look like objects, lists or documents.
func (p *Plain) encodedTexts() []string {
	if p.encoded == nil {
		p.encoded = []string{}
		for _, list := range p.texts {
			for _, s := range list {
				s = strings.TrimSpace(s)
				if len(s) > 1 && (s[0] == '{' && s[len(s)-1] == '}' || s[0] == '[' && s[len(s)-1] == ']' || s[0] == '<' && s[len(s)-1] == '>') {
					p.encoded = append(p.encoded, s)
				}
			}
		}
	}
	return p.encoded
}

// oneLine is a text without what ends a line or is not printed.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

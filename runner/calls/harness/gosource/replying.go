//go:build go1.21

package gosource

import (
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// replyingSource is what a test declares in place of serving.Replying, repliedSource in place of
// serving.Replied. Packages stand before their names in parentheses.
const (
	replyingSource = `// replying answers what clients ask, in place of servers: the answers one after the other, the last
// one again and again. What was sent is noted.
func replying(called *[]string, answers ...string) func(*(net/http)Request) (*(net/http)Response, error) {
	var mu (sync)Mutex
	n := 0
	return func(r *(net/http)Request) (*(net/http)Response, error) {
		mu.Lock()
		defer mu.Unlock()
		text := r.Method + " " + r.URL.String()
		if r.Host != "" && r.Host != r.URL.Host {
			text += " of " + r.Host
		}
		var lines []string
		for name, values := range r.Header {
			for _, v := range values {
				lines = append(lines, "\n"+name+": "+v)
			}
		}
		(sort)Strings(lines)
		text += (strings)Join(lines, "")
		if r.Body != nil {
			body, err := (io)ReadAll(r.Body)
			r.Body.Close()
			text += "\n\n" + string(body)
			if err != nil {
				text += "\n" + err.Error()
			}
		}
		*called = append(*called, text)
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		text = answers[n]
		if n < len(answers)-1 {
			n++
		}
		if !(strings)HasPrefix(text, "HTTP/") {
			return nil, (errors)New(text)
		}
		return (net/http)ReadResponse((bufio)NewReader((strings)NewReader(text)), r)
	}
}
`
	repliedSource = `// replied is the answer that a text is.
func replied(text string) *(net/http)Response {
	a, err := (net/http)ReadResponse((bufio)NewReader((strings)NewReader(text)), nil)
	if err != nil {
		panic(err)
	}
	return a
}
`
)

// declaring names a function that a test has to declare for itself; packages are those whose names
// its source has in parentheses.
func (w *writer) declaring(name, source string, packages ...string) string {
	w.own[name] = true
	for _, s := range w.stubs {
		if s.Name == name {
			return name
		}
	}
	for _, path := range packages {
		source = strings.ReplaceAll(source, "("+path+")", w.std(path))
	}
	w.stubs = append(w.stubs, wire.Stub{Name: name, Text: source})
	return name
}

// replies writes a function that answers clients.
func (w *writer) replies(l wire.Lit) string {
	ref, answers, ok := harness.RepliesOf(l)
	if !ok {
		return w.fail("what answers clients %v", harness.ErrInvalid)
	}
	list := "new([]string)"
	if ref.Form == wire.Ref {
		if int(ref.N) >= len(w.results) || ref.U >= len(w.results[ref.N]) {
			return w.fail("what answers clients %v", harness.ErrInvalid)
		}
		list = "&" + w.results[ref.N][ref.U]
	}
	e := w.declaring(harness.Replying, replyingSource, "bufio", "errors", "io", "net/http", "sort", "strings", "sync") + "(" + list
	for _, a := range answers {
		e += ", " + w.text(a)
	}
	return e + ")"
}

// reply writes an answer.
func (w *writer) reply(l wire.Lit) string {
	if len(l.E) != 1 {
		return w.fail("an answer %v", harness.ErrInvalid)
	}
	return w.declaring(harness.Replied, repliedSource, "bufio", "net/http", "strings") + "(" + w.text(l.E[0].S) + ")"
}

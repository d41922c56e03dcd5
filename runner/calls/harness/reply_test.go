package harness

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/harness/serving"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Answers are made as servers send them: nearly all can be read.
func TestReplies(t *testing.T) {
	t.Parallel()
	plain := NewPlain()
	plain.AddText(wire.NearTests, `{"name":"a"}`)
	b := &builder{g: &generator{m: NewMachine(&Registry{answerFields: [][2]string{{"X-Rate", "1"}}}), r: NewRand(1), plain: plain}}
	read, redirects, named, encoded := 0, 0, 0, 0
	for range 500 {
		text := b.reply()
		f := serving.Replying(func(string) {}, []string{text})
		r, _ := http.NewRequest("GET", "http://example.com/", nil)
		a, err := f(r)
		if err != nil {
			continue
		}
		read++
		if _, err := a.Location(); err == nil {
			redirects++
		}
		if a.Header.Get("X-Rate") != "" {
			named++
		}
		if strings.Contains(text, `"name"`) {
			encoded++
		}
	}
	if read < 400 || redirects < 20 || named < 50 || encoded < 100 {
		t.Errorf("%d answers, %d redirects, %d with the field of the code, %d with the body of the tests", read, redirects, named, encoded)
	}
}

// What a client sends is told in the list, and the answers come one after the other.
func TestReplyingFunc(t *testing.T) { // not parallel: it registers
	r := newRegistry()
	was := registry
	registry = r
	Replies(serving.Replying, serving.Replied, (*http.Client)(nil))
	registry = was
	r.requestType = reflect.TypeFor[*http.Request]()
	m := NewMachine(r)
	list := reflect.New(ListType).Elem()
	m.Vars = [][]reflect.Value{{list}}
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	l := wire.Lit{Form: wire.Special, S: wire.SpecialReplies, E: []wire.Lit{wire.RefTo(0, 0), text("HTTP/1.1 302 Found\nLocation: /b\n\n"), text("refused")}}
	v, err := m.Build(l, reflect.TypeFor[func(*http.Request) (*http.Response, error)]())
	if err != nil {
		t.Fatal(err)
	}
	c := http.Client{Transport: tripper(v.Interface().(func(*http.Request) (*http.Response, error)))}
	_, err = c.Post("http://example.com/a", "text/plain", strings.NewReader("sent"))
	if err == nil || !strings.HasSuffix(err.Error(), "refused") {
		t.Error(err)
	}
	got := list.Interface().([]string)
	if len(got) != 2 || got[0] != "POST http://example.com/a\nContent-Type: text/plain\n\nsent" || !strings.HasPrefix(got[1], "GET http://example.com/b") {
		t.Errorf("told: %q", got)
	}
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

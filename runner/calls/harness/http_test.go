package harness

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestPeekedBodies(t *testing.T) {
	t.Parallel()
	client := func(body io.Reader) *http.Request {
		r, err := http.NewRequest("POST", "/", body)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	partly := httptest.NewRequest("POST", "/", strings.NewReader("abc"))
	if _, err := partly.Body.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		r     *http.Request
		want  string
		known bool
	}{
		"a text":              {httptest.NewRequest("POST", "/", strings.NewReader("abc")), "abc", true},
		"what is left of one": {partly, "bc", true},
		"bytes":               {client(bytes.NewReader([]byte("abc"))), "abc", true},
		"a buffer":            {client(bytes.NewBufferString("abc")), "abc", true},
		"none":                {client(nil), "", false},
		"no body":             {httptest.NewRequest("GET", "/", nil), "", true},
		"a file":              {client(os.Stdin), "", false},
	} {
		body := reflect.ValueOf(test.r).Elem().FieldByName("Body")
		for range 2 { // peeking uses nothing up
			if got, known := Peeked(body); got != test.want || known != test.known {
				t.Errorf("%s: %q, %t", name, got, known)
			}
		}
	}
}

func TestAnswering(t *testing.T) {
	t.Parallel()
	m := NewMachine(&Registry{})
	for how, want := range map[Answering]string{
		AnswerStatus: "404 b",
		AnswerBody:   "200 b",
		AnswerAsked:  "200 POST /p?q=1",
		AnswerCopy:   "200 sent",
		AnswerPanic:  "panic b",
		AnswerReader: "200 b",
		AnswerFlush:  "404 bb",
		AnswerField:  "404 b of text/x",
		answerings:   "404 b",
	} {
		l := wire.Lit{Form: wire.Special, S: wire.SpecialFunc, E: []wire.Lit{{Form: wire.Int, N: 404}, {Form: wire.Text, S: "b"}, {Form: wire.Int, N: int64(how)},
			{Form: wire.Text, S: "Content-Type"}, {Form: wire.Text, S: "text/x"}}}
		f := m.answering(l, reflect.TypeFor[http.HandlerFunc]()).Interface().(http.HandlerFunc)
		got := func() (text string) {
			defer func() {
				if p := recover(); p != nil {
					text = "panic " + p.(string)
				}
			}()
			w := httptest.NewRecorder()
			f(w, httptest.NewRequest("POST", "/p?q=1", strings.NewReader("sent")))
			text = strings.Fields(w.Result().Status)[0] + " " + w.Body.String()
			if w.Header().Get("Content-Type") == "text/x" {
				text += " of text/x"
			}
			return text
		}()
		if got != want {
			t.Errorf("%d: %s, want %s", how, got, want)
		}
	}
}

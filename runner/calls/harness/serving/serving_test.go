package serving

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What a handler does with its connection shows in the answer, and Serve ends whatever it does.
func TestServe(t *testing.T) {
	for _, tc := range []struct {
		name    string
		handler http.HandlerFunc
		code    int
		body    string
	}{
		{"writes", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "a") }, 200, "a"},
		{"says what it was asked", func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			io.WriteString(w, r.Method+" "+r.Host+r.URL.String()+" "+r.Header.Get("X-A")+" "+string(body))
		}, 200, "POST example.com/a?b=c d text"},
		{"copies from a reader", func(w http.ResponseWriter, _ *http.Request) { io.CopyN(w, strings.NewReader("abc"), 2) }, 200, "ab"},
		{"flushes", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "a")
			w.(http.Flusher).Flush()
			io.WriteString(w, "b")
		}, 200, "ab"},
		{"panics", func(http.ResponseWriter, *http.Request) { panic("a") }, 0, ""},
		{"writes less than it says", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5")
			io.WriteString(w, "abc")
		}, 200, "abc"},
		{"hijacks", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
		}, 101, ""},
		{"hijacks and is silent", func(w http.ResponseWriter, _ *http.Request) { w.(http.Hijacker).Hijack() }, 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/a?b=c", strings.NewReader("text"))
			r.Header.Set("X-A", "d")
			w := Serve(tc.handler, r)
			if w.Code != tc.code || w.Body.String() != tc.body {
				t.Errorf("%d %q, want %d %q", w.Code, w.Body, tc.code, tc.body)
			}
			if r.Close || w.Header().Get("Date") != "" {
				t.Errorf("the request is changed, or the answer has the time: %v", w.Header())
			}
		})
	}
}

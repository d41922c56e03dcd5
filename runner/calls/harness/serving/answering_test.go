package serving

import (
	"io"
	"net/http"
	"testing"
)

// What clients ask through the usual transport is answered until that ends, and what was asked is told.
func TestAnswer(t *testing.T) { // not parallel: it changes http.DefaultTransport
	before := http.DefaultTransport
	Unanswered()
	if Unanswered() {
		t.Error("nothing was asked")
	}
	for range 2 {
		var told []string
		Answer(Replying(func(text string) { told = append(told, text) }, []string{"HTTP/1.1 200 OK\n\nb"}))
		for _, url := range []string{"http://example.com/a", "https://example.com/a"} {
			resp, err := http.Get(url)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(resp.Body); string(text) != "b" {
				t.Errorf("%q %v", text, err)
			}
		}
		if len(told) != 2 || told[1] != "GET https://example.com/a" {
			t.Errorf("told: %q", told)
		}
		if Unanswered() || http.DefaultTransport != before {
			t.Error("asked although it was answered, or not put back")
		}
	}
	http.Get("http://127.0.0.1:1/")
	if Unanswered() {
		t.Error("this machine was asked alone")
	}
	http.Get("http://isodelta.invalid/")
	if !Unanswered() {
		t.Error("not told that a server was asked")
	}
}

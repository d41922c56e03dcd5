package surface

import (
	"fmt"
	"slices"
	"testing"
)

// A module that names header fields in all the ways that are understood.
const naming = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import (
	"net/http"
	"strings"
)

const signature = "x-signature"

func Page(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Level") == "debug" {
		w.Header().Set("Vary", "X-Level")
	}
	kind := strings.ToLower(r.Header.Get("Content-Type"))
	switch kind {
	case "text/csv", "text/tsv":
	}
	if strings.HasPrefix(r.Header.Get("Authorization"), "Token ") || kind == "other" {
		return
	}
	for _, part := range strings.Split(r.Header.Get("Accept"), ",") {
		if strings.TrimSpace(part) == "image/webp" {
			return
		}
	}
	_ = r.Header[signature]
	_ = header(r, "Trace")
	_, _ = r.Cookie("session")
	_ = strings.Contains("not", "a field")
}

func header(r *http.Request, name string) string { return r.Header.Get(name) }

func Answered(a *http.Response) bool { return a.Header.Get("Location") == "/next" }
-- m_test.go --
package m

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestPage(t *testing.T) {
	for _, c := range []struct{ headers map[string]string }{{headers: map[string]string{"X-Tried": "yes"}}} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("If-Match", "*")
		r.Header = http.Header{"Te": {"trailers"}}
		for k, v := range c.headers {
			r.Header.Add(k, v)
		}
		w := httptest.NewRecorder()
		Page(w, r)
		if w.Header().Get("Vary") != "X-Level" {
			t.Error(w.Header())
		}
	}
}
`

func TestHeaderFields(t *testing.T) {
	t.Parallel()
	p := find(loaded(t, lay(t, naming)), "example.com/m")
	var got []string
	for f := range headerFields(p.Code, p.Test, p.XTest) {
		got = append(got, fmt.Sprintf("%s: %s (%t)", f.name, f.value, f.ofAnswer))
	}
	slices.Sort(got)
	for _, want := range []string{
		"X-Level: debug (false)", "Vary: X-Level (true)", "Content-Type: text/csv (false)", "Content-Type: text/tsv (false)",
		"Content-Type: other (false)", "Authorization: Token (false)", "Accept: image/webp (false)", "x-signature:  (false)",
		"Location: /next (true)", "X-Tried: yes (false)", "If-Match: * (false)", "Te: trailers (false)",
		"Cookie: session=a (false)",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not found in %q", want, got)
		}
	}
	for _, f := range got {
		if f == "not: a field (false)" || f == "not:  (false)" {
			t.Error(f)
		}
	}
}

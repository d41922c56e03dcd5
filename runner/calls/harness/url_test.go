package harness

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCutURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]urlParts{
		"http://a:b@c:80/d?e=f#g":   {scheme: "http", user: "a:b@", host: "c", port: ":80", path: "/d", query: "?e=f", fragment: "#g"},
		"see ftp://a/b, and":        {before: "see ", scheme: "ftp", host: "a", path: "/b", behind: ", and"},
		"http://[::1]:80":           {scheme: "http", host: "[::1]", port: ":80"},
		"http://[::1]/a:b":          {scheme: "http", host: "[::1]", path: "/a:b"},
		"://?a/b":                   {query: "?a/b"},
		`{"u":"https://a.b/c?d@e"}`: {before: `{"u":"`, scheme: "https", host: "a.b", path: "/c", query: "?d@e", behind: `"}`},
	} {
		got, ok := cutURL(text)
		if !ok || got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	if _, ok := cutURL("a:/b"); ok {
		t.Error("no URL")
	}
}

// A URL that is cut is put together again as it was, whatever the text.
func TestURLStaysWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-c "]{0,3}[a-z]{0,4}://[a-c:@/?#\[\]"]{0,12}`).Draw(t, "text")
		if u, ok := cutURL(text); ok && u.text() != text {
			t.Errorf("%q became %q", text, u.text())
		}
	})
}

// Texts with a URL are changed in its parts, too.
func TestURLsAreChangedInParts(t *testing.T) {
	t.Parallel()
	r, p := NewRand(1), NewPlain()
	var seen []string
	for range 2000 {
		seen = append(seen, p.change(r, "http://example.com"))
	}
	for _, want := range []string{"http://a:b@example.com", "http://example.com:8080", "http://example.com/a/", "https://example.com", "http://example.com?a=b"} {
		if !slices.Contains(seen, want) {
			t.Errorf("%s was not made", want)
		}
	}
}

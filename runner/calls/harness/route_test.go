package harness

import (
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"testing"
)

// A route's parameters get values that it takes, so that a request for it finds it.
func TestFilledRoutes(t *testing.T) {
	t.Parallel()
	for route, want := range map[string]string{
		"/items/{id}":               `^/items/[^/{}]+$`,
		"/items/{id:[0-9]{2,3}}/x":  `^/items/[0-9]{2,3}/x$`,
		"/{kind:a|b}/{rest:.+}":     `^/[ab]/.+$`,
		"/items/:id/parts":          `^/items/[1a]/parts$`,
		"/files/*path":              `^/files/[1a]$`,
		"/at{open":                  `^/at.*open$`,
		"/{name:(?P<x>[^/]+)}":      `^/[a-z]+$`,
		"{sub:[a-z]{3}}.example.ab": `^[a-z]{3}\.example\.ab$`,
	} {
		r := NewRand(1)
		for range 50 {
			if got := filled(r, route); !regexp.MustCompile(want).MatchString(got) {
				t.Errorf("%s: %s", route, got)
			}
		}
	}
}

// A query can be read, holds keys twice and such without a value, and what is in it is a text of
// the code.
func TestQueries(t *testing.T) {
	t.Parallel()
	b := newGenerator(NewMachine(newRegistry()), NewPlain(), 3).builder(nil)
	twice, empty := 0, 0
	for range 500 {
		text := b.query()
		values, err := url.ParseQuery(text)
		if err != nil || len(values) == 0 {
			t.Fatalf("%q: %v, %v", text, values, err)
		}
		for _, list := range values {
			if len(list) > 1 {
				twice++
			}
			if slices.Contains(list, "") {
				empty++
			}
		}
	}
	if twice == 0 || empty == 0 {
		t.Errorf("%d keys stand twice, %d have no value", twice, empty)
	}
	if got, err := url.QueryUnescape(escaped("a b&c=é%+")); got != "a b&c=é%+" || err != nil {
		t.Errorf("read back: %q, %v", got, err)
	}
}

// What is made of a host is where a request can go.
func TestHosts(t *testing.T) {
	t.Parallel()
	r := NewRand(1)
	ports := 0
	for range 100 {
		target := hostOf(r, "{sub:[a-z]+}.example.ab") + "/a"
		q := httptest.NewRequest("GET", target, nil)
		if !regexp.MustCompile(`^[a-z]+\.example\.ab(:[0-9]+)?$`).MatchString(q.Host) || q.URL.Path != "/a" {
			t.Errorf("%s: host %q, path %q", target, q.Host, q.URL.Path)
		}
		if q.URL.Port() != "" {
			ports++
		}
		if q := httptest.NewRequest("GET", hostOf(r, "example.ab:99"), nil); q.Host != "example.ab:99" {
			t.Errorf("host %q", q.Host)
		}
	}
	if ports == 0 || ports == 100 {
		t.Errorf("%d of 100 hosts have ports", ports)
	}
}

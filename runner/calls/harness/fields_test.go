package harness

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestLooksLikeField(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Accept": true, "X-Tag": true, "accept-encoding": true, "x-request-id": true, "ETag-Of": true,
		"accept": false, "a-b": false, "x-": false, "X Tag": false, "-": false, "": false, "well-known": false,
	} {
		if got := looksLikeField(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// What a request has twice is sent twice, and written down twice.
func TestFieldsTwice(t *testing.T) {
	t.Parallel()
	m := NewMachine(&Registry{
		requestType: reflect.TypeFor[*http.Request](),
		request: func(method, target, _ string) reflect.Value {
			return reflect.ValueOf(httptest.NewRequest(method, target, nil))
		},
	})
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	l := wire.Lit{Form: wire.Special, S: wire.SpecialRequest, E: []wire.Lit{text("GET"), text("/"), text(""),
		text("X-Tag"), text("a"), text("x-tag"), text("b"), text("Accept"), text("*/*")}}
	v, err := m.newRequest(l, m.requestType)
	if err != nil {
		t.Fatal(err)
	}
	header := v.Interface().(*http.Request).Header
	if got := header.Values("X-Tag"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("sent: %q", got)
	}
	w := &literalWriter{Registry: m.Registry}
	if got := RequestHeaders(w.writtenRequest(v)); !slices.Equal(got, []string{"Accept", "*/*", "X-Tag", "a", "X-Tag", "b"}) {
		t.Errorf("written down: %q", got)
	}
}

// A field that is negotiated about gets lists with qualities; what the code names comes with the
// value that the code compares it with.
func TestFieldValues(t *testing.T) {
	t.Parallel()
	m := NewMachine(&Registry{requestFields: [][2]string{{"X-Level", "debug"}}})
	b := &builder{g: &generator{m: m, r: NewRand(1), plain: NewPlain()}}
	lists, said := 0, 0
	for range 200 {
		if v := b.fieldValue("accept"); strings.Contains(v, ",") && strings.Contains(v, ";q=") {
			lists++
		}
		if b.fieldValue("x-level") == "debug" {
			said++
		}
	}
	if lists < 20 || said < 60 {
		t.Errorf("%d lists, %d values that the code names", lists, said)
	}
}

package calls

import (
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What is left of an answer while it is made simpler stays an answer with a status, or a failure.
func TestSimplerReplies(t *testing.T) {
	t.Parallel()
	const text = "HTTP/1.1 302 Found\nLocation: /a/b\nSet-Cookie: a=b\n\n{\"a\":1}"
	got := simplerReplies(text)
	for _, want := range []string{"HTTP/1.1 200 OK\n\n", "HTTP/1.1 302 Found\n\n", "HTTP/1.1 302 Found\nLocation: /a/b\n\n{\"a\":1}"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	for _, s := range got {
		if s == text || !strings.HasPrefix(s, "HTTP/1.1 302 Found\n") && !strings.HasPrefix(s, "HTTP/1.1 200 OK\n") {
			t.Errorf("%q", s)
		}
	}
	if got := simplerReplies("EOF"); got != nil {
		t.Errorf("a failure: %q", got)
	}
	list := wire.Lit{Form: wire.Special, S: wire.SpecialReplies, E: []wire.Lit{{}, {Form: wire.Text, S: "EOF"}, {Form: wire.Text, S: text}}}
	variants(list, false, func(l wire.Lit) bool {
		if len(l.E) < 2 || l.E[0].Form != wire.Zero {
			t.Errorf("%v", l)
		}
		return true
	})
}

package harness

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A session that is told its name finds a cookie by that name in requests that come later, and now and then a header
// field or a key of the query.
func TestRequestsHaveWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	g := newGenerator(NewMachine(&Registry{}), NewPlain(), 1)
	p := wire.Sequence{{Op: wire.Builtins, Args: []wire.Lit{{Form: wire.Text, S: "mysession"}, {Form: wire.Text, S: "a key; or so"}, {Form: wire.Text, S: "GET"}}}}
	b := &builder{g: g, p: p}
	if names := b.askedNames(); len(names) != 1 || names[0] != "mysession" {
		t.Fatalf("asked for %q", names)
	}
	cookies, keys := 0, 0
	for range 400 {
		if name, value := b.field(); name == "Cookie" && strings.HasPrefix(value, "mysession=") {
			cookies++
		}
		if strings.Contains("&"+b.query(), "&mysession") {
			keys++
		}
	}
	if cookies < 10 || keys < 40 {
		t.Errorf("%d cookies and %d keys by that name", cookies, keys)
	}
}

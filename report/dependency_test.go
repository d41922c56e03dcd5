package report

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// Each dependency that both versions are built with says what of it matters here, those that
// the code reaches first; only where its page is known it is a link.
func TestUpgradesInMarkdown(t *testing.T) {
	t.Parallel()
	s := &event.Stream{Matches: []event.Match{{Dependencies: []event.Dependency{
		{Module: "golang.org/x/net", Base: "v0.1.0", Head: "v0.2.0", Functions: 3},
		{Module: "github.com/o/dep/v2", Base: "v2.4.0", Head: "v2.5.0", Functions: 30, Reached: 14, Callers: 2},
		{Module: "example.com/added", Head: "v1.0.0"},
		{Module: "example.com/asserts", Base: "v1.0.0", Head: "v1.1.0", OnlyTests: true},
		{Module: "example.com/huge", Base: "v1.0.0", Head: "v1.1.0", NotCompared: true},
	}}}}
	var b strings.Builder
	if err := Markdown(&b, s, MarkdownOptions{}); err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, want := range []string{
		"`github.com/o/dep/v2` <a href=\"https://github.com/o/dep/compare/v2.4.0...v2.5.0\">`v2.4.0` → `v2.5.0`</a>: 14 functions that you reach changed, from 2 functions here",
		"`golang.org/x/net` `v0.1.0` → `v0.2.0`: no call here is known to reach the 3 functions that changed",
		"`example.com/asserts` `v1.0.0` → `v1.1.0`: only tests are built with what changed",
		"`example.com/huge` `v1.0.0` → `v1.1.0`: its functions were not compared",
	} {
		i := strings.Index(b.String(), want)
		if i <= at {
			t.Errorf("%q stands at %d, not after %d, in\n%s", want, i, at, b.String())
		}
		at = i
	}
	if strings.Contains(b.String(), "example.com/added") {
		t.Error("what only one version is built with is no upgrade")
	}
}

package expectation

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// An edited test that fails on base explains the same values in the same code. It does not explain other values, fields or code.
func TestOfMessage(t *testing.T) {
	t.Parallel()
	test := event.Finding{Rung: event.Observed, Intended: true, Test: "TestPath", Package: "example.com/p", File: "p/read.go", Changed: []string{"p.read"},
		Base: event.Result{Outcome: event.Fail, Message: `read_test.go:36: Path does not match. Got "/root", expected "/tmp"`}, Head: event.Result{Outcome: event.Pass}}
	finding := event.Finding{Rung: event.Observed, Test: "TestOther", Package: "example.com/p", File: "p/read.go", Changed: []string{"p.parse", "p.read"}}
	for _, c := range []struct {
		name       string
		base, head string
		set        func(f, t *event.Finding)
		want       bool
	}{
		{"the same values", `Options{Way:"/root" N:1}`, `Options{Way:"/tmp" N:1}`, nil, true},
		{"the same field", `Options{Path:"/home" N:1}`, `Options{Path:"/tmp" N:1}`, nil, true},
		{"in a test that fails on both", `Options{Way:"/root" N:1}`, `Options{Way:"/tmp" N:1}`, func(f, _ *event.Finding) { f.Base.Outcome, f.Head.Outcome = event.Fail, event.Fail }, true},
		{"in one that fails on base alone", `Options{Way:"/root" N:1}`, `Options{Way:"/tmp" N:1}`, func(f, _ *event.Finding) { f.Base.Outcome = event.Fail }, false},
		{"another field and another value before", `Options{Way:"/home" N:1}`, `Options{Way:"/tmp" N:1}`, nil, false},
		{"another value", `Options{Path:"/root"}`, `Options{Path:"/var"}`, nil, false},
		{"something else besides", `Options{Path:"/root" Name:"a1"}`, `Options{Path:"/tmp" Name:"b1"}`, nil, false},
		{"nothing that tells", `Options{Path:"/root"}`, `Options{Path:""}`, nil, false},
		{"other code", `Options{Path:"/root"}`, `Options{Path:"/tmp"}`, func(f, _ *event.Finding) { f.Changed = []string{"p.parse"} }, false},
		{"another package", `Options{Path:"/root"}`, `Options{Path:"/tmp"}`, func(f, _ *event.Finding) { f.Package = "example.com/q" }, false},
		{"a test that is not edited", `Options{Path:"/root"}`, `Options{Path:"/tmp"}`, func(_, t *event.Finding) { t.Intended = false }, false},
		{"a test that passes on base", `Options{Path:"/root"}`, `Options{Path:"/tmp"}`, func(_, t *event.Finding) { t.Base.Outcome = event.Pass }, false},
		{"with a branch forced", `Options{Path:"/root"}`, `Options{Path:"/tmp"}`, func(f, _ *event.Finding) { f.Rung = event.Forced }, false},
	} {
		f, failing := finding, test
		f.Base, f.Head = event.Result{Outcome: event.Pass, Value: c.base}, event.Result{Outcome: event.Pass, Value: c.head}
		if c.set != nil {
			c.set(&f, &failing)
		}
		got := Edits{}.Mark([]event.Finding{f, failing})[0]
		if (got.Expected != nil) != c.want || got.Expected != nil && (got.Expected.File != "p/read_test.go" || got.Expected.Line != 36) {
			t.Errorf("%s: %+v, want one %t", c.name, got.Expected, c.want)
		}
	}
}

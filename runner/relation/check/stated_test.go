package check

import (
	"slices"
	"testing"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation/relationtest"
	"github.com/isodelta/isodelta/runner/stage"
)

const statedModule = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func seal(s string) string { return "<" + s }

func Open(s string) string { return s[1:] }

func Twice(n int) int { return 2 * n }
-- m_test.go --
package m

import "testing"

func TestOpen(t *testing.T) {
	if got := Open(seal("a")); got != "a" {
		t.Error(got)
	}
}

func FuzzTwice(f *testing.F) {
	n := 0
	f.Fuzz(func(t *testing.T, x int) { n += Twice(x) })
}
`

// TestStated: what tests state is registered before templates, of a function that is not
// exported, too, where a later call shows the change. Bodies that are left out are listed,
// once.
func TestStated(t *testing.T) {
	t.Parallel()
	_, tree := relationtest.Module(t, statedModule)
	api, err := surface.NewAPI(tree, tree, tree, "example.com/m", surface.NewHooks(tree, tree, func(string) bool { return true }))
	if err != nil {
		t.Fatal(err)
	}
	emitted := &events{}
	env := &stage.Env{Sink: emitted, Plan: budget.Plan{Total: time.Minute, RelationsOnly: true}}
	r := &Registrar{Env: env, Surface: &reach.Surface{Everything: true}, Tests: tree, Everything: true}
	r.Register(api)
	r.Register(api)
	if len(api.Relations) == 0 {
		t.Fatal("nothing is registered")
	}
	if got := api.Relations[0]; got.Notation != "Open(seal(s)) = s" || got.Source != event.FromTest || got.At != "m_test.go:6" {
		t.Errorf("first is %s from %s at %s", got.Notation, got.Source, got.At)
	}
	if n := len(emitted.limits()); n != 1 {
		t.Errorf("%d limits: %v", n, emitted.limits())
	}
	name := func(op wire.Op) string { return api.Op(op).Name }
	for changed, want := range map[string]bool{"Open": true, "seal": true, "Twice": false} {
		list := r.sources(api, func(op wire.Op) bool { return name(op) == changed })
		if got := slices.ContainsFunc(list, func(op wire.Op) bool { return name(op) == "seal" }); got != want {
			t.Errorf("where %s changed, seal is a source: %v", changed, got)
		}
	}
}

package calls

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

func TestWriteTaking(t *testing.T) {
	t.Parallel()
	base := TestSpec{ID: "7true", Function: "Push", Package: "example.com/m", Name: "m", Place: wire.Place{Kind: wire.AtComponent},
		Code: wire.Code{Lines: []string{"got := " + wire.Qualifier("example.com/m") + "Push(3)"}, Call: wire.Qualifier("example.com/m") + "Push(3)",
			Imports: map[string]string{"example.com/m": "m"}, Subject: "got"},
		BaseViews: wire.Views{List: []wire.View{{Style: wire.StyleEqual, Expr: wire.SubjectMark, Literal: "4", Address: true},
			{Style: wire.StyleEqual, Expr: wire.SubjectMark, Literal: "5"}}}}
	panics := base
	panics.BaseViews, panics.Place = wire.Views{Ending: probe.Panicked}, wire.Place{Kind: wire.AtEnding}
	panics.Code.Lines = []string{wire.Qualifier("example.com/m") + "Push(3)"}
	calls := panics
	calls.BaseViews = wire.Views{}
	inside := base
	inside.Code.Internal = true
	for _, c := range []struct {
		name string
		spec TestSpec
		want []string
		not  string
	}{
		{"value", base, []string{"package m_test", "// TestIsodeltaPush_7true: m.go:7: x > 2 is true.\n", "got := m.Push(3)", "if got != 5 {"}, "recover"},
		{"panic", panics, []string{"if recover() == nil {", "m.Push(3)"}, "want 5"},
		{"nothing to look at", calls, []string{"\tm.Push(3)\n}"}, "t.Err"},
		{"unexported", inside, []string{"package m\n", "got := Push(3)"}, "m.Push(3)\n"},
	} {
		text, err := WriteTaking(c.spec, "m.go:7: x > 2 is true")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		if strings.Contains(string(text), c.not) {
			t.Errorf("%s: %q in\n%s", c.name, c.not, text)
		}
	}
	external := inside
	external.Code.External = true
	if _, err := WriteTaking(external, ""); err == nil {
		t.Error("a test cannot be in the package and outside")
	}
}

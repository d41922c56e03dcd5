package relation_test

import (
	"testing"

	"github.com/isodelta/isodelta/runner/relation"
)

// Relations have one form if they expect the same of the outputs, whatever their
// variables and constants are called, and none with one call.
func TestOutputForm(t *testing.T) {
	t.Parallel()
	of := func(check string, calls int, param, first, second string) string {
		r := relation.Relation{Form: relation.Form{Params: []relation.Param{{Name: param, Type: "int"}}, Check: check,
			Calls: []relation.Call{{Results: []string{first}}, {Results: []string{second, "_"}}}[:calls]}}
		return r.OutputForm()
	}
	for _, c := range []struct {
		check                string
		param, first, second string
		want                 string
	}{
		{"Equal(y, z)", "x", "y", "z", "equal"},
		{"Equal(followup, result)", "n", "result", "followup", "equal"},
		{"after == before", "n", "before", "after", "equal"},
		{"Equal(z, -y)", "x", "y", "z", "negated"},
		{"y <= z", "x", "y", "z", "ordered"},
		{"Equal(z, y+3)", "x", "y", "z", "Equal(o1, o0+c)"},
		{"Equal(b, a + 12.5)", "x", "a", "b", "Equal(o1, o0 + c)"},
		{"len(z) == len(y)", "x", "y", "z", "len(o1) == len(o0)"},
		{"z == y+x", "x", "y", "z", "o1 == o0+p"},
		{`z == "p:" + y`, "x", "y", "z", "o1 == c + o0"},
	} {
		if got := of(c.check, 2, c.param, c.first, c.second); got != c.want {
			t.Errorf("%s: %q, want %q", c.check, got, c.want)
		}
	}
	if got := of("y >= 0", 1, "x", "y", ""); got != "" {
		t.Errorf("one call has the form %q", got)
	}
}

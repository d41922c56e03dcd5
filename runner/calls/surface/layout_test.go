package surface

import (
	"strings"
	"testing"
)

// A type that is of another kind on one version has no fields that both have, and is looked at on neither where it is given
// as a value.
func TestLayoutOfAnotherKind(t *testing.T) {
	t.Parallel()
	const rest = "\n\nfunc New(s string) Source { panic(s) }\n\nfunc Lex(s Source, n *int) { *n++ }\n"
	tree := func(source string) string {
		return lay(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.21\n-- m.go --\npackage m\n\n"+source+rest)
	}
	base, head := loaded(t, tree("type Source []rune")), loaded(t, tree("type Source struct{ raw string }"))
	api := apiOf(t, base, head, head, "example.com/m")
	if file := string(api.File()); !strings.Contains(file, "isodeltaH.Layout((*Source)(nil))") {
		t.Errorf("not registered in\n%s", file)
	}
	for _, o := range api.All() {
		if o.Name == "Lex" && (changeable(o.params[0], o.partial) || !changeable(o.params[1], o.partial)) {
			t.Errorf("%v are looked at otherwise", o.params)
		}
	}
}

package surface

import (
	"go/types"
	"slices"
	"testing"
)

// TestRegistered tells under which texts functions are handed out that nobody calls by their names.
func TestRegistered(t *testing.T) {
	t.Parallel()
	p := typed(t, `package p
type filter func(string) string
type command struct { name string; aliases []string; run filter }
type engine struct{}
func (engine) upper(s string) string { return s }
func Register(name string, f filter) {}
func pprint(s string) string { return s }
var filters = map[string]filter{"pretty": pprint, "other": same}
var commands = []*command{{name: "print", run: pprint}, {name: "same", run: same}}
func same(s string) string { return s }
func init() {
	Register("pp", pprint)
	Register("up", engine{}.upper)
	_ = pprint("called")
}
`)
	scope := p.Types.Scope()
	upper, _, _ := types.LookupFieldOrMethod(scope.Lookup("engine").Type(), false, p.Types, "upper")
	c := newCollection()
	c.registered(p, map[types.Object]bool{scope.Lookup("pprint"): true, upper: true})
	if want := []string{"pretty", "print", "pp", "up"}; !slices.Equal(c.texts, want) {
		t.Errorf("handed out as %q, want %q", c.texts, want)
	}
}

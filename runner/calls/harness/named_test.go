package harness

import (
	"reflect"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	r := &Registry{Ops: make([]Operation, wire.Builtins)}
	r.Ops = append(r.Ops,
		Operation{Name: "lower", Fn: reflect.ValueOf(strings.ToLower)},
		Operation{Name: "Upper", Exported: true, Fn: reflect.ValueOf(strings.ToUpper)},
		Operation{Name: "Cut", Exported: true, Fn: reflect.ValueOf(strings.Cut)})
	mapping := reflect.TypeFor[func(string) string]()
	for name, want := range map[string]bool{"Upper": true, "lower": false, "Cut": false, "None": false} {
		op, ok := r.Named(wire.Lit{Form: wire.Special, S: wire.SpecialNamed, E: []wire.Lit{{Form: wire.Text, S: name}}}, mapping)
		if ok != want || ok && op.Name != name {
			t.Errorf("%s can be given: %t, want %t", name, ok, want)
		}
	}
	m := &Machine{Registry: r}
	v, err := m.Special(wire.Lit{Form: wire.Special, S: wire.SpecialNamed, E: []wire.Lit{{Form: wire.Text, S: "Upper"}}}, mapping)
	if err != nil || v.Interface().(func(string) string)("a") != "A" {
		t.Errorf("the function: %v, %v", v, err)
	}
}

package calls

import (
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestLeaner(t *testing.T) {
	t.Parallel()
	function := wire.Lit{Form: wire.Special, S: wire.SpecialFunc}
	inner := wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{function}}}}
	number := wire.Lit{Form: wire.Int, N: 3}
	given := func(fields ...wire.Lit) wire.Sequence {
		return wire.Sequence{{Op: wire.Builtins, Args: []wire.Lit{{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: fields}}}, function}}}
	}
	everywhere := func(int, int) bool { return true }
	for _, test := range []struct {
		name  string
		from  wire.Sequence
		may   func(int, int) bool
		needs int // a field that is needed, -1 for none
		want  wire.Sequence
	}{
		{"all at once", given(number, function, inner), everywhere, -1, given(number, wire.Lit{}, wire.Lit{})},
		{"one by one", given(number, function, inner), everywhere, 1, given(number, function, wire.Lit{})},
		{"within what is needed", given(number, function, inner), everywhere, 2, given(number, wire.Lit{}, wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{{}}}}})},
		{"nowhere", given(number, function), func(int, int) bool { return false }, -1, given(number, function)},
		{"nothing to leave out", given(number), everywhere, -1, given(number)},
	} {
		before := test.from.Clone()
		got, err := leaner(test.from, test.may, func(q wire.Sequence) (bool, error) {
			return test.needs < 0 || q[0].Args[0].E[0].E[test.needs].Form != wire.Zero, nil
		})
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, %v; want %v", test.name, got, err, test.want)
		}
		if !reflect.DeepEqual(test.from, before) {
			t.Errorf("%s: the sequence given was altered", test.name)
		}
	}
}

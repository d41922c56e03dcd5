package harness

import (
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// An operation is in vain where many calls of it gave next to nothing, and not before.
func TestInVain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		calls, gave int
		want        bool
	}{
		"never called":       {0, 0, false},
		"a few calls":        {enoughCalls - 1, 0, false},
		"many calls":         {enoughCalls, 0, true},
		"one that gave":      {enoughCalls, 1, false},
		"one in a hundred":   {100, 1, true},
		"one in nine, often": {900, 100, false},
	} {
		y := yields{}
		for i := range c.calls {
			y.note(wire.Builtins, true, i < c.gave)
		}
		if got := y.inVain(wire.Builtins); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// An operation is hopeless where none of many calls returned.
func TestHopeless(t *testing.T) {
	t.Parallel()
	y := yields{}
	for i := range hopelessly {
		if y.hopeless(wire.Builtins) {
			t.Fatalf("after %d calls", i)
		}
		y.note(wire.Builtins, false, true)
	}
	if !y.hopeless(wire.Builtins) || y[wire.Builtins].gave > 0 {
		t.Error("it gives something, or is not hopeless")
	}
	y.note(wire.Builtins, true, false)
	if y.hopeless(wire.Builtins) {
		t.Error("one call returned")
	}
}

type (
	yielding  interface{ Yield() int }
	hiddenOne struct{ n int }
	openOne   struct {
		N int
		n int
	}
	emptyOne struct{}
)

func (h *hiddenOne) Yield() int { return h.n }
func (o *openOne) Yield() int   { return o.n + o.N }
func (emptyOne) Yield() int     { return 0 }

// A struct with nothing but unexported fields is written down by nobody who uses it, so it stands for no interface where
// others do.
func TestImplementers(t *testing.T) {
	t.Parallel()
	m := NewMachine(&Registry{byType: map[reflect.Type]int{}})
	for _, ty := range []reflect.Type{reflect.TypeFor[*hiddenOne](), reflect.TypeFor[*openOne](), reflect.TypeFor[emptyOne](), reflect.TypeFor[int]()} {
		m.byType[ty] = len(m.Types)
		m.Types = append(m.Types, ty)
	}
	g := newGenerator(m, &Plain{}, 1)
	var got []reflect.Type
	for _, k := range g.implementers(reflect.TypeFor[yielding]()) {
		got = append(got, m.Types[k])
	}
	if want := []reflect.Type{reflect.TypeFor[*openOne](), reflect.TypeFor[emptyOne]()}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

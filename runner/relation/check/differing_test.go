package check

import (
	"fmt"
	"slices"
	"testing"
)

// A part that differs for nearly every input is left out, and one that differs for some, or
// is hardly shown, is not; whether a call fails stays in any case.
func TestDiffering(t *testing.T) {
	t.Parallel()
	var base, head []*observation
	for i := range 100 {
		b := &observation{out: []any{int64(i), int64(i), false, nil, "x"}}
		h := &observation{out: []any{int64(i + 1), int64(i), true, int64(1), "x"}}
		if i%2 == 0 {
			h.out[1] = int64(-1)
		}
		if i == 7 {
			h.out[0] = b.out[0] // an exception
		}
		if i < fewShown-1 {
			b.out[3] = int64(0)
		}
		base, head = append(base, b), append(head, h)
	}
	base[3], head[4] = nil, nil
	parts := differing(5, base, head)
	if !slices.Equal(parts, []bool{true, false, true, false, false}) {
		t.Errorf("%v", parts)
	}
	h := &shape{out: []cell{{name: "a"}, {name: "b"}}, fails: true, shown: []observer{{name: "c"}}, after: []observer{{name: "d"}}}
	rest := h.without(parts)
	var names []string
	for _, c := range rest.out {
		names = append(names, c.name)
	}
	for _, o := range slices.Concat(rest.shown, rest.after) {
		names = append(names, o.name)
	}
	if got := fmt.Sprint(names); got != "[b c d]" || !rest.fails {
		t.Errorf("left are %s", got)
	}
	if len(h.out) != 2 {
		t.Error("the shape itself is changed")
	}
	if rest := h.without([]bool{false, true, true, false, true}); len(rest.out) != 1 || len(rest.shown) != 1 || len(rest.after) != 0 {
		t.Errorf("left are %+v", rest)
	}
}

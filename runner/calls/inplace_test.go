package calls

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

func call(hook int, key uint64, e probe.Ending, visible ...uint32) wire.Call {
	c := wire.Call{Hook: hook, Key: key, Ending: e}
	for _, v := range visible {
		c.Components = append(c.Components, wire.Component{Visible: v, Hidden: v + uint32(key)})
	}
	return c
}

func nothing(int, int) bool { return false }

func TestCompareCalls(t *testing.T) {
	t.Parallel()
	base := []wire.Call{
		call(2, 10, probe.Returned, 1, 2, 3),
		call(1, 10, probe.Returned, 1),
		call(1, 11, probe.Returned, 1, 2),
		call(1, 12, probe.Panicked),
		call(1, 13, probe.Returned, 5),
		call(3, 1, probe.Exhausted),
	}
	head := []wire.Call{
		call(3, 2, probe.Returned, 9), // only here
		call(1, 12, probe.Returned, 1),
		call(1, 11, probe.Returned, 1, 4),
		call(1, 10, probe.Returned, 1),
		call(2, 10, probe.Returned, 0, 2, 0),
		call(1, 13, probe.Returned, 5, 6),
	}
	want := []InPlaceDifference{
		{Hook: 1, Key: 11, Components: []int{1}},
		{Hook: 1, Key: 12, Base: probe.Panicked, Head: probe.Returned},
		{Hook: 1, Key: 13, Components: []int{1}},
		{Hook: 2, Key: 10, Components: []int{0, 2}},
	}
	if got := CompareCalls(base, head, nothing); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	masked := func(hook, component int) bool {
		return hook == 1 && component != 1 || hook == 2 && component == 0
	}
	want = []InPlaceDifference{want[0], want[2], {Hook: 2, Key: 10, Components: []int{2}}}
	if got := CompareCalls(base, head, masked); !reflect.DeepEqual(got, want) {
		t.Errorf("masked: got\n%v\nwant\n%v", got, want)
	}
}

// Equal calls never differ, in whatever order they were made; and a mask takes
// away exactly what it names.
func TestCompareCallsProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) wire.Call {
			return call(rapid.IntRange(0, 3).Draw(t, "hook"), rapid.Uint64Range(0, 20).Draw(t, "key"),
				probe.Ending(rapid.IntRange(0, 2).Draw(t, "ending")), rapid.SliceOfN(rapid.Uint32Range(0, 2), 0, 3).Draw(t, "components")...)
		})
		id := func(c wire.Call) [2]uint64 { return [2]uint64{uint64(c.Hook), c.Key} }
		base := rapid.SliceOfDistinct(one, id).Draw(t, "base")
		head := rapid.SliceOfDistinct(one, id).Draw(t, "head")
		if d := CompareCalls(base, rapid.Permutation(base).Draw(t, "order"), nothing); len(d) > 0 {
			t.Fatalf("equal calls differ: %v", d)
		}
		all := CompareCalls(base, head, nothing)
		if len(all) == 0 {
			return
		}
		known := rapid.SampledFrom(all).Draw(t, "known")
		left := CompareCalls(base, head, func(hook, component int) bool {
			return hook == known.Hook && (component == ending && known.Base != known.Head || slices.Contains(known.Components, component))
		})
		for _, d := range left {
			if d.Hook == known.Hook && d.Key == known.Key {
				t.Fatalf("%v is masked and shown", d)
			}
		}
		for _, d := range all {
			if d.Hook != known.Hook && !slices.ContainsFunc(left, func(x InPlaceDifference) bool { return reflect.DeepEqual(x, d) }) {
				t.Fatalf("%v is gone, masked was %v", d, known)
			}
		}
	})
}

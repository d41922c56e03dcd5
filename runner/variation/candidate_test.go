package variation

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/probe"
)

// What is put in the place of an integer fits its type: else the compiler would refuse the test to paste.
func TestIntegersFit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.SampledFrom([]int{8, 16, 32, 64, -8, -16, -32, -64}).Draw(t, "bits")
		p := instrument.Point{Kind: instrument.PointInteger, Value: "7", Bits: bits, Group: "f#0"}
		w := newWords([]instrument.Point{p, {Kind: instrument.PointInteger, Value: "9", Package: "m", Group: "f#0"}}, "m", surface.Literals{Numbers: [3][]int64{{300, -5}}})
		r := harness.NewRand(rapid.Uint64().Draw(t, "seed"))
		for k := range 30 {
			value := w.value(r, p, k)
			var err error
			if bits < 0 {
				_, err = strconv.ParseUint(value, 10, -bits)
			} else {
				_, err = strconv.ParseInt(value, 10, bits)
			}
			if err != nil {
				t.Fatalf("value %d for %d bits: %v", k, bits, err)
			}
		}
	})
}

// The same seed gives the same values, and those of the same group are among them.
func TestTextsOfTheGroup(t *testing.T) {
	t.Parallel()
	points := []instrument.Point{
		{Kind: instrument.PointText, Value: "a", Package: "m", Group: "Parse#0"},
		{Kind: instrument.PointText, Value: "other", Package: "m", Group: "Parse#0"},
		{Kind: instrument.PointText, Value: "elsewhere", Package: "n", Group: "Parse#0"},
	}
	draw := func() (out []string) {
		w, r := newWords(points, "m", surface.Literals{}), harness.NewRand(1)
		for k := range 50 {
			out = append(out, w.value(r, points[0], k))
		}
		return out
	}
	first, seen := draw(), false
	for i, v := range draw() {
		if first[i] != v {
			t.Fatalf("value %d: %q, then %q", i, first[i], v)
		}
		seen = seen || v == "other"
		if v == "elsewhere" {
			t.Error("a value of another package")
		}
	}
	if !seen {
		t.Error("no value of the same group")
	}
}

func TestSource(t *testing.T) {
	t.Parallel()
	list := instrument.Point{Kind: instrument.PointList, Length: 2, Before: "[]T{", Elements: []string{"{1}", "x"}}
	table := instrument.Point{Kind: instrument.PointTable, Length: 4, Before: "tests", Elements: []string{"in", "want"}}
	for _, c := range []struct {
		point       instrument.Point
		value, want string
	}{
		{instrument.Point{Kind: instrument.PointText}, "a\n", `"a\n"`},
		{instrument.Point{Kind: instrument.PointInteger}, "-1", "-1"},
		{instrument.Point{Kind: instrument.PointTruth, Value: "true"}, "other", "false"},
		{instrument.Point{Kind: instrument.PointStatement, Text: "f()"}, "0", ""},
		{instrument.Point{Kind: instrument.PointStatement, Text: "f()"}, "2", "f(); f()"},
		{list, probe.DropElement + "0", "[]T{x}"},
		{list, probe.DoubleElement + "1", "[]T{{1}, x, x}"},
		{list, probe.SwapElements + "0", "[]T{x, {1}}"},
		{list, probe.DropElement + "9", "[]T{{1}, x}"},
		{table, "1.0.3", "tests[1].in = tests[3].in"},
	} {
		if got := (Variation{c.point, c.value}).source(); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.point.Kind, c.value, got, c.want)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{`"a"`: true, "-1": true, "1.5e+06": true, "nil": true, `error("x"), nil`: true, `[]byte("a\"b")`: true, `m.Kind("x")`: true,
		"&T{A:1}": false, "[1 2]": false, `"a`: false, "": false, `"a", "b", "c"`: false} {
		if got := Plain([]string{value}); got != want {
			t.Errorf("%s: %t", value, got)
		}
	}
	if Plain(nil) {
		t.Error("nothing is no value")
	}
}

package calls

import (
	"slices"
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// What differs is told apart by the characters that one version has more of, by which number is larger, by the part of
// a value, by the place of a crash, and by whether a number within it is beyond those that the call is given.
func TestManner(t *testing.T) {
	value := func(base, head string) Difference {
		return Difference{Place: wire.Place{Kind: wire.AtComponent}, Base: Shown{Text: base}, Head: Shown{Text: head}}
	}
	part := func(path, base, head string) Difference {
		return Difference{Place: wire.Place{Kind: wire.AtComponent}, Differs: []event.PartDiffers{{Path: path, Base: base, Head: head}}}
	}
	// given is a difference of a call with numbers.
	given := func(d Difference, numbers ...int64) Difference {
		var args []wire.Lit
		for _, n := range numbers {
			args = append(args, wire.Lit{Form: wire.Int, N: n})
		}
		d.Sequence = wire.Sequence{{Args: args}}
		return d
	}
	crash := func(line int) Difference {
		return Difference{Place: wire.Place{Kind: wire.AtEnding}, Head: Shown{Message: "runtime error", At: probe.Frame{File: "a.go", Line: line}}}
	}
	for _, c := range []struct {
		name   string
		of, in Difference
		want   bool
	}{
		{"the same", value(`"a=7"`, `"a=07"`), value(`"b=1"`, `"b=001"`), true},
		{"fewer marks", value(`"=7"`, `"=07"`), value(`"a 7"`, `"a07"`), true},
		{"more marks", value(`"a 7"`, `"a07"`), value(`"=7"`, `"=07"`), false},
		{"quotes and no zeros", value(`"=-7"`, `"='-7'"`), value(`"=7"`, `"=07"`), false},
		{"the other way round", value(`"ab"`, `"a"`), value(`"a"`, `"ab"`), false},
		{"a larger number", value("9", "10"), value("-100", "5"), true},
		{"large numbers that are close", value("-9962293750883891", "-9962293750883892"), value("2", "1"), true},
		{"a number and none", value("8", "9"), value("0", "1"), false},
		{"a smaller one", value("9", "10"), value("5", "-100"), false},
		{"the same part of other elements", part("result[3].Name", `"a"`, `""`), part(`result[0].Name`, `"abc"`, `""`), true},
		{"another part", part("result[3].Name", `"a"`, `""`), part(`result[3].Value`, `"a"`, `""`), false},
		{"a number beyond those given, and one that is not", given(value("{}", "{65}"), 2, 64), given(value("{}", "{0}"), 1, 63), false},
		{"numbers beyond those given", given(value("{}", "{65}"), 2, 64), given(value("{}", "{193}"), 2, 192), true},
		{"numbers alone, beyond those given and not", given(value("5", "2"), 1), given(value("8", "2"), 2), true},
		{"no numbers given", value("{}", "{65}"), value("{}", "{0}"), true},
		{"nothing and some", value(`*set("{}")`, `*set("{1}")`), value(`*set("{1}")`, `*set("{1,2}")`), false},
		{"some and nothing", value(`*set("{1}")`, `*set("{12}")`), value(`*set("{}")`, `*set("{1}")`), false},
		{"nothing in both", value(`&T{}`, `&T{{}}`), value(`&T1{}`, `&T1{{}}`), true},
		{"a field", value(`&T{A:1}`, `&T{A:12}`), value(`&T{}`, `&T{A:1}`), false},
		{"the same place", crash(3), crash(3), true},
		{"another place", crash(3), crash(4), false},
		{"other letters alone", value(`"ab"`, `"cd"`), value("1", "2"), true},
	} {
		if got := mannerOf(c.of).within(mannerOf(c.in)); got != c.want {
			t.Errorf("%s: %v within %v: %t", c.name, mannerOf(c.of), mannerOf(c.in), got)
		}
	}
}

// Of very many witnesses some are kept, from early to late ones.
func TestSample(t *testing.T) {
	var st discrepancyState
	for n := range 10_000 {
		st.count++
		st.sample(Witness{Step: n})
	}
	steps := make([]int, len(st.sampled))
	for i, w := range st.sampled {
		steps[i] = w.Step
	}
	if len(steps) < maxSampled/2 || len(steps) > maxSampled || !slices.IsSorted(steps) || steps[len(steps)-1] < 9000 || steps[0] > 400 {
		t.Errorf("%v", steps)
	}
}

// A part that differs in none of the known differences is news, whatever else differs.
func TestMannerBeyond(t *testing.T) {
	t.Parallel()
	known := []way{{manner: manner{"in .Name", "number 1"}}, {manner: manner{"in .Tags[]"}}}
	for name, test := range map[string]struct {
		m    manner
		want bool
	}{
		"a known part":              {manner{"in .Name", "number -1"}, false},
		"parts of two known ones":   {manner{"in .Name", "in .Tags[]"}, false},
		"another part":              {manner{"in .Age"}, true},
		"another beside a known":    {manner{"in .Age", "in .Name", "number 1"}, true},
		"other marks, and no parts": {manner{"1a"}, false},
	} {
		if got := test.m.beyond(known); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

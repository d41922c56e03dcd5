package genetic

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// TestTransforms: what becomes of inputs, how it is written, and where nothing becomes of
// them.
func TestTransforms(t *testing.T) {
	t.Parallel()
	none := []any(nil)
	for _, c := range []struct {
		name           string
		source, want   []any
		notation, code string
	}{
		{"add 3(1)", []any{int64(4)}, []any{int64(7)}, "a + 3", "a + 3"},
		{"add -3(1)", []any{int64(4)}, []any{int64(1)}, "a − 3", "a + -3"},
		{"add 1(1)", []any{int64(math.MaxInt64)}, none, "a + 1", "a + 1"},
		{"negate(1)", []any{int64(0)}, none, "−a", "-a"},
		{"double(1)", []any{1.5}, []any{3.0}, "2·a", "a * 2"},
		{"flip(2)", []any{int64(1), true}, []any{int64(1), false}, "a, ¬b", "a, !b"},
		{"swap(1, 3)", []any{int64(1), true, int64(2)}, []any{int64(2), true, int64(1)}, "c, b, a", "c, b, a"},
		{"swap(1, 2)", []any{"a", "a"}, none, "b, a", "b, a"},
		{"upper(1)", []any{"ab"}, []any{"AB"}, "upper(a)", "strings.ToUpper(a)"},
		{`append "-"(1)`, []any{"ab"}, []any{"ab-"}, `a ++ "-"`, `a + "-"`},
		{`prepend "-"(1)`, []any{"ab"}, []any{"-ab"}, `"-" ++ a`, `"-" + a`},
		{"twice(1)", []any{"ab"}, []any{"abab"}, "a ++ a", "a + a"},
		{"without last(1)", []any{"aä"}, []any{"a"}, "init(a)", ""},
		{"without first(1)", []any{[]int64{1, 2}}, []any{[]int64{2}}, "tail(a)", "a[1:]"},
		{"without first(1)", []any{[]int64{}}, none, "tail(a)", "a[1:]"},
		{"append 3(1)", []any{[]int64{1}}, []any{[]int64{1, 3}}, "a ++ [3]", "append(slices.Clone(a), 3)"},
		{"rotate(1)", []any{[]string{"x", "y", "z"}}, []any{[]string{"y", "z", "x"}}, "rotate(a)", ""},
		{"sort(1)", []any{[]float64{1, 2}}, none, "sort(a)", "slices.Sorted(slices.Values(a))"},
		{"reverse(1)", []any{[]bool{true, false}}, []any{[]bool{false, true}}, "reverse(a)", ""},
	} {
		var kinds []law.Kind
		for _, v := range c.source {
			kinds = append(kinds, law.KindOf(v))
		}
		all := Transforms(kinds, []any{int64(3), "-", math.NaN()})
		i := slices.IndexFunc(all, func(t Transform) bool { return t.Name == c.name })
		if i < 0 {
			t.Errorf("no %s of %v", c.name, kinds)
			continue
		}
		params := []string{"a", "b", "c"}[:len(kinds)]
		got, ok := all[i].Apply(c.source)
		if ok != (c.want != nil) || ok && cmp.Diff(c.want, got) != "" {
			t.Errorf("%s: %v becomes %v, %t; want %v", c.name, c.source, got, ok, c.want)
		}
		if got := strings.Join(all[i].Math(params), ", "); got != c.notation {
			t.Errorf("%s is written %s, want %s", c.name, got, c.notation)
		}
		args := slices.Clone(params)
		for k, code := range all[i].Go(params, "int64") {
			if code != nil {
				args[k] = code.Text
			}
		}
		if c.code != "" && strings.Join(args, ", ") != c.code {
			t.Errorf("%s is %q in Go, want %s", c.name, args, c.code)
		}
	}
}

// TestTransformsDiffer: no name is given twice.
func TestTransformsDiffer(t *testing.T) {
	t.Parallel()
	var kinds []law.Kind
	for k := law.Bool; k <= law.Texts; k++ {
		kinds = append(kinds, k, k)
	}
	names := map[string]bool{}
	for _, x := range Transforms(kinds, []any{int64(1), int64(-1), int64(0), 2.5, "", "a", "a", true}) {
		if names[x.Name] {
			t.Errorf("%s twice", x.Name)
		}
		names[x.Name] = true
	}
	if len(names) < 80 {
		t.Errorf("only %d transformations", len(names))
	}
}

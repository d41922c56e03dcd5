package spelling

import "testing"

func TestDistance(t *testing.T) {
	t.Parallel()
	for a, d := range map[string]int{"": 6, "budget": 0, "Budget": 0, "bugdet": 1, "budgets": 1, "bdget": 1, "xudget": 1} {
		if got := Distance(a, "budget"); got != d {
			t.Errorf("distance from %q is %d, want %d", a, got, d)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ word, want string }{
		{"widht", `; did you mean "width"?`}, {"max_width", `; did you mean "max-width"?`}, {"zzz", ""},
	} {
		if got := DidYouMean(test.word, []string{"height", "width", "max-width"}); got != test.want {
			t.Errorf("%s: %s", test.word, got)
		}
	}
}

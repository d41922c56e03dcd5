package relation

import "testing"

// TestIsCompound: a receiver with an operator of its own stands in parentheses.
func TestIsCompound(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]bool{
		"b": false, "reverse(f)": false, "(b with Min = 1)": false, "f(a, b)": false, "list[i + 1]": false,
		"i with Name = tail(i.Name)": true, "a ++ b": true, "2·x": true, "f(x) ++ g(y)": true, "−x": true,
	} {
		if isCompound(expr) != want {
			t.Errorf("%s: want %t", expr, want)
		}
	}
}

package event

import "testing"

func TestAwkward(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]int{
		`F(1, "a")`:               0,
		`F(nil)`:                  1,
		`F("\\x00a")`:             1,
		`F(math.MaxInt64, 1e308)`: 2,
		`Ident{Original: " ", Parts: nil}.Name()`: 2,
		"list := &List[int]{}\nlist.Values()":     1,
		`Sum([]int{1, 2}, map[string]int{})`:      0,
		`Interp(a, b, b)`:                         1,
		`F(123456789012345)`:                      1,
	} {
		if got := (Finding{Input: input}).Awkward(); got != want {
			t.Errorf("%s: %d, want %d", input, got, want)
		}
	}
}

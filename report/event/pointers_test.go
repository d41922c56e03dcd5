package event

import "testing"

// A pointer for a value is no other value, but a mark within a text is.
func TestPointersAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base, head string
		want       bool
	}{
		{`&T{Name:"a" Opt:Opt{All:false}}`, `&T{Name:"a" Opt:&Opt{All:false}}`, true},
		{`[T{1} T{2}]`, `[&T{1} &T{2}]`, true},
		{`T{Name:"a&b"}`, `T{Name:"ab"}`, false},
		{`T{Name:"a\"&b"}`, `T{Name:"a\"b"}`, false},
		{`T{Name:"a"}`, `&T{Name:"b"}`, false},
		{`T{Name:"a"}`, `T{Name:"a"}`, false},
	} {
		f := Finding{Rung: Reached, Kind: KindValue, Base: Result{Outcome: Pass, Value: c.base}, Head: Result{Outcome: Pass, Value: c.head}}
		if got := pointersAlone(c.base, c.head); got != c.want {
			t.Errorf("%s, %s: %t", c.base, c.head, got)
		}
		if c.want && !f.Small() {
			t.Errorf("%s, %s: not small", c.base, c.head)
		}
	}
}

package load

import (
	"slices"
	"testing"
)

// One module that could not be fetched filled ten lines with its own error, and hid all others.
func TestEachReason(t *testing.T) {
	got := eachReason([]string{
		"a.go:1:2: could not import example.com/a (example.com/x@v1.0.0: 403\n\tnot available)",
		"a.go:9:2: undefined: f",
		"b.go:1:2: could not import example.com/b (example.com/x@v1.0.0: 403\n\tnot available)",
		"b.go:2:2: could not import example.com/c (no required module provides it)",
		"c.go:1:2: could not import example.com/a (example.com/x@v1.0.0: 403\n\tnot available)",
	})
	want := []string{
		"a.go:1:2: could not import example.com/a (example.com/x@v1.0.0: 403\n\tnot available), and the same for 2 more",
		"a.go:9:2: undefined: f",
		"b.go:2:2: could not import example.com/c (no required module provides it)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

package probe

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestMonotonicReadingsAreMasked(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	for text, want := range map[string]string{
		"a m=b m=+ c": "a m=b c", "2023-11-14 22:13:20 +0000 UTC m=+0.000000001": "2023-11-14 22:13:20 +0000 UTC",
		"x m=-1.5 y m=+2.5": "x y", "from m=1": "from m=1", " m=": " m=", " m=+1 [2]": " [2]",
	} {
		if got := normal(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{time.Now().String(), ctx.(interface{ String() string }).String()} {
		if got := normal(text); strings.Contains(got, monotonic) || strings.Contains(got, "[") {
			t.Errorf("%q: %q", text, got)
		}
	}
}

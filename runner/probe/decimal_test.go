package probe

import (
	"fmt"
	"strings"
	"testing"
)

func TestFunctionsInDecimalAreMasked(t *testing.T) {
	t.Parallel()
	own := fmt.Sprintf("%d", any(TestFunctionsInDecimalAreMasked))
	if len(own) < leastCode || len(own) > mostCode {
		t.Skip("this program is mapped elsewhere")
	}
	for text, want := range map[string]string{
		"[" + own + "]": "[ADDRESS]",
		own:             "ADDRESS",
		strings.Repeat("x", 20) + own + " " + own: strings.Repeat("x", 20) + "ADDRESS ADDRESS",
		"7" + own + "5":             "7" + own + "5",
		"20240101 1234567 99999999": "20240101 1234567 99999999",
	} {
		if got := normal(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

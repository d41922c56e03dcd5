package identifier

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"":                         nil,
		"x":                        {"x"},
		"ParseHTTPDate2":           {"Parse", "HTTP", "Date", "2"},
		"processFieldWithEnvValue": {"process", "Field", "With", "Env", "Value"},
		"Test_Router__Path":        {"Test", "Router", "Path"},
		"(*Router).ServeHTTP":      {"(*", "Router", ").", "Serve", "HTTP"},
	} {
		if got := Words(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

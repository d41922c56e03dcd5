package runner

import "testing"

func TestTreeName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ module, want string }{
		{"github.com/go-pdf/fpdf", "fpdf"},
		{"github.com/go-pdf/fpdf/v2", "fpdf"},
		{"gopkg.in/yaml.v3", "yaml"},
		{"example.com", "example.com"},
		{"example.com/a/../..", "tree"},
		{"example.com/-rf", "tree"},
		{"example.com/.ssh", "tree"},
		{"", "tree"},
	} {
		if got := treeName(tt.module); got != tt.want {
			t.Errorf("treeName(%q) = %q, want %q", tt.module, got, tt.want)
		}
	}
}

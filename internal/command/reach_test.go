package command

import (
	"strings"
	"testing"
)

func TestParseLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words string
		file  string // "" for a mistake
		line  int
		want  string
	}{
		{"ring.go:42", "ring.go", 42, "both"},
		{"a/b/ring.go:1 true", "a/b/ring.go", 1, "true"},
		{"ring.go:42 false", "ring.go", 42, "false"},
		{`C:\a\ring.go:7`, `C:\a\ring.go`, 7, "both"},
		{"", "", 0, ""},
		{"ring.go", "", 0, ""},
		{"ring.go:", "", 0, ""},
		{"ring.go:0", "", 0, ""},
		{"ring.go:-3", "", 0, ""},
		{":3", "", 0, ""},
		{"ring.go:3 yes", "", 0, ""},
		{"ring.go:3 true false", "", 0, ""},
	} {
		got, err := parseLine(strings.Fields(c.words))
		outcome := "both"
		if got.Outcome != nil {
			outcome = map[bool]string{true: "true", false: "false"}[*got.Outcome]
		}
		switch {
		case c.file == "" && err == nil:
			t.Errorf("%q: %+v, want a mistake", c.words, got)
		case c.file != "" && (err != nil || got.File != c.file || got.Line != c.line || outcome != c.want):
			t.Errorf("%q: %+v %s, %v", c.words, got, outcome, err)
		}
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	if got := printable("\tx := `\x1b[2J\r`\n\x7f世"); got != "\tx := `?[2J?`\n?世" {
		t.Errorf("%q", got)
	}
}

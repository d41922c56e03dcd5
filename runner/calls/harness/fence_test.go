package harness

import (
	"slices"
	"strings"
	"testing"
)

// What stands between lines of the same marks is one part of a text.
func TestFenced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"+++\na = 1\nb = 2\n+++\n\n# Title\n": {"a = 1\nb = 2"},
		"---\na: 1\n---\nb: 2\n---\n":         {"a: 1", "b: 2"},
		"text\n\n```go\nx := 1\n```\nmore":    {"x := 1"},
		"---\n---\n":                          nil,
		"---\na\n+++\n":                       nil,
		"a\nb\na\n":                           nil,
		"-- a\n-- b\n":                        nil,
		"":                                    nil,
	} {
		tokens := tokenize(text)
		var got []string
		for _, part := range fenced(tokens) {
			got = append(got, strings.Join(tokens[part[0]:part[1]], ""))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

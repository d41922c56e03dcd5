package policy

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A pattern names what the regular expression names that go list makes of it.
func TestPatternAsExpression(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"a", "b", "/", "...", "ab", ".", "a/"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pattern"), "")
		if strings.Contains(text, "....") || strings.HasPrefix(text, "./") || text == "." {
			t.Skip()
		}
		pkg := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/", "ab", "."}), 0, 6).Draw(t, "package"), "")
		trimmed := strings.TrimSuffix(text, "/")
		expr := strings.ReplaceAll(regexp.QuoteMeta(trimmed), `\.\.\.`, `.*`)
		if before, ok := strings.CutSuffix(expr, `/.*`); ok {
			expr = before + `(/.*)?`
		}
		if want := regexp.MustCompile(`^` + expr + `$`).MatchString(pkg); Matches(text, pkg, "m") != want {
			t.Fatalf("%q names %q: %t, want %t", text, pkg, !want, want)
		}
	})
}

package bot

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMarkerReturns: whatever stands above it, and whatever it holds.
func TestMarkerReturns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := marker{
			Key: rapid.StringN(1, 100, -1).Draw(t, "key"), Commit: rapid.StringMatching(`[0-9a-f]{40}`).Draw(t, "commit"),
			Run: rapid.Int64Min(0).Draw(t, "run"), Attempt: rapid.IntMin(0).Draw(t, "attempt"),
		}
		text := rapid.SampledFrom([]string{Heading + ": ", Heading + " (`key`): "}).Draw(t, "heading") + rapid.String().Draw(t, "text")
		body := compose(text, m)
		if strings.Count(body[len(plain(text)):], "-->") != 1 {
			t.Fatalf("the marker does not end where it should: %q", body)
		}
		got, back, ok := parseMarker(strings.ReplaceAll(body, "\n", "\r\n"))
		if !ok || back != m {
			t.Fatalf("%q gives %+v, %v", body, back, ok)
		}
		if got != plain(strings.ReplaceAll(plain(text), "\n", "\r\n")) {
			t.Fatalf("the text is %q, was %q", got, text)
		}
	})
}

func TestMarkerCountsOnTheLastLineOnly(t *testing.T) {
	t.Parallel()
	line := marker{DefaultKey, first, 1, 1}.line()
	for name, body := range map[string]string{
		"above":    line + "\ntext",
		"indented": "text\n " + line,
		"quoted":   "> " + line,
		"behind":   "text " + line,
		"no key":   `<!-- isodelta {"run":1} -->`,
		"no JSON":  "<!-- isodelta key -->",
		"negative": `<!-- isodelta {"key":"a","run":-1} -->`,
		"html":     `<!-- isodelta {"key":"--><b>"} -->`,
		"huge":     `<!-- isodelta {"key":"` + strings.Repeat("a", maxMarker) + `"} -->`,
	} {
		if _, m, ok := parseMarker(opening + "first line\n" + body); ok {
			t.Errorf("%s: it counts as %+v", name, m)
		}
	}
	if _, _, ok := parseMarker(opening + "text\n\n" + line + "\n\n"); !ok {
		t.Error("a marker at the end does not count")
	}
}

// TestMarkerCountsBelowOurHeadingOnly: another workflow of the same account may
// end its comment with a marker that a pull request wrote.
func TestMarkerCountsBelowOurHeadingOnly(t *testing.T) {
	t.Parallel()
	line := marker{DefaultKey, first, 1, 1}.line()
	for _, text := range []string{"", "text\n", "## isodelta: x\n", "### isodeltas: x\n", "### isodelta\n", "> ### isodelta: x\n",
		"### Coverage\n### isodelta: x\n", "`### isodelta: x`\n"} {
		if _, m, ok := parseMarker(text + "\n" + line); ok {
			t.Errorf("below %q it counts as %+v", text, m)
		}
	}
}

func FuzzParseMarker(f *testing.F) {
	f.Add(opening + "text\n\n" + marker{DefaultKey, first, 1, 2}.line())
	f.Add("<!-- isodelta {} -->")
	f.Fuzz(func(t *testing.T, body string) {
		text, m, ok := parseMarker(body)
		if !ok {
			if text != plain(body) {
				t.Fatalf("without a marker %q becomes %q", body, text)
			}
			return
		}
		// What was read can be written, and is then read the same.
		again, n, ok := parseMarker(compose(text, m))
		if !ok || n != m || again != text {
			t.Fatalf("%q: %+v becomes %+v, %v; %q becomes %q", body, m, n, ok, text, again)
		}
	})
}

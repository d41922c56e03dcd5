package coverage

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
)

func TestFunctionHunks(t *testing.T) {
	t.Parallel()
	text := func(s string) sourceText { return sourceText{10, strings.Split(s, "")} }
	for name, test := range map[string]struct {
		base, head string
		want       []event.Hunk
	}{
		"equal": {"abc", "abc", nil},
		"one line, with what is around it": {"abcdefghi", "abcdXfghi", []event.Hunk{
			{Base: 11, Head: 11, Lines: []string{" b", " c", " d", "-e", "+X", " f", " g", " h"}}}},
		"two near each other": {"abcdef", "XbcdeY", []event.Hunk{
			{Base: 10, Head: 10, Lines: []string{"-a", "+X", " b", " c", " d", " e", "-f", "+Y"}}}},
		"two far from each other": {"abcdefghijkl", "XbcdefghijkY", []event.Hunk{
			{Base: 10, Head: 10, Lines: []string{"-a", "+X", " b", " c", " d"}},
			{Base: 18, Head: 18, Lines: []string{" i", " j", " k", "-l", "+Y"}}}},
		"lines added before": {"abcdefgh", "XYabcdefgZ", []event.Hunk{
			{Base: 10, Head: 10, Lines: []string{"+X", "+Y", " a", " b", " c"}},
			{Base: 14, Head: 16, Lines: []string{" e", " f", " g", "-h", "+Z"}}}},
	} {
		if diff := cmp.Diff(test.want, functionHunks(text(test.base), text(test.head))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if diff := cmp.Diff([]event.Hunk{{Base: 0, Head: 10, Lines: []string{"+a", "+b"}}}, functionHunks(sourceText{}, text("ab"))); diff != "" {
		t.Error(diff)
	}
}

// Hunks are a patch: put in the place of base's lines, head's lines make head.
func TestFunctionHunksPatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.StringMatching(`[a-e]`), 0, 30)
		base, head := sourceText{5, letters.Draw(t, "base")}, sourceText{7, letters.Draw(t, "head")}
		var patched []string
		at := 0
		for _, h := range functionHunks(base, head) {
			from := h.Base - base.first
			if from < at {
				t.Fatalf("hunk at %d begins before %d, where the last ended", from, at)
			}
			patched = append(patched, base.lines[at:from]...)
			if h.Head-head.first != len(patched) {
				t.Fatalf("hunk says that it is line %d of head, it is %d", h.Head-head.first, len(patched))
			}
			at = from
			for _, l := range h.Lines {
				if l[0] != '+' {
					if base.lines[at] != l[1:] {
						t.Fatalf("line %d of base is %q, not %q", at, base.lines[at], l)
					}
					at++
				}
				if l[0] != '-' {
					patched = append(patched, l[1:])
				}
			}
		}
		if patched = append(patched, base.lines[at:]...); !slices.Equal(patched, head.lines) {
			t.Fatalf("%q patched is %q, not %q", base.lines, patched, head.lines)
		}
	})
}

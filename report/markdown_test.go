package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// rendered is Markdown as a reader of GitHub sees it: with tables, automatic
// links and raw HTML.
func rendered(t *testing.T, markdown string) *nethtml.Node {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := md.Convert([]byte(markdown), &b); err != nil {
		t.Fatal(err)
	}
	root, err := nethtml.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// readable is the text that a reader sees.
func readable(n *nethtml.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == nethtml.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// inCode: GitHub makes no mention and no reference there.
func inCode(n *nethtml.Node) bool {
	for a := range n.Ancestors() {
		if a.DataAtom == atom.Code || a.DataAtom == atom.Pre {
			return true
		}
	}
	return false
}

func TestMarkdownReads(t *testing.T) {
	t.Parallel()
	root := rendered(t, renderMarkdown(t, fixture(t, "everything"), MarkdownOptions{}))
	text := readable(root)
	for _, want := range []string{
		"isodelta: 1 behaviour change that no test fails on, 1 hidden behind an untested branch, 2 that fail a test, 4 small, 1 intended",
		"New(0).DumpAsBits() returns \"{}\" on base, \"{ }\" on head",
		"observed in TestDumpAsBits, which does not check it, 1 more like it",
		"b.ReadFrom(…) returns 12 on base, the error \"unexpected EOF\" on head if err != nil is true and n > 0 is false",
		"forced: no test takes these branches",
		"besides, s.String() returns \"a\" on base, \"b\" on head if i < s.length is false, forced · f1",
		"- &bits.BitSet{",
		"isodelta replay o1",
		"160 of 210",
		"−3.1",
		"512 variants left when the budget of 60 s ended",
		"and 3 more",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("a reader does not see %q", want)
		}
	}
	rows, claims := 0, 0
	for d := range root.Descendants() {
		if d.DataAtom == atom.Li && d.Parent.DataAtom == atom.Ol {
			claims++
		}
		if d.DataAtom == atom.Tr {
			cells := 0
			for c := range d.ChildNodes() {
				if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
					cells++
				}
			}
			if cells < 2 || cells > 4 {
				t.Errorf("a table row has %d cells: %q", cells, readable(d))
			}
			rows++
		}
	}
	if want := 1 + 3 + 1 + 8; rows != want {
		t.Errorf("%d table rows, want %d", rows, want)
	}
	if want := 4 + 4 + 1; claims != want {
		t.Errorf("%d claims, want %d", claims, want)
	}
}

// TestMarkdownLimit: a report that must be small loses evidence before claims,
// at the borders of its sections, and says so.
func TestMarkdownLimit(t *testing.T) {
	t.Parallel()
	s := fixture(t, "everything")
	whole := renderMarkdown(t, s, MarkdownOptions{})
	for _, limit := range []int{len(whole), len(whole) - 1, 9000, 6000, 4096, 2000} {
		text := renderMarkdown(t, s, MarkdownOptions{Limit: limit})
		if len(text) > limit {
			t.Errorf("limit %d: %d bytes", limit, len(text))
		}
		root := rendered(t, text)
		seen := readable(root)
		if !strings.Contains(seen, "1 behaviour change that") || !strings.Contains(seen, "run time not seeded") {
			t.Errorf("limit %d: the verdict or the footer is cut", limit)
		}
		if open, closed := strings.Count(text, "<details>"), strings.Count(text, "</details>"); open != closed {
			t.Errorf("limit %d: %d folds opened, %d closed", limit, open, closed)
		}
		if cutOff := strings.Contains(seen, "Left out to fit"); cutOff != (limit < len(whole)) {
			t.Errorf("limit %d of %d: says that something is left out: %v", limit, len(whole), cutOff)
		}
		if limit >= 6000 && !strings.Contains(seen, "TestDumpAsBits, which does not check it") {
			t.Errorf("limit %d: the claims went before the evidence", limit)
		}
	}
}

func TestMarkdownLinks(t *testing.T) {
	t.Parallel()
	link := func(_, file string, line int) string {
		if file == "param.go" {
			return fmt.Sprintf("https://example.com/a b\"><script>/%s?x=1&y=2#L%d", file, line)
		}
		return "javascript:alert(1)"
	}
	root := rendered(t, renderMarkdown(t, fixture(t, "figure1"), MarkdownOptions{Link: link}))
	var found []string
	for d := range root.Descendants() {
		if d.DataAtom == atom.A {
			found = append(found, d.Attr[0].Val)
		}
		if d.DataAtom == atom.Script {
			t.Error("a link ended its attribute")
		}
	}
	if want := []string{"https://example.com/a%20b%22%3E%3Cscript%3E/param.go?x=1&y=2#L8-L19", "https://example.com/a%20b%22%3E%3Cscript%3E/param.go?x=1&y=2#L12"}; !slices.Equal(found, want) {
		t.Errorf("links %q, want %q", found, want)
	}
	if got := attribute(link("head", "other", 1)); got != "" {
		t.Errorf("attribute lets %q through", got)
	}
}

// TestInlineProse: what cmark-gfm and GitHub act on, which goldmark may not. The
// expectations were checked with cmark-gfm 0.29.0.gfm.6.
func TestInlineProse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a (b), c; d: e.":       "a (b), c; d: e.",
		"see https://b.co/x":    "see `https://b.co/x`",
		"see WWW.b.co":          "see `WWW.b.co`",
		"ask @a or a@b.co.":     "ask `@a` or `a@b.co`.",
		"fixes #12, GH-3":       "fixes `#12`, `GH-3`",
		"at 0123abc or defaced": "at `0123abc` or `defaced`",
		"it's well-known (no)":  "it's `well-known` (no)",
		"1. x 2. y":             "`1`. x 2. y",
		"defacedʺ, defaced-x":   "`defacedʺ`, `defaced-x`",
		"12":                    "12",
		"1,234 of 1234567":      "1,234 of `1234567`",
		"- x":                   "`-` x",
		"    x":                 "x",
		":smile: a/...":         "`:smile`: `a/...`",
		"<b>*x*</b> [a](b) \\":  "`<b>*x*</b>` `[a](b)` `\\`",
	} {
		if got := inlineProse(in); got != want {
			t.Errorf("inlineProse(%q) = %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"a b":   "`a b`",
		"":      "(empty)",
		" a ":   "`  a  `",
		"a|b":   "<code>a&#124;b</code>",
		"`@a":   "<code>&#96;<!-- -->&#64;a</code>",
		"<!--a": "<code>&#60;&#33;--a</code>",
		"a\nb":  "`a\\nb`",
		"  ":    "<code>  </code>",
		"@a <b": "`@a <b`",
	} {
		if got := inlineCode(in); got != want {
			t.Errorf("inlineCode(%q) = %s, want %s", in, got, want)
		}
	}
}

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

	"github.com/isodelta/isodelta/report/event"
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

// skeleton lists the elements in order, with their attributes.
func skeleton(n *nethtml.Node) []string {
	var tags []string
	for d := range n.Descendants() {
		if d.Type == nethtml.ElementNode {
			tag := d.Data
			for _, a := range d.Attr {
				tag += " " + a.Key + "=" + a.Val
			}
			tags = append(tags, tag)
		}
	}
	return tags
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
		"isodelta: 11 behaviour changes that no test fails on: 1 observed, 10 forced · 2 that fail a test · 1 intended",
		"New(0).DumpAsBits() returns \"{}\" on base, \"{ }\" on head; TestDumpAsBits sees it and does not check it",
		"b.ReadFrom(…) returns 12 on base, the error \"unexpected EOF\" on head when err != nil is taken and n > 0 is not taken (no test does that)",
		"- &bits.BitSet{",
		"isodelta replay a1b2c7",
		"512 variants left when the budget of 60 s ended",
		"and 3 more",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("a reader does not see %q", want)
		}
	}
	rows := 0
	for d := range root.Descendants() {
		if d.DataAtom == atom.Tr {
			cells := 0
			for c := range d.ChildNodes() {
				if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
					cells++
				}
			}
			if cells != 3 && cells != 2 {
				t.Errorf("a table row has %d cells: %q", cells, readable(d))
			}
			rows++
		}
	}
	if want := 1 + 10 + 1 + 3 + 1 + 1 + 1 + 7; rows != want {
		t.Errorf("%d table rows, want %d", rows, want)
	}
}

// allowed are the elements that the renderer itself writes.
var allowed = strings.Fields("html head body h3 p br table thead tbody tr th td details summary b strong em code pre ul li blockquote sub")

func TestMarkdownHostile(t *testing.T) {
	t.Parallel()
	root := rendered(t, renderMarkdown(t, fixture(t, "hostile"), MarkdownOptions{}))
	for d := range root.Descendants() {
		switch d.Type {
		case nethtml.ElementNode:
			if !slices.Contains(allowed, d.Data) {
				t.Errorf("element <%s> in the report: %q", d.Data, readable(d))
			}
		case nethtml.TextNode:
			if strings.Contains(d.Data, "\t") && !inCode(d) {
				t.Errorf("a tab outside of code: %q", d.Data)
			}
			if !inCode(d) && (strings.Contains(d.Data, "@e") || strings.Contains(d.Data, "#1")) {
				t.Errorf("GitHub would make a mention, a reference or a link of %q", d.Data)
			}
			for _, r := range d.Data {
				if r != '\n' && r != '\t' && r != '\u200b' && !showable(r) {
					t.Errorf("%U in what is shown: %q", r, d.Data)
				}
			}
		}
	}
	if text := readable(root); !strings.Contains(text, `- l #1 www.evil.example a@evil.example </details><script>alert(1)</script>`) {
		t.Error("the reader does not see the hostile text itself")
	}
}

// hostileStream puts one text wherever a text of the tested repository goes.
func hostileStream(text string) *event.Stream {
	r := event.Result{Outcome: event.Fail, Value: text, Site: text, File: text, Line: 3, Message: text}
	other := r
	other.Value, other.Message = text+"2", text+"2"
	call := func(id, component string, base, head event.Result) event.Finding {
		return event.Finding{ID: id + text, Rung: event.Reached, Suite: "head", Test: text, Package: text, Function: text, File: text, Cluster: id, Kind: "value", Base: base, Head: head, Changed: []string{text},
			Origin: "in-place", Input: "f(" + text + ")", GoTest: text, GoTestFile: text, Component: component, Program: text, Entry: text, Mutation: 1, Merged: []string{text}}
	}
	return &event.Stream{
		Config:    event.Config{Version: 1, Tool: text, GoVersion: text, Sandbox: text, Deterministic: true, Masked: []string{text}},
		Versions:  []event.Versions{{Base: event.Side{Asked: text, Commit: "0123"}, Head: event.Side{Asked: text, Commit: text + "0"}, Module: text, ModuleDir: "d" + text}},
		Matches:   []event.Match{{Changed: []event.ChangedItem{{Function: text, Status: "added"}}, PruneBlockers: []string{text}}},
		Baselines: []event.Baseline{{Tests: 1, Unstable: []string{strings.ReplaceAll(text, ": ", ":") + ": " + text}, Dropped: []string{"d" + text}}},
		Findings: []event.Finding{{
			ID: text, Rung: event.Forced, Test: text, Package: text, Function: text, Suite: "head", Cluster: "a", Kind: "value", Base: r, Head: other, Changed: []string{text},
			Negations: []event.Negation{{Text: text, Function: text, File: text, Line: 1, BaseFile: text + "b", BaseLine: 2}},
		}, {ID: text + "i", Rung: event.Observed, Intended: true, Test: text, Cluster: "b", Base: r, Head: other},
			call("c", "argument "+text, r, other), call("d", text, r, other), call("e", "value of "+text+" afterwards", r, other),
			call("f", "panic", r, event.Result{Outcome: event.Panic, Message: text})},
		Targets: []event.Target{
			{Function: text, Package: text, Role: "changed", State: event.Compared, Calls: 1, Reason: text, Banned: []string{text}},
			{Function: text, Package: text + "2", Role: "changed", State: event.Ineligible, Reason: text},
		},
		Limits:  []event.Limit{{Kind: "cgo", What: "w" + text, Reason: "r" + text}, {Kind: "shard", What: "w" + text, Reason: "r" + text}},
		Summary: &event.Summary{Tests: 1, Findings: 2, Verdict: event.Differences},
	}
}

// FuzzMarkdown: whatever a text is, the elements of the rendered report are
// those that a harmless word gives, and nothing invisible comes through.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"a", "|", `\|`, "`", "``` \n```", "\n\n# x", "</details>", "<!-- ", "-->", "&amp;&#10;", "@a", "a@b.co", "https://b.co", "www.b.co", "[a](b)", "![a](b)",
		"\\", "*x*", "_x_", "~~x~~", "\u202e", "\x00\xff", "- [ ] x", "1. x", " x ", " ", "$x$", "<a href=x>", "\\`", "`|\\", "]]>", "<?", "\u2028", "\r", "    x", "\tx", "f(\n)", "\n", ": ",
	} {
		f.Add(s)
	}
	harmless := map[string][]string{}
	key := func(s string) string { return fmt.Sprint(strings.HasPrefix(s, "d")) }
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" || len(s) > 2000 {
			t.Skip()
		}
		want := harmless[key(s)]
		if want == nil {
			want = skeleton(rendered(t, renderMarkdown(t, hostileStream("word"), MarkdownOptions{})))
			harmless[key(s)] = want
		}
		markdown := renderMarkdown(t, hostileStream(s), MarkdownOptions{})
		root := rendered(t, markdown)
		if got := skeleton(root); !slices.Equal(got, want) {
			t.Errorf("text %q changes the elements of the report:\n got %v\nwant %v\n%s", s, got, want, markdown)
		}
		for d := range root.Descendants() {
			if d.Type != nethtml.TextNode {
				continue
			}
			for _, r := range d.Data {
				if r == '\t' && inCode(d) {
					continue // of a Go test
				}
				if r != '\n' && r != '\u200b' && !showable(r) {
					t.Fatalf("text %q: %U in what is shown: %q", s, r, d.Data)
				}
			}
		}
	})
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
		if !strings.Contains(seen, "11 behaviour changes") || !strings.Contains(seen, "run time not seeded") {
			t.Errorf("limit %d: the verdict or the footer is cut", limit)
		}
		if open, closed := strings.Count(text, "<details>"), strings.Count(text, "</details>"); open != closed {
			t.Errorf("limit %d: %d folds opened, %d closed", limit, open, closed)
		}
		if cutOff := strings.Contains(seen, "Left out to fit"); cutOff != (limit < len(whole)) {
			t.Errorf("limit %d of %d: says that something is left out: %v", limit, len(whole), cutOff)
		}
		if limit >= 6000 && !strings.Contains(seen, "TestDumpAsBits sees it") {
			t.Errorf("limit %d: the claims went before the evidence", limit)
		}
	}
}

func TestMarkdownLinks(t *testing.T) {
	t.Parallel()
	link := func(file string, line int) string {
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
	if want := []string{"https://example.com/a%20b%22%3E%3Cscript%3E/param.go?x=1&y=2#L12"}; !slices.Equal(found, want) {
		t.Errorf("links %q, want %q", found, want)
	}
	if got := attribute(link("other", 1)); got != "#" {
		t.Errorf("attribute lets %q through", got)
	}
}

// TestInlineProse: what cmark-gfm and GitHub act on, which goldmark may not. The
// expectations were checked with cmark-gfm 0.29.0.gfm.6.
func TestInlineProse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a (b), c; d: e.":      "a (b), c; d: e.",
		"see https://b.co/x":   "see https&#58;//b.co/x",
		"see WWW.b.co":         "see WWW&#46;b.co",
		"ask @a or a@b.co":     "ask &#64;&#8203;a or a&#64;&#8203;b.co",
		"fixes #12":            "fixes &#35;&#8203;12",
		"1. x":                 "1&#46; x",
		"12":                   "12",
		"- x":                  "&#45; x",
		"    x":                "&#32;   x",
		"<b>*x*</b> [a](b) \\": "&#60;b&#62;&#42;x&#42;&#60;/b&#62; &#91;a&#93;(b) &#92;",
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
		"a\nb":  "`a\\nb`",
		"  ":    "<code>  </code>",
		"@a <b": "`@a <b`",
	} {
		if got := inlineCode(in); got != want {
			t.Errorf("inlineCode(%q) = %s, want %s", in, got, want)
		}
	}
}

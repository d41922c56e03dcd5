package report

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/report/event"
)

// allowed are the elements that the renderer itself writes, with their attributes.
var allowed = map[string]string{
	"html": "", "head": "", "body": "", "h3": "", "p": "", "br": "", "em": "", "strong": "", "b": "", "sub": "", "ul": "", "ol": "start", "li": "", "pre": "", "blockquote": "",
	"details": "", "summary": "", "table": "", "thead": "", "tbody": "", "tr": "",
	"th": "style", "td": "style", "code": "class", "a": "href",
}

// linked is where every address of these tests leads.
const linked = "https://example.com/"

// hostileOptions make every link that there can be, out of hostile names.
func hostileOptions(key string) MarkdownOptions {
	return MarkdownOptions{
		Link:     func(side, file string, line int) string { return fmt.Sprintf("%s%s/%s#L%d", linked, side, file, line) },
		Commit:   func(hash string) string { return linked + "commit/" + hash },
		Run:      linked + "run",
		Report:   linked + "report",
		Commands: true,
		Key:      key,
	}
}

// meaning is what GitHub acts on in text outside of code after Markdown is
// rendered: mentions, references to issues, commits and advisories, addresses,
// emoji and mathematics.
var meaning = regexp.MustCompile(`(?i)@|#\d|\bGH-\d|\bCVE-\d|\bGHSA-|\b(?:TICKET|JIRA|GH)-|\b[a-z]+-\d|\b[0-9a-f]{7,}\b|://|\bwww\.\S|mailto:|xmpp:|:[a-z0-9_+-]+:|\$|\[[ x]\]`)

// strictest knows more marks than GitHub does.
var strictest = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList), goldmark.WithRendererOptions(html.WithUnsafe()))
})

var sanitiser = sync.OnceValue(func() *bluemonday.Policy {
	policy := bluemonday.NewPolicy()
	for element, attributes := range allowed {
		policy.AllowElements(element)
		for _, a := range strings.Fields(attributes) {
			policy.AllowAttrs(a).OnElements(element)
		}
	}
	policy.AllowStyles("text-align").OnElements("th", "td")
	policy.AllowURLSchemes("https")
	return policy
})

// harmless says what a report does that it must not; "" for nothing.
func harmless(markdown string) string {
	if i := strings.Index(strings.ReplaceAll(markdown, "<!-- -->", ""), "<!-"); i >= 0 {
		return "the source holds the start of a comment"
	}
	for _, r := range markdown {
		if r != '\n' && r != '\t' && !showable(r) || unicode.Is(unicode.Bidi_Control, r) {
			return fmt.Sprintf("%U stands in the source", r)
		}
	}
	var b bytes.Buffer
	if err := strictest().Convert([]byte(markdown), &b); err != nil {
		return err.Error()
	}
	root, err := nethtml.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		return err.Error()
	}
	for d := range root.Descendants() {
		switch d.Type {
		case nethtml.ElementNode:
			attributes, known := allowed[d.Data]
			if !known {
				return fmt.Sprintf("element <%s>: %q", d.Data, readable(d))
			}
			for _, a := range d.Attr {
				if !slices.Contains(strings.Fields(attributes), a.Key) {
					return fmt.Sprintf("attribute %s=%q of <%s>", a.Key, a.Val, d.Data)
				}
				if a.Key == "href" && !strings.HasPrefix(a.Val, linked) || a.Key == "class" && a.Val != "language-go" && a.Val != "language-diff" ||
					a.Key == "style" && !strings.HasPrefix(a.Val, "text-align:") {
					return fmt.Sprintf("attribute %s=%q of <%s>", a.Key, a.Val, d.Data)
				}
			}
		case nethtml.TextNode:
			if found := meaning.FindString(d.Data); found != "" && !inCode(d) {
				return fmt.Sprintf("%q acts on GitHub: %q", found, d.Data)
			}
			if strings.Contains(d.Data, "\t") && !inCode(d) {
				return fmt.Sprintf("a tab outside of code: %q", d.Data)
			}
		}
	}
	// A sanitiser of another make finds nothing to take out.
	clean, err := nethtml.Parse(sanitiser().SanitizeReader(bytes.NewReader(b.Bytes())))
	if err != nil {
		return err.Error()
	}
	if before, after := tagsOf(root), tagsOf(clean); !slices.Equal(before, after) {
		return fmt.Sprintf("a sanitiser changes the elements\nfrom %v\n  to %v", before, after)
	}
	if before, after := readable(root), readable(clean); before != after {
		return "a sanitiser changes the text"
	}
	return ""
}

// tagsOf lists the elements in order.
func tagsOf(n *nethtml.Node) []string {
	var tags []string
	for d := range n.Descendants() {
		if d.Type == nethtml.ElementNode {
			tags = append(tags, d.Data)
		}
	}
	return tags
}

// structure is elements without inline code, of which a hostile sentence has more
// than a harmless one, and without links, which a place may lack.
func structure(n *nethtml.Node) []string {
	return slices.DeleteFunc(tagsOf(n), func(tag string) bool { return tag == "code" || tag == "a" })
}

func TestMarkdownHostile(t *testing.T) {
	t.Parallel()
	markdown := renderMarkdown(t, fixture(t, "hostile"), MarkdownOptions{})
	if wrong := harmless(markdown); wrong != "" {
		t.Error(wrong)
	}
	if text := readable(rendered(t, markdown)); !strings.Contains(text, `- l #1 www.evil.example a@evil.example </details><script>alert(1)</script>`) {
		t.Error("the reader does not see the hostile text itself")
	}
}

// TestHarmless: the check of these tests finds what it is there for.
func TestHarmless(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"@a", "a #1", "GH-1", "see 0123abc", "https://b.co", "www.b.co", "a@b.co", "![a](b)", "[a](https://b.co)", "<b onclick=x>a</b>", "<script>", "- [ ] x", ":smile:", "$x$",
		"GHSA-cfgh-jmpq-rvwx", "see TICKET-abc", "a\u202e", "a\u200b", "a\x07", "<!-- isodelta -->", "<a href=\"javascript:x\">a</a>", "CVE-2024-1", "[^1]\n\n[^1]: a", "# a", "| a |\n| - |\n| <img> |",
	} {
		if harmless(text) == "" {
			t.Errorf("%q counts as harmless", text)
		}
	}
	if wrong := harmless("**a** `@a #1 https://b.co`\n\n```go\n@a\n```\n"); wrong != "" {
		t.Error(wrong)
	}
}

// nasty are pieces of hostile text.
func nasty() []string {
	return []string{
		"a", "b", " ", "  ", "\n", "\n\n", "\t", "|", `\|`, "`", "``", "```", "~~~", "\n```\n", "# x", "</details>", "</code>", "</summary>", "<!--", "-->", "<!-- isodelta:key -->", "&amp;", "&#10;", "&lt;b&gt;",
		"@a", "@org/team", "a@b.co", "#1", "a/b#1", "GH-12", "CVE-2024-1", "GHSA-cfgh-jmpq-rvwx", "ghsa-cfgh-jmpq-rvwx", "TICKET-abc", "TICKET-12", "(JIRA-x),", "GH-12", "0123abcdef", "defaced", "https://b.co/x", "http://", "www.b.co", "WWW.", "ǅWWW.:", "ftp://b.co", "mailto:a@b.co", "[a](b)", "![a](https://b.co/x.png)",
		"<https://b.co>", "<img src=x onerror=y>", "<script>alert(1)</script>", "\\", "*x*", "_x_", "**", "~~x~~", "\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\x00", "\xff", "\x1b[31m", "\x07", "\u0085", "\u2028",
		"- [ ] x", "[x] ", "1. x", "1) ", "+ ", "> x", "---", "===", ":smile:", ":+1:", "$x$", "$`x`$", "[^1]", "[^1]: y", "[a]: https://b.co", "\r", "    x", "]]>", "<?", "error(\"", "\")", "T(\"", "{", "}", "[", "]", ",", ": ",
		"f(", ")", "; ", " (seen 2 times)", "(not reached)", "value of x afterwards", "argument ", "receiver", "result 2", "panic", "…", "é", "世界", "e\u0301", "x := ", "\"", "'", "%s", ".", "/", "-",
	}
}

func nastyText() *rapid.Generator[string] {
	piece := rapid.OneOf(rapid.SampledFrom(nasty()), rapid.StringN(0, 4, -1))
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "")
	})
}

// filler puts text into every string of a stream, whatever its type's fields
// are, so that a new field is covered without a change here.
type filler struct {
	text  func() string
	word  func(members []string) string // of a closed set, or not
	count func() int                    // of lists
	some  func() bool
}

func (f filler) fill(v reflect.Value, members []string) {
	switch v.Kind() {
	case reflect.String:
		if members != nil {
			v.SetString(f.word(members))
			return
		}
		v.SetString(f.text())
	case reflect.Bool:
		v.SetBool(f.some())
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(f.count()))
	case reflect.Float64:
		v.SetFloat(float64(f.count()))
	case reflect.Pointer:
		if f.some() {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), nil)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), f.count(), 3))
		for i := range v.Len() {
			f.fill(v.Index(i), members)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key, nil)
		f.fill(value, nil)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				panic(fmt.Sprintf("%s has a field that cannot be filled", v.Type()))
			}
			f.fill(v.Field(i), closedSet(v.Type().Field(i)))
		}
	default:
		panic(fmt.Sprintf("no way to fill a %s", v.Type()))
	}
}

// closedSet is what a field's tag allows, or what its name asks for; nil for any
// text.
func closedSet(f reflect.StructField) []string {
	var members []string
	for part := range strings.SplitSeq(f.Tag.Get("jsonschema"), ",") {
		if m, ok := strings.CutPrefix(part, "enum="); ok {
			members = append(members, m)
		}
	}
	if f.Name == "Kind" && members == nil { // of limits
		return []string{"shard", "unstable", "budget"}
	}
	return members
}

// filled is a stream that says differences, so that nothing of it is left out.
func (f filler) filled() *event.Stream {
	s := &event.Stream{}
	f.fill(reflect.ValueOf(s).Elem(), nil)
	s.Config.Version = 1
	return s
}

// TestFiller: no string of any event stays empty.
func TestFiller(t *testing.T) {
	t.Parallel()
	f := filler{text: func() string { return "x" }, word: func([]string) string { return "x" }, count: func() int { return 2 }, some: func() bool { return true }}
	s := f.filled()
	events := s.Events()
	seen := map[string]bool{}
	for _, e := range events {
		seen[reflect.TypeOf(e).Name()] = true
	}
	if len(seen) < 9 {
		t.Errorf("only %v are filled", seen)
	}
	var check func(v reflect.Value, path string)
	check = func(v reflect.Value, path string) {
		switch v.Kind() {
		case reflect.String:
			if v.String() != "x" {
				t.Errorf("%s is not filled", path)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				check(v.Field(i), path+"."+v.Type().Field(i).Name)
			}
		case reflect.Slice:
			if v.Len() == 0 {
				t.Errorf("%s is empty", path)
			}
			for i := range v.Len() {
				check(v.Index(i), path)
			}
		case reflect.Pointer:
			if v.IsNil() {
				t.Errorf("%s is nil", path)
				return
			}
			check(v.Elem(), path)
		}
	}
	check(reflect.ValueOf(s).Elem(), "Stream")
}

// drawn fills a stream with texts of a property test.
func drawn(t *rapid.T) *event.Stream {
	text := nastyText()
	f := filler{
		text: func() string { return text.Draw(t, "text") },
		word: func(members []string) string {
			if rapid.IntRange(0, 5).Draw(t, "closed") == 0 {
				return text.Draw(t, "text")
			}
			return rapid.SampledFrom(members).Draw(t, "word")
		},
		count: func() int { return rapid.IntRange(0, 3).Draw(t, "count") },
		some:  func() bool { return rapid.Bool().Draw(t, "some") },
	}
	return f.filled()
}

// TestHostileStream: whatever texts a stream holds, wherever it holds them, the
// comment has no element, attribute, link or character but our own, and nothing
// in it acts on GitHub.
func TestHostileStream(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		opt := hostileOptions(nastyText().Draw(t, "key"))
		opt.Limit = rapid.SampledFrom([]int{0, 0, 5000}).Draw(t, "limit")
		var b bytes.Buffer
		if err := Markdown(&b, s, opt); err != nil {
			t.Fatal(err)
		}
		if wrong := harmless(b.String()); wrong != "" {
			t.Fatalf("%s\n%s", wrong, b.String())
		}
		b.Reset()
		if err := Terminal(&b, s, TerminalOptions{}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if line != visible(line) {
				t.Fatalf("on a terminal: %q", line)
			}
		}
	})
}

// FuzzMarkdown: whatever one text is, the structure of the report is the one that
// a harmless word gives, and nothing in it acts on GitHub.
func FuzzMarkdown(f *testing.F) {
	longtest.Plain(f)
	for _, s := range nasty() {
		f.Add(s, s)
	}
	f.Add("f(\n)", "\\`")
	f.Add("`|\\", "@a@b.co")
	words := map[string][]string{}
	f.Fuzz(func(t *testing.T, s, other string) {
		if s == "" || len(s)+len(other) > 2000 {
			t.Skip()
		}
		kind := fmt.Sprint(strings.HasPrefix(s, "d"))
		if words[kind] == nil {
			words[kind] = structure(rendered(t, renderMarkdown(t, hostileStream("word"), MarkdownOptions{})))
		}
		markdown := renderMarkdown(t, hostileStream(s), MarkdownOptions{})
		if got := structure(rendered(t, markdown)); !slices.Equal(got, words[kind]) {
			t.Errorf("text %q changes the structure of the report:\n got %v\nwant %v\n%s", s, got, words[kind], markdown)
		}
		n := 0
		filled := filler{
			text:  func() string { n++; return []string{s, other}[n%2] },
			word:  func(members []string) string { n++; return members[n%len(members)] },
			count: func() int { return 2 }, some: func() bool { n++; return n%3 == 0 },
		}.filled()
		for _, markdown := range []string{markdown, renderMarkdown(t, filled, hostileOptions(other))} {
			if wrong := harmless(markdown); wrong != "" {
				t.Errorf("texts %q and %q: %s\n%s", s, other, wrong, markdown)
			}
		}
	})
}

// FuzzInline: what stands within a line stays there, in each form.
func FuzzInline(f *testing.F) {
	for _, s := range nasty() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, form := range []string{inlineCode(s), htmlCode(s), inlineProse(s)} {
			for _, around := range []string{"%s\n", "| a | b |\n| - | - |\n| %s | c |\n", "- %s\n", "<details><summary>a</summary>\n\n%s\n\n</details>\n"} {
				markdown := strings.Replace(around, "%s", form, 1)
				if wrong := harmless(markdown); wrong != "" {
					t.Fatalf("text %q: %s\n%s", s, wrong, markdown)
				}
				want, got := structure(rendered(t, strings.Replace(around, "%s", "word", 1))), structure(rendered(t, markdown))
				if strings.TrimSpace(form) != "" && !slices.Equal(want, got) {
					t.Fatalf("text %q: structure %v, want %v\n%s", s, got, want, markdown)
				}
			}
		}
	})
}

// hostileRelations are relations of every state, some of functions that findings
// are about, with one text in every field.
func hostileRelations(text string) []event.Relation {
	var list []event.Relation
	for i, state := range []event.RelationState{event.Broken, event.Broken, event.Violated, event.New, event.Kept} {
		r := event.Relation{
			ID: string(state) + string(rune('a'+i)), Function: text, Package: text, File: text, Line: 3, Name: text, Relation: text, Source: event.Declared, At: text, State: state, Groups: 9, Failing: 1, Tolerance: 0.5,
			Counterexample: []event.RelatedCall{{Call: text, Base: text, Head: text}, {Call: "f(" + text + ")", Base: text, Head: text + "2"}},
			GoTest:         text, GoTestFile: text,
		}
		if i%2 == 1 {
			r.Function, r.Relation = "other"+text, text+" = "+text
		}
		list = append(list, r)
	}
	return list
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
		Relations:  hostileRelations(text),
		Adequacies: []event.Adequacy{{Scope: "function", Name: text, Module: text, Criterion: event.KMRBranch, K: 3, Head: &event.Met{Met: 1.5, Of: 2}}, {Scope: "total", Module: text, Criterion: "branch"}},
		Targets: []event.Target{
			{Function: text, Package: text, Role: "changed", State: event.Compared, Calls: 1, Reason: text, Banned: []string{text}},
			{Function: text, Package: text + "2", Role: "changed", State: event.Ineligible, Reason: text},
		},
		Limits:  []event.Limit{{Kind: "cgo", What: "w" + text, Reason: "r" + text}, {Kind: "shard", What: "w" + text, Reason: "r" + text}},
		Summary: &event.Summary{Tests: 1, Findings: 2, Verdict: event.Differences},
	}
}

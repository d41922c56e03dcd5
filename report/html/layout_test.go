package html

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
)

// Whatever the graph: no node covers another, every edge runs from its source's
// lower side to its target's upper one, all is within the picture, and the same
// graph gives the same picture.
func TestArrange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "nodes")
		nodes := make([]size, n)
		for i := range nodes {
			nodes[i] = size{rapid.Float64Range(96, 320).Draw(t, "w"), rapid.Float64Range(30, 80).Draw(t, "h")}
		}
		index := rapid.IntRange(0, n-1)
		links := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) link { return link{index.Draw(t, "from"), index.Draw(t, "to")} }), 0, 90).Draw(t, "links")
		l := arrange(nodes, links)
		for i, a := range nodes {
			p := l.top[i]
			if p.x-a.w/2 < 0 || p.x+a.w/2 > l.size.w || p.y < 0 || p.y+a.h > l.size.h {
				t.Fatalf("node %d at %v is outside of %v", i, p, l.size)
			}
			for k, b := range nodes[:i] {
				q := l.top[k]
				if math.Abs(p.x-q.x) < (a.w+b.w)/2+nodeGap-0.01 && p.y < q.y+b.h && q.y < p.y+a.h {
					t.Fatalf("nodes %d at %v and %d at %v are too near", i, p, k, q)
				}
			}
		}
		for i, e := range links {
			r := l.route[i].points
			start, end := r[0], r[len(r)-1]
			from, to := l.top[e.from], l.top[e.to]
			if start.y != from.y+nodes[e.from].h || end.y != to.y ||
				math.Abs(start.x-from.x) > nodes[e.from].w/2 || math.Abs(end.x-to.x) > nodes[e.to].w/2 {
				t.Fatalf("link %v runs from %v to %v", e, start, end)
			}
			for _, p := range r {
				if p.x < 0 || p.x > l.size.w || p.y < 0 || p.y > l.size.h {
					t.Fatalf("link %v leaves the picture at %v of %v", e, p, l.size)
				}
			}
		}
		again := arrange(nodes, links)
		for i := range l.top {
			if l.top[i] != again.top[i] {
				t.Fatal("arranged again, it differs")
			}
		}
	})
}

// The largest graph that a stream may hold must not take long.
func TestArrangeLargest(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(i int) int{
		"far":   func(i int) int { return (i * 7919) % event.MaxGraphNodes },
		"chain": func(i int) int { return (i + 1) % event.MaxGraphNodes },
		"star":  func(int) int { return event.MaxGraphNodes - 1 },
	} {
		nodes := make([]size, event.MaxGraphNodes)
		for i := range nodes {
			nodes[i] = size{100, 30}
		}
		var links []link
		for i := range 4 * event.MaxGraphNodes {
			links = append(links, link{i % event.MaxGraphNodes, next(i)})
		}
		if l := arrange(nodes, links); l.size.w <= 0 || math.IsNaN(l.size.w+l.size.h) || len(l.route) != len(links) {
			t.Errorf("%s: %v", name, l.size)
		}
	}
}

// Text keeps to its node: rows are no wider than the columns, and what is left
// out is marked.
func TestWrap(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"x < 0":          "x < 0",
		"a := 1\nb := 2": "a := 1|b := 2",
		"ver := constraintRegex.FindStringSubmatch(c)": "ver := constraintRegex.|\u00a0\u00a0FindStringSubmatch(c)",
		strings.Repeat("x", 100):                       strings.Repeat("x", 30) + "|\u00a0\u00a0" + strings.Repeat("x", 27) + "…",
		"a\nb\nc\nd\ne":                                "a|b|c|d…",
		"":                                             " ",
		strings.Repeat("世", 20):                        strings.Repeat("世", 15) + "|\u00a0\u00a0" + strings.Repeat("世", 5),
	} {
		if got := strings.Join(wrap(text), "|"); got != want {
			t.Errorf("%q is wrapped to %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		rows := wrap(text)
		if len(rows) > textRows || len(rows) == 0 {
			t.Fatalf("%d rows", len(rows))
		}
		for _, r := range rows {
			if !utf8.ValidString(r) || utf8.RuneCountInString(r) > 400 {
				t.Fatalf("row %q", r)
			}
		}
	})
}

// The policy in the page allows its style sheet, and nothing else.
func TestContentSecurityPolicy(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Write(&b, Report{Title: "t", Tone: "calm"}); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	policy, sheet := "", ""
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "style" {
			sheet = n.FirstChild.Data
		}
		for _, a := range n.Attr {
			if a.Key == "content" && strings.Contains(a.Val, "default-src") {
				policy = a.Val
			}
		}
	}
	sum := sha256.Sum256([]byte(sheet))
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	if policy != want || strings.Contains(sheet, "url(") || strings.Contains(sheet, "@import") {
		t.Errorf("policy %s, want %s", policy, want)
	}
}

package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"golang.org/x/net/html"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/report/event"
)

// forged is a stream of every type of event with a text from outside in every
// field that may hold one, numbers and closed sets left alone.
func forged(text string) *event.Stream {
	negation := event.Negation{Match: "strict", Line: 3, Taken: true}
	result := event.Result{Outcome: event.Fail, Line: 2}
	finding := event.Finding{Suite: "head", Line: 9, Kind: "value", Negations: []event.Negation{negation}, Base: result, Head: result, Changed: []string{""}}
	observed, reached, forced := finding, finding, finding
	observed.Rung, reached.Rung, forced.Rung = event.Observed, event.Reached, event.Forced
	reached.Origin, reached.Component, reached.Merged = "plain", "", []string{""}
	forced.Accepted = &event.Acceptance{From: "comment"}
	intended := observed
	intended.Intended = true
	node := func(kind string) event.Node {
		return event.Node{Kind: kind, Line: 4, EndLine: 6, Ran: event.Explored, Negated: true}
	}
	flow := event.Flow{Line: 4, Nodes: []event.Node{node("entry"), node("branch"), node("block"), node("panic"), node("return")},
		Edges: []event.Edge{{From: 0, To: 1}, {From: 1, To: 2, Label: "true", Negated: true}, {From: 1, To: 1, Label: "false"}, {From: 2, To: 0}}}
	s := &event.Stream{
		Config:    event.Config{Version: 1, Packages: []string{""}, Masked: []string{""}, FailOn: []string{"observed", ""}, Policy: []event.PolicyRule{{Packages: []string{""}, FailOn: []string{"reached"}}}},
		Versions:  []event.Versions{{}},
		Matches:   []event.Match{{Changed: []event.ChangedItem{{Status: "changed", Line: 4, EndLine: 6}}, PruneBlockers: []string{""}}},
		Baselines: []event.Baseline{{Suite: "head", Tests: 3, Unstable: []string{""}, Dropped: []string{""}}},
		Targets:   []event.Target{{Role: "changed", State: event.Compared, Calls: 3, Banned: []string{""}}, {Role: "caller", State: event.Ineligible}},
		Findings:  []event.Finding{observed, intended, reached, forced},
		Relations: []event.Relation{{State: event.Broken, Source: event.Declared, Line: 3, Groups: 5, Failing: 1, Tolerance: 0.1, Counterexample: make([]event.RelatedCall, 2)},
			{Function: "Alone", State: event.Broken, Source: event.AutoMR, Counterexample: make([]event.RelatedCall, 1)}, {State: event.New}, {State: event.Violated}, {State: event.Kept}, {}},
		Adequacies: []event.Adequacy{{Scope: "total", Criterion: event.KMRBranch, K: 3, Head: &event.Met{Met: 1.5, Of: 2}}, {Scope: "function", Base: &event.Met{}}, {}},
		Graphs:     []event.Graph{{Status: "changed", Base: flow, Head: flow, Pairs: []event.NodePair{{Match: "strict"}}, Hunks: []event.Hunk{{Lines: []string{"+", "-"}}}}},
		Limits:     []event.Limit{{Kind: "shard"}, {Kind: "budget"}},
		Summary:    &event.Summary{Tests: 3, Branches: 9, Covered: 3, Verdict: event.Differences},
	}
	if r := []rune(text); len(r) > 400 {
		text = string(r[:400]) // the longest text of a node
	}
	fill(reflect.ValueOf(s).Elem(), text)
	g := &s.Graphs[0] // drawn only if it is valid, as read streams are
	g.Package, g.Base.File, g.Head.File = "example.com/m", "m.go", "m.go"
	for i := range s.Graphs[0].Hunks[0].Lines {
		l := &s.Graphs[0].Hunks[0].Lines[i]
		*l = "+" + strings.ReplaceAll(shorten(*l, 300), "\n", " ")
	}
	return s
}

// fill sets every string that is empty.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		if v.String() == "" {
			v.SetString(text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Type" && name != "Label" && name != "Ran" {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text)
		}
	}
}

func hostileTexts() []string {
	return []string{
		"", "plain", "<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "' onmouseover='x", "javascript:alert(1)", "https://example.com/@someone",
		"</title></svg></style></pre><h1>", "]]><x/>", "\x00\x01\x1b[31m\ufffe\u202e\u200b", "\xff\xfe", "[link](https://example.com) {0} {{", "../../etc/passwd",
		"a\nb\r\n\tc", strings.Repeat("世", 500), "&lt;&#60;", "-->", "{{.}}", "url(//example.com)", "//example.com/x", "a: b", "func(", "%SRCROOT%/%2e%2e/",
	}
}

func FuzzForgedStream(f *testing.F) {
	longtest.Plain(f)
	for _, s := range hostileTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := forged(text)
		var page, junit, log bytes.Buffer
		for _, err := range []error{HTML(&page, s), JUnit(&junit, s), SARIF(&log, s)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Contains(page.Bytes(), []byte("<svg class=\"cfg")) && text != "" {
			t.Error("no graph is drawn")
		}
		checkPage(t, page.Bytes())
		checkXML(t, junit.Bytes())
		checkLinks(t, log.Bytes())
	})
}

// checkPage walks the tree that a browser makes of the page: nothing is in it
// that the template does not write.
func checkPage(t *testing.T, page []byte) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	tags := strings.Fields(`html head meta title style body a header main footer p h1 h2 h3 section article div table thead tbody tr th td
		details summary ul ol li dl dt dd pre code span figure figcaption svg g path text rect circle`)
	attributes := strings.Fields(`lang charset http-equiv content name class href id tabindex role scope colspan open data-side width height
		viewbox viewBox d x y dx dy rx r cx cy aria-hidden aria-label aria-labelledby textLength lengthAdjust text-anchor`)
	ids := map[string]bool{}
	var links []string
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("a comment: %q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		if !slices.Contains(tags, n.Data) {
			t.Errorf("a tag %s", n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case !slices.Contains(attributes, a.Key):
				t.Errorf("an attribute %s=%q of %s", a.Key, a.Val, n.Data)
			case a.Key == "href":
				links = append(links, a.Val)
			case a.Key == "id":
				if ids[a.Val] {
					t.Errorf("id %q twice", a.Val)
				}
				ids[a.Val] = true
			case a.Key == "http-equiv" && a.Val != "Content-Security-Policy":
				t.Errorf("http-equiv %q", a.Val)
			}
		}
	}
	for _, l := range links {
		if !strings.HasPrefix(l, "#") || !ids[l[1:]] {
			t.Errorf("a link to %q", l)
		}
	}
	for _, r := range string(page) {
		if r != '\n' && r != '\t' && r != '\u00a0' && !showable(r) {
			t.Errorf("%U, which nobody can see", r)
		}
	}
}

func checkXML(t *testing.T, text []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if e, ok := token.(xml.StartElement); ok && !slices.Contains(strings.Fields("testsuites testsuite testcase failure error skipped system-out"), e.Name.Local) {
			t.Errorf("element %s", e.Name.Local)
		}
	}
}

// checkLinks: no message of the log has a link, and no place leaves the repository.
func checkLinks(t *testing.T, text []byte) {
	t.Helper()
	log, err := sarif.FromBytes(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range log.Runs[0].Results {
		if strings.Contains(*r.Message.Text, "](") {
			t.Errorf("a link in %q", *r.Message.Text)
		}
		if len(r.Locations) == 0 {
			t.Error("a result without a place")
		}
		for _, l := range append(r.Locations, r.RelatedLocations...) {
			if l.PhysicalLocation == nil {
				continue
			}
			uri := *l.PhysicalLocation.ArtifactLocation.URI
			if strings.Contains(uri, ":") || strings.HasPrefix(uri, "/") || strings.HasPrefix(uri, "..") || strings.Contains(uri, "/../") {
				t.Errorf("a place %q", uri)
			}
		}
	}
}

// The log keeps to the schema of SARIF 2.1.0, for every fixture and for streams
// that are forged.
func TestSARIFValidates(t *testing.T) {
	t.Parallel()
	streams := map[string]*event.Stream{"forged": forged("<a href='x'>[b](c)\x00"), "empty": {}}
	for _, name := range []string{"everything", "cut-off", "intended-only", "called", "no-difference", "relations", "relation-accepted"} {
		streams[name] = fixture(t, name)
	}
	for name, s := range streams {
		var b bytes.Buffer
		if err := SARIF(&b, s); err != nil {
			t.Fatal(err)
		}
		log, err := sarif.FromBytes(b.Bytes(), sarif.WithStrictValidation())
		if err != nil {
			t.Fatal(err)
		}
		if err := log.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		run := log.Runs[0]
		want := len(s.Findings) + countState(s, event.Broken) + countState(s, event.Violated)
		if len(run.Results) != want {
			t.Errorf("%s: %d results of %d findings and relations", name, len(run.Results), want)
		}
		whole := s.Verdict() != event.Incomplete && s.Verdict() != event.NothingExplored
		if *run.Invocations[0].ExecutionSuccessful != whole {
			t.Errorf("%s: it says that it was successful: %v", name, !whole)
		}
		for _, r := range run.Results {
			if r.RuleIndex < 0 || *run.Tool.Driver.Rules[r.RuleIndex].ID != *r.RuleID {
				t.Errorf("%s: rule %d is not %s", name, r.RuleIndex, *r.RuleID)
			}
		}
	}
}

// The page says what the other renderers say, and holds all findings.
func TestHTMLHoldsAll(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"everything", "called", "cut-off", "figure1", "hostile", "interrupted", "nothing-explored", "reached", "untouched", "relations", "relation-alone", "relation-accepted"} {
		s := fixture(t, path)
		var b bytes.Buffer
		if err := HTML(&b, s); err != nil {
			t.Fatal(err)
		}
		checkPage(t, b.Bytes())
		root, err := html.Parse(&b)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for n := range root.Descendants() {
			if n.Type == html.TextNode {
				text.WriteString(n.Data)
			}
		}
		verdict, _ := headline(s, clustersOf(s))
		wanted := []string{plainText(verdict)}
		for _, f := range s.Findings {
			wanted = append(wanted, visible(f.Cluster), plainText(claim(f)))
		}
		for _, r := range s.Relations {
			wanted = append(wanted, plainText(relationClaim(r)), plainText(aboutRelation(r)))
			for _, c := range r.Counterexample {
				wanted = append(append(wanted, visibleLines(c.Call)...), c.Base, c.Head)
			}
		}
		for _, p := range missed(s) {
			wanted = append(wanted, plainText(p.title))
		}
		for _, w := range wanted {
			if !strings.Contains(text.String(), w) {
				t.Errorf("%s: the page does not say %q", path, w)
			}
		}
	}
}

// Files of ten thousand findings must be of a size that a browser and GitHub take.
// [BenchmarkManyFindings] shows how long they take.
func TestManyFindings(t *testing.T) {
	longtest.Plain(t)
	if testing.Short() {
		t.Skip("renders 10,000 findings")
	}
	t.Parallel()
	s := manyFindings(t)
	for name, limit := range map[string]int{"html": 24 << 20, "sarif": 48 << 20, "junit": 24 << 20} {
		var b bytes.Buffer
		if err := Render(name, &b, s); err != nil {
			t.Fatal(err)
		}
		if b.Len() > limit {
			t.Errorf("%s is %d KiB", name, b.Len()>>10)
		}
	}
}

func BenchmarkManyFindings(b *testing.B) {
	s := manyFindings(b)
	for _, name := range []string{"html", "sarif", "junit"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := Render(name, io.Discard, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func manyFindings(t testing.TB) *event.Stream {
	base := fixture(t, "everything")
	s := *base
	s.Findings = nil
	for i := range 10_000 {
		f := base.Findings[i%len(base.Findings)]
		f.ID, f.Cluster, f.Representative = fmt.Sprintf("%08x", i), fmt.Sprintf("c%d", i/20), i%20 == 0
		s.Findings = append(s.Findings, f)
	}
	return &s
}

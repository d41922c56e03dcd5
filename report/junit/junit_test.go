package junit

import (
	"bytes"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/internal/required"
	"github.com/isodelta/isodelta/report/event"
)

func plainWords() Words {
	return Words{
		Verdict: "a verdict", Work: []string{"some work"},
		Claim:            func(f event.Finding) string { return "claim of " + f.ID },
		Evidence:         func(f event.Finding) []string { return []string{f.Base.Value, f.Head.Value} },
		Target:           func(t event.Target) string { return t.Reason },
		Objects:          func(f event.Finding) bool { return f.Rung == event.Observed },
		Relation:         func(r event.Relation) string { return "relation " + r.ID },
		RelationEvidence: func(r event.Relation) []string { return []string{r.Relation} },
		Fails:            func(r event.Relation) bool { return r.Name == "objected" },
		Visible:          func(s string) string { return s },
	}
}

func written(t *testing.T, s *event.Stream) suites {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, s, plainWords()); err != nil {
		t.Fatal(err)
	}
	var out suites
	if err := xml.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return out
}

func worked(verdict event.Verdict) *event.Summary {
	return &event.Summary{Tests: 2, Branches: 4, Covered: 1, Seconds: 1.5, Verdict: verdict}
}

// What is red, what is not, and that nothing is green without work.
func TestColours(t *testing.T) {
	t.Parallel()
	open := event.Finding{ID: "a", Rung: event.Observed, Kind: "value", Package: "p", Cluster: "c1"}
	intended, accepted, forced, other := open, open, open, open
	intended.ID, intended.Intended = "b", true
	accepted.ID, accepted.Accepted = "c", &event.Acceptance{From: "config", Reason: "meant"}
	forced.ID, forced.Rung, forced.Cluster = "d", event.Forced, "c2"
	other.ID, other.Package = "e", "q"
	for name, test := range map[string]struct {
		stream                           event.Stream
		tests, failures, errors, skipped int
	}{
		"cut off":             {event.Stream{}, 1, 0, 1, 0},
		"nothing explored":    {event.Stream{Summary: &event.Summary{Verdict: event.NothingExplored}}, 1, 0, 1, 0},
		"no difference":       {event.Stream{Summary: worked(event.NoDifference)}, 1, 0, 0, 0},
		"open and objected":   {event.Stream{Findings: []event.Finding{open}, Summary: worked(event.Differences)}, 2, 1, 0, 0},
		"open, not objected":  {event.Stream{Findings: []event.Finding{forced}, Summary: worked(event.Differences)}, 2, 0, 0, 0},
		"one cluster":         {event.Stream{Findings: []event.Finding{open, open}, Summary: worked(event.Differences)}, 2, 1, 0, 0},
		"two packages":        {event.Stream{Findings: []event.Finding{open, other}, Summary: worked(event.Differences)}, 3, 2, 0, 0},
		"intended, accepted":  {event.Stream{Findings: []event.Finding{intended, accepted}, Summary: worked(event.IntendedOnly)}, 3, 0, 0, 0},
		"found, then cut off": {event.Stream{Findings: []event.Finding{open}}, 2, 1, 1, 0},
		"targets":             {event.Stream{Targets: []event.Target{{Function: "F", State: event.Compared, Reason: "x"}, {Function: "G", State: event.Ineligible}}, Summary: worked(event.NoDifference)}, 3, 0, 0, 1},
	} {
		got := written(t, &test.stream)
		if got.Tests != test.tests || got.Failures != test.failures || got.Errors != test.errors || got.Skipped != test.skipped {
			t.Errorf("%s: %d tests, %d failures, %d errors, %d skipped", name, got.Tests, got.Failures, got.Errors, got.Skipped)
		}
	}
}

// TestSchema asks xmllint, where there is one, whether files keep to the schema,
// for streams of any texts and numbers.
func TestSchema(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var files []string
	add := func(s *event.Stream) {
		var b bytes.Buffer
		if err := Write(&b, s, plainWords()); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, string(rune('a'+len(files)))+".xml")
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	add(&event.Stream{})
	for _, text := range []string{"", "x", "<a b='c'>&amp;]]>", "\x00\x1b\ufffe\xff\ud7ff", "a\nb"} {
		f := event.Finding{ID: text, Rung: event.Observed, Kind: event.Kind(text), Package: text, Cluster: text, File: text, Line: 3, Base: event.Result{Value: text}}
		g := f
		g.Intended, g.Package = true, "other"
		add(&event.Stream{Findings: []event.Finding{f, g}, Targets: []event.Target{{Function: text, State: event.NotReached, Reason: text}},
			Summary: &event.Summary{Seconds: 1e300, Verdict: event.Differences}})
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(data, new(suites)); err != nil {
			t.Errorf("%v in\n%s", err, data)
		}
	}
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		required.Skip(t, required.Tools, "no xmllint on the PATH, so the files are only read back; .ci/tools installs it")
	}
	out, err := exec.Command(xmllint, append([]string{"--nonet", "--noout", "--schema", "testdata/junit.xsd"}, files...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Every text comes back, but for what XML cannot hold.
func TestTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		f := event.Finding{ID: "a", Rung: event.Observed, Kind: "value", Package: "p", Cluster: "c", Base: event.Result{Value: text}}
		got := written(t, &event.Stream{Findings: []event.Finding{f}, Summary: worked(event.Differences)})
		want := strings.Map(func(r rune) rune {
			if r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 {
				return r
			}
			return '\uFFFD'
		}, text) + "\n"
		if text := got.Suites[1].Cases[0].Failure.Text; text != want {
			rt.Errorf("%q came back as %q", want, text)
		}
	})
}

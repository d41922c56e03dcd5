package sarif

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
)

// A reference names the same file below wherever it is resolved, or is none.
func TestReference(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"a/b.go": "a/b.go", "a b.go": "a%20b.go", "ü.go": "%C3%BC.go", "100%.go": "100%25.go", "a?b#c.go": "a%3Fb%23c.go", "c:/x.go": "c%3A/x.go",
		"": "", "/etc/passwd": "", "../x": "", "..": "", "a/../../x": "", "a//b": "", "./a": "", strings.Repeat("x", 2000): "", "..x/y": "..x/y",
	} {
		if got := reference(file); got != want {
			t.Errorf("%.40q becomes %q, want %q", file, got, want)
		}
	}
	root := &url.URL{Scheme: "file", Path: "/repository/"}
	rapid.Check(t, func(t *rapid.T) {
		file := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-c./:%?#\\ ]{1,12}`)).Draw(t, "file")
		ref := reference(file)
		if ref == "" {
			return
		}
		resolved, err := root.Parse(ref)
		if err != nil || resolved.Path != "/repository/"+file || resolved.Host != "" || resolved.RawQuery != "" || resolved.Fragment != "" {
			t.Fatalf("%q becomes %q, which leads to %v (%v)", file, ref, resolved, err)
		}
	})
}

func TestMessage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", "[a](b)": "[a] (b)", "f[k](x)": "f[k] (x)", "{0} {x} {{1}}": "{ 0} {x} {{ 1}}", "世{9": "世{ 9", "{": "{",
	} {
		if got := *message(text).Text; got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// Results stand on the lines that changed, for these are what a review shows.
func TestPlaces(t *testing.T) {
	t.Parallel()
	s := &event.Stream{
		Matches: []event.Match{{Changed: []event.ChangedItem{
			{Function: "Drawn", Status: "changed", File: "a.go", Line: 1, EndLine: 9},
			{Function: "Plain", Status: "changed", File: "b.go", Line: 3, EndLine: 5},
			{Function: "Gone", Status: "deleted", File: "c.go", Line: 7},
		}}},
		Graphs: []event.Graph{{Function: "Drawn", Status: "changed", Head: event.Flow{File: "a.go"}, Hunks: []event.Hunk{
			{Base: 1, Head: 2, Lines: []string{" x", "-old", "+new", "+more", " y", "-lost", " z"}},
		}}},
	}
	p := placesOf(s)
	for _, test := range []struct {
		finding event.Finding
		want    []stretch
	}{
		{event.Finding{Changed: []string{"Drawn"}}, []stretch{{"a.go", 3, 4, "Drawn"}, {"a.go", 6, 6, "Drawn"}}},
		{event.Finding{Changed: []string{"Drawn", "Plain"}, Function: "Plain"}, []stretch{{"b.go", 3, 5, "Plain"}, {"a.go", 3, 4, "Drawn"}, {"a.go", 6, 6, "Drawn"}}},
		{event.Finding{Changed: []string{"Gone"}, Function: "F", File: "f.go", Line: 2}, []stretch{{"f.go", 2, 2, "F"}}},
	} {
		if diff := cmp.Diff(test.want, p.primary(test.finding), cmp.AllowUnexported(stretch{})); diff != "" {
			t.Error(diff)
		}
	}
}

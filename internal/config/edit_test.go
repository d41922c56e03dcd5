package config

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/diff/acceptance"
)

var newYear = time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)

func TestAddAcceptance(t *testing.T) {
	t.Parallel()
	entry := acceptance.Entry{ID: "0a1b2c3d", Reason: "on purpose"}
	const added = "  - id: \"0a1b2c3d\"\n    reason: on purpose\n"
	for _, test := range []struct {
		name, before, after string
		entry               acceptance.Entry
	}{
		{"no file", "", "accept:\n" + added, entry},
		{"only a comment", "# ours\n", "# ours\naccept:\n" + added, entry},
		{"no line end", "seed: 3", "seed: 3\naccept:\n" + added, entry},
		{"nothing behind the key", "accept: # none yet\nseed: 3\n", "accept: # none yet\n" + added + "seed: 3\n", entry},
		{"empty list", "accept: [] # none yet\nseed: 3\n", "accept:  # none yet\n" + added + "seed: 3\n", entry},
		{"further list", "accept:\n- {id: aaaaaaaa, reason: x} # a\n\n# the seed\nseed: 3\n",
			"accept:\n- {id: aaaaaaaa, reason: x} # a\n- id: \"0a1b2c3d\"\n  reason: on purpose\n\n# the seed\nseed: 3\n", entry},
		{"in the middle", "accept:\n    - id: aaaaaaaa\n      reason: |-\n        # no comment\n      # a comment\n# another\nseed: 3\n",
			"accept:\n    - id: aaaaaaaa\n      reason: |-\n        # no comment\n      # a comment\n    - id: \"0a1b2c3d\"\n      reason: on purpose\n# another\nseed: 3\n", entry},
		{"who and when", "", "accept:\n" + added + "    by: \"@someone\"\n    expires: 2027-01-31\n",
			acceptance.Entry{ID: "0a1b2c3d", Reason: "on purpose", By: "@someone", Expires: newYear}},
		{"CRLF", "seed: 3\r\n", "seed: 3\r\naccept:\r\n  - id: \"0a1b2c3d\"\r\n    reason: on purpose\r\n", entry},
		{"text that YAML would take for something else", "", "accept:\n  - id: \"0a1b2c3d\"\n    reason: \"#1: \\\"yes\\\" — null\"\n",
			acceptance.Entry{ID: "0a1b2c3d", Reason: `#1: "yes" — null`}},
		{"a word that YAML knows", "", "accept:\n  - id: \"0a1b2c3d\"\n    reason: \"true\"\n", acceptance.Entry{ID: "0a1b2c3d", Reason: "true"}},
		{"again", "accept:\n  - reason: 'it''s old' # why\n    id: 0a1b2c3d\n", "accept:\n  - reason: on purpose # why\n    id: 0a1b2c3d\n", entry},
		{"again, and nothing new", "accept:\n  - {id: 0a1b2c3d, reason: 'on purpose'}\n", "accept:\n  - {id: 0a1b2c3d, reason: 'on purpose'}\n", entry},
		{"again, with an end", "accept:\n  - id: 0a1b2c3d\n    reason: old reason\n    by: \"ä: b\"\nseed: 3\n",
			"accept:\n  - id: 0a1b2c3d\n    reason: on purpose\n    by: c\n    expires: 2027-01-31\nseed: 3\n",
			acceptance.Entry{ID: "0a1b2c3d", Reason: "on purpose", By: "c", Expires: newYear}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := AddAcceptance("x.yml", []byte(test.before), test.entry)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.after, string(got)); diff != "" {
				t.Error(diff)
			}
			again, err := AddAcceptance("x.yml", got, test.entry)
			if err != nil || string(again) != string(got) {
				t.Errorf("the second time it is another: %v\n%s", err, again)
			}
		})
	}
}

// TestAddAcceptanceRefuses: where the file cannot be edited, it says what to
// write.
func TestAddAcceptanceRefuses(t *testing.T) {
	t.Parallel()
	entry := acceptance.Entry{ID: "0a1b2c3d", Reason: "on purpose"}
	for text, want := range map[string]string{
		"{seed: 3}\n":                           "all of it stands in braces",
		"accept: [{id: aaaaaaaa, reason: x}]\n": "not a list of lines that begin with a dash",
		"accept:\n  - id: 0a1b2c3d\n    reason: >-\n      two\n      lines\n": "over several lines",
		"accept:\n  - id: 0a1b2c3d\n    reason: two\n      lines\n":           "over several lines",
		"accept:\n  - id: 0a1b2c3d\n    reason: &r old\n    by: *r\n":         "an anchor",
		"seed: 3\n...\n":       "it by hand:\n\naccept:\n  - id: \"0a1b2c3d\"\n    reason: on purpose",
		"seed: x\n":            "x.yml:1: seed must be a whole number",
		"seed: 3\n---\nx: y\n": "a second document",
	} {
		if got, err := AddAcceptance("x.yml", []byte(text), entry); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want … %s …\n%s", text, err, want, got)
		}
	}
}

// TestAddAcceptanceKeepsTheRest: without the lines that were added, the file is
// what it was, and the new entry is read back as it was given.
func TestAddAcceptanceKeepsTheRest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		comment := rapid.SampledFrom([]string{"", " # c", "   # - id: x"})
		gap := rapid.SampledFrom([]string{"", "", "\n", "# gap\n", "  # indented\n", "\n\n"})
		reason := rapid.StringMatching(`[ -~äß世]{0,12}[!-~ä]`)
		var b strings.Builder
		line := func(s string) { b.WriteString(s + comment.Draw(t, "comment") + "\n") }
		lists := rapid.IntRange(0, 3).Draw(t, "entries")
		indent := strings.Repeat(" ", rapid.IntRange(0, 4).Draw(t, "indent"))
		blocks := []func(){
			func() { line("seed: 7") },
			func() { line("test:"); line("  flags: [-short]"); line("  skip:"); line("    - TestX") },
			func() {
				if lists == 0 {
					return
				}
				line("accept:")
				for i := range lists {
					b.WriteString(gap.Draw(t, "gap"))
					if rapid.Bool().Draw(t, "flow") {
						line(fmt.Sprintf("%s- {id: aaaaaaa%d, reason: y}", indent, i))
						continue
					}
					line(fmt.Sprintf("%s- id: aaaaaaa%d", indent, i))
					b.WriteString(gap.Draw(t, "gap in the entry"))
					line(indent + "  reason: " + scalar(reason.Draw(t, "old reason")))
				}
			},
		}
		for _, k := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "order") {
			b.WriteString(gap.Draw(t, "gap"))
			blocks[k]()
		}
		text := strings.ReplaceAll(b.String(), "\n", end)
		before, err := Parse("x.yml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		e := acceptance.Entry{ID: rapid.SampledFrom([]string{"0a1b2c3d", "12345678", "1e100000", "aaaaaaa0"}).Draw(t, "id"),
			Reason: strings.TrimSpace(reason.Draw(t, "reason")), From: acceptance.FromConfig}
		if e.Reason == "" {
			e.Reason = "x"
		}
		if rapid.Bool().Draw(t, "with an end") {
			e.Expires = newYear
		}
		got, err := AddAcceptance("x.yml", []byte(text), e)
		if e.ID == "aaaaaaa0" && len(before.Accept) > 0 {
			return // TestAddAcceptance is about entries that are there already
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		added := entryLines("", e)
		if len(before.Accept) == 0 {
			added = append([]string{"accept:"}, added...)
		}
		lines := strings.SplitAfter(string(got), end)
		at := -1
		for i := 0; i+len(added) <= len(lines); i++ {
			same := true
			for k, l := range added {
				same = same && strings.TrimLeft(lines[i+k], " ") == strings.TrimLeft(l, " ")+end
			}
			if same {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("the entry is not in\n%s", got)
		}
		rest := strings.Join(append(lines[:at:at], lines[at+len(added):]...), "")
		if rest != text {
			t.Fatalf("the rest is no longer\n%q\nbut\n%q", text, rest)
		}
		after, err := Parse("x.yml", got)
		if err != nil || len(after.Accept) != len(before.Accept)+1 || !cmp.Equal(after.Accept[len(before.Accept)], e) {
			t.Fatalf("read back: %+v, %v", after.Accept, err)
		}
	})
}

// FuzzAddAcceptance: settings that
// are read can be accepted into without losing any.
func FuzzAddAcceptance(f *testing.F) {
	f.Add(full)
	f.Add("accept:\n- id: 0a1b2c3d\n  reason: >\n    x\n\n  expires: 2027-01-31\npolicy: [{packages: ., fail-on: []}]\n")
	f.Add("accept: &a\n- &b {id: 0a1b2c3d, reason: x}\n- *b\npolicy: *a\n")
	f.Add("? accept\n: - ? id\n    : 0a1b2c3d\n    reason: x\n...\n")
	f.Add("accept: []\r\n# x")
	f.Fuzz(func(t *testing.T, text string) {
		before, err := Parse("x.yml", []byte(text))
		if err != nil {
			return
		}
		e := acceptance.Entry{ID: "fedcba98", Reason: "it: is #1", From: acceptance.FromConfig}
		got, err := AddAcceptance("x.yml", []byte(text), e)
		if err != nil {
			return
		}
		after, err := Parse("x.yml", got)
		if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		want, _ := merged(before.Accept, e)
		before.Accept = want
		if diff := cmp.Diff(withoutPlaces(before), withoutPlaces(after)); diff != "" {
			t.Fatalf("%s\n%s", diff, got)
		}
	})
}

package report_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/bot/present"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

// wrongCheck says what the check run of a stream does that it must not: title and
// summary are held against what a comment is held against, and annotations, which
// GitHub shows as plain text, hold nothing that is not seen.
func wrongCheck(s *event.Stream) string {
	view := present.View{Repository: "https://example.com/o/r", Run: "https://example.com/o/r/actions/runs/1"}
	check, err := view.Check(s, policy.Decide(policy.Of(s.Config), s))
	if err != nil {
		return err.Error()
	}
	for what, text := range map[string]string{"title": check.Title, "summary": check.Summary, "text": check.Text} {
		if wrong := report.Harmless(text + "\n"); wrong != "" {
			return "the check's " + what + ": " + wrong
		}
	}
	if strings.TrimSpace(check.Summary) == "" || strings.Contains(check.Title, "\n") {
		return "the check has no summary, or a title of two lines"
	}
	for _, a := range present.Annotations(s) {
		if a.Title != report.Visible(a.Title) || len([]rune(a.Title)) > 160 {
			return "the title of an annotation: " + a.Title
		}
		for line := range strings.SplitSeq(a.Message, "\n") {
			if line != report.Visible(line) {
				return "the message of an annotation: " + line
			}
		}
	}
	return ""
}

// TestHostileChecks: a check posted for a fork's stream says and links nothing
// that the fork wrote as Markdown.
func TestHostileChecks(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	const review = "2/2, @octo/admins see [your account is locked](https://evil.example/login) ![x](https://evil.example/beacon.png) fixes #1 <b>x</b> \u202e"
	forged := report.HostileStream(review)
	forged.Summary = &event.Summary{Verdict: event.Incomplete}
	for name, s := range map[string]*event.Stream{"fixture": report.Fixture(t, "hostile"), "review": forged} {
		if wrong := wrongCheck(s); wrong != "" {
			t.Fatalf("%s: %s", name, wrong)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if wrong := wrongCheck(report.Drawn(t)); wrong != "" {
			t.Fatal(wrong)
		}
	})
}

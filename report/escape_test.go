package report

import (
	"strings"
	"testing"
)

// What GitHub links by itself, in letters alone or not, stands as code in a
// sentence of the stream.
func TestProseHoldsNoAutolink(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"GHSA-cfgh-jmpq-rvwx", "ghsa-cfgh-jmpq-rvwx", "TICKET-123", "TICKET-abc", "JIRA-abc", "GH-123", "#1", "octo/lib#1", "@user", "@octo/admins",
		"0123abc", "octo/lib@0123abc", "cve-2024-12345", "CVE-2024-12345", "www.b.co", "a@b.co", "https://b.co",
	} {
		for _, around := range []string{"%", "see %, please", "(%)", "%:", "“%”", "see\u00a0%"} {
			text := inlineProse(strings.Replace(around, "%", s, 1))
			if wrong := harmless(text + "\n"); wrong != "" {
				t.Errorf("%s: %s", text, wrong)
			}
			if i := strings.Index(text, s); i >= 0 && strings.Count(text[:i], "`")%2 == 0 && strings.Count(text[:i], "<code>") == strings.Count(text[:i], "</code>") {
				t.Errorf("%q is outside of code: %s", s, text)
			}
		}
	}
}

package report

import (
	"strings"

	"github.com/isodelta/isodelta/diff/policy"
)

// Name is a hostile name for a line of plain text: made visible, and cut to at most
// limit characters.
func Name(s string, limit int) string { return shorten(s, limit) }

// Reasons writes what a policy says of a comparison as Markdown, a paragraph for
// each sentence.
func Reasons(d policy.Decision) string {
	var lines []string
	for _, r := range d.Reasons {
		lines = append(lines, inlineText(r))
	}
	return strings.Join(lines, "\n\n")
}

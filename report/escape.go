package report

import (
	"fmt"
	"strings"
)

// inlineCode writes hostile text as inline code of Markdown, for anywhere but
// inside an HTML block. Nothing within a code span is interpreted, and GitHub
// makes no mention or link in one; only the backquote and, in tables, the pipe
// (with or without a backslash before it: renderers disagree) can end it, and
// such texts are written as HTML.
func inlineCode(s string) string {
	s = visible(s)
	switch {
	case s == "":
		return "(empty)"
	case strings.ContainsAny(s, "`|"), strings.Trim(s, " ") == "":
		return htmlCode(s)
	case s[0] == ' ' && s[len(s)-1] == ' ':
		return "` " + s + " `" // one space on each side is taken off again
	}
	return "`" + s + "`"
}

// htmlCode writes hostile text as inline code of HTML, for anywhere in Markdown
// and in HTML blocks. Every punctuation mark is a character reference, which
// CommonMark never takes for structure. An empty comment before the at sign
// keeps cmark-gfm from making an e-mail link out of the text afterwards.
func htmlCode(s string) string {
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range visible(s) {
		switch {
		case r == '@':
			b.WriteString("<!-- -->&#64;")
		case r == ' ' || r >= 0x80 || isAlphanumeric(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	b.WriteString("</code>")
	return b.String()
}

// inlineText writes text as words. Marks that could be structure become
// character references, which also keeps cmark-gfm from making links of
// addresses; an invisible space breaks what GitHub would turn into a mention or
// a reference to an issue after rendering.
func inlineText(s string) string {
	const gap = "&#8203;" // zero-width space
	var b strings.Builder
	runes := []rune(visible(s))
	for i, r := range runes {
		switch {
		case isAlphanumeric(r), r >= 0x80, strings.ContainsRune(" ,;()'-%?", r):
			b.WriteRune(r)
		case r == '/', r == '.' && !startsLink(runes[:i]), r == ':' && (i+1 == len(runes) || runes[i+1] == ' '):
			b.WriteRune(r)
		case r == '@' || r == '#':
			fmt.Fprintf(&b, "&#%d;%s", r, gap)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}

// startsLink: a dot here would make an address.
func startsLink(before []rune) bool {
	n := len(before)
	return n >= 3 && strings.EqualFold(string(before[n-3:]), "www")
}

// inlineProse writes a hostile sentence as words, wherever it stands: unlike our
// own words it may begin with what opens a list or an indented block.
func inlineProse(s string) string {
	rest := strings.TrimLeft(s, "0123456789")
	digits := s[:len(s)-len(rest)]
	if rest != "" && strings.IndexByte(" -.)", rest[0]) >= 0 {
		digits += fmt.Sprintf("&#%d;", rest[0])
		rest = rest[1:]
	}
	return digits + inlineText(rest)
}

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// fenced writes lines as a code block whose fence is longer than any run of
// backquotes in them.
func fenced(info string, lines []string) string {
	longest := 2
	for _, l := range lines {
		run := 0
		for _, r := range l {
			if r == '`' {
				run++
				longest = max(longest, run)
			} else {
				run = 0
			}
		}
	}
	fence := strings.Repeat("`", longest+1)
	return fence + info + "\n" + strings.Join(lines, "\n") + "\n" + fence + "\n"
}

package report

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// inlineCode writes hostile text as inline code of Markdown, for anywhere but
// inside an HTML block. Nothing within a code span is interpreted, and GitHub
// makes no mention, reference, emoji or link in one; only the backquote and, in
// tables, the pipe (with or without a backslash before it: renderers disagree)
// can end it. Such texts are written as HTML, and so is what looks like the start
// of a comment, lest the source holds the hidden marker of another report.
func inlineCode(s string) string {
	s = visible(s)
	switch {
	case s == "":
		return "(empty)"
	case strings.ContainsAny(s, "`|"), strings.Contains(s, "<!-"), strings.Trim(s, " ") == "":
		return htmlCode(s)
	case s[0] == ' ' && s[len(s)-1] == ' ':
		return "` " + s + " `" // one space on each side is taken off again
	}
	return "`" + s + "`"
}

// htmlCode writes hostile text as inline code of HTML, for anywhere in Markdown
// and in HTML blocks. Every mark that CommonMark or an extension of GitHub's acts
// on within a line is a character reference; the others stay, since some mail
// programs show the source. cmark-gfm looks for addresses once more after
// references are resolved, one text node at a time; an empty comment ends the
// node before what an address cannot be without.
func htmlCode(s string) string {
	const end = "<!-- -->"
	var b strings.Builder
	b.WriteString("<code>")
	runes := []rune(visible(s))
	for i, r := range runes {
		switch {
		case r == '@',
			r == ':' && i+1 < len(runes) && runes[i+1] == '/',
			r == '.' && i > 0 && (runes[i-1] == 'w' || runes[i-1] == 'W'):
			fmt.Fprintf(&b, "%s&#%d;", end, r)
		case r >= 0x80, isAlphanumeric(r), strings.ContainsRune(" .:/-,;()=+%?{}#'", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	b.WriteString("</code>")
	return b.String()
}

// inlineText writes our own words. Marks that could be structure become
// character references, which also keeps cmark-gfm from making links of
// addresses.
func inlineText(s string) string {
	var b strings.Builder
	runes := []rune(visible(s))
	for i, r := range runes {
		switch {
		case isAlphanumeric(r), r >= 0x80, strings.ContainsRune(" ,;()'-%?/", r):
			b.WriteRune(r)
		case r == '.', r == ':' && (i+1 == len(runes) || runes[i+1] == ' '):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}

// plainWord is what a word of a sentence may be to stand there as it is: letters,
// or a short number, with the marks that stand around words. No mention,
// reference, address, emoji, name of a commit or mark of Markdown is one; nor is a
// word with a hyphen, which may be an advisory (GHSA-…) or what a repository links
// by itself (TICKET-…), in letters alone.
var plainWord = lazyregexp.New(`^([(]?)(\pL+(?:['’]\pL+)*|[0-9]{1,6}|[0-9]{1,3}(?:,[0-9]{3})+)([,;:.!?)]{0,3})$`)

// commitName is what GitHub takes for the name of a commit, and holdsCommit a word
// in which it finds one; some words are names of commits. endsInWeb is a word that
// begins an address when a dot follows. For GitHub a letter beyond ASCII ends a
// word.
var (
	commitName  = lazyregexp.New(`(?i)^[0-9a-f]{7,64}$`)
	holdsCommit = lazyregexp.New(`(?i)(?:^|[^0-9a-z_])[0-9a-f]{7,}(?:$|[^0-9a-z_])`)
	endsInWeb   = lazyregexp.New(`(?i)(?:^|[^0-9a-z_])www$`)
)

// inlineProse writes a hostile sentence as words, wherever it stands. What is no
// plain word stands as code, so that nothing of it has a meaning to GitHub, and
// nothing invisible has to be put between its characters.
func inlineProse(s string) string {
	words := strings.Fields(visible(s))
	if len(words) == 0 {
		return "(empty)" // an item of a list without text may make a heading of the one before
	}
	for i, w := range words {
		words[i] = proseWord(w, i == 0)
	}
	return strings.Join(words, " ")
}

func proseWord(w string, first bool) string {
	if part := plainWord().FindStringSubmatch(w); part != nil && !holdsCommit().MatchString(part[2]) && !endsInWeb().MatchString(part[2]) {
		// "1." and "1)" begin a list.
		if list := unicode.IsDigit(rune(part[2][0])) && part[3] != ""; !first || !list {
			return w
		}
	}
	// A mark after a word is the sentence's own.
	end := len(strings.TrimRight(w, ",;:."))
	if end == 0 || strings.HasSuffix(w, "...") {
		end = len(w)
	}
	return inlineCode(w[:end]) + w[end:]
}

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// commentStart is spelled in code blocks such that the source of the report
// holds no hidden marker but the one that whoever posts it puts there.
var commentStart = strings.NewReplacer("<!-", `<!\x2d`)

// fenced writes lines as a code block whose fence is longer than any run of
// backquotes in them.
func fenced(info string, lines []string) string {
	longest := 2
	body := commentStart.Replace(strings.Join(lines, "\n"))
	run := 0
	for _, r := range body {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	return fence + info + "\n" + body + "\n" + fence + "\n"
}

// anchor is a link around HTML or Markdown of our own; the text alone where
// there is no address. It may stand in Markdown and in HTML blocks.
func anchor(address, text string) string {
	if address = attribute(address); address == "" {
		return text
	}
	return `<a href="` + address + `">` + text + `</a>`
}

// escaped is how a byte of an address is written.
var escaped = lazyregexp.New(`^%[0-9A-Fa-f]{2}`)

// attribute writes an address so that it can neither end the attribute nor
// name a scheme that runs something; "" where it is no address of the web.
func attribute(address string) string {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return ""
	}
	var b strings.Builder
	for i := range len(address) {
		c := address[i]
		switch {
		case c == '&':
			b.WriteString("&amp;")
		case isAlphanumeric(rune(c)), strings.IndexByte("/:.-_~?#=+", c) >= 0, c == '%' && escaped().MatchString(address[i:]):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

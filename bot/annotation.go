package bot

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-github/v60/github"
)

// Limits of GitHub's, in bytes where they are of texts.
const (
	maxTitle   = 255
	maxMessage = 64 << 10
	// maxLine is beyond any line that GitHub shows. It refuses numbers that are
	// too large, and with one the whole call.
	maxLine = 1 << 20
)

// githubAnnotations leaves out those that GitHub would refuse, and with them the
// whole call, and makes the rest such as it takes and shows as they are.
func githubAnnotations(list []Annotation) []*github.CheckRunAnnotation {
	var out []*github.CheckRunAnnotation
	for _, a := range list {
		message := shortened(lines(a.Message), maxMessage)
		if !annotates(a.Path) || a.Start < 1 || strings.TrimSpace(message) == "" {
			continue
		}
		start := min(a.Start, maxLine)
		g := &github.CheckRunAnnotation{
			Path: &a.Path, StartLine: &start, EndLine: github.Int(min(max(start, a.End), maxLine)), AnnotationLevel: &a.Level,
			Message: &message,
		}
		if title := shortened(line(a.Title), maxTitle); title != "" {
			g.Title = &title
		}
		out = append(out, g)
	}
	return out
}

// annotates reports whether a path can be one of a repository's files.
func annotates(path string) bool {
	return path != "" && len(path) < 4096 && path == line(path) && filepath.IsLocal(filepath.FromSlash(path))
}

// line is a hostile text on one line, in which nothing acts on a reader unseen:
// what controls, turns the direction of text or ends a line is replaced.
func line(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs, unicode.Co, unicode.Variation_Selector) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// lines is line for a text whose line feeds and tabs stay.
func lines(s string) string {
	list := strings.Split(strings.ReplaceAll(s, "\t", "    "), "\n")
	for i, l := range list {
		list[i] = line(l)
	}
	return strings.Join(list, "\n")
}

// shortened is at most n bytes long.
func shortened(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible spells out what a reader could not see or what would act on the
// screen instead of being shown: control characters (line feeds as \n), format
// characters such as bidirectional overrides and zero-width ones, separators
// other than the space, private characters, and bytes that are no UTF-8.
// A backslash stays as it is: the text is for reading, not for parsing.
func visible(s string) string {
	if isVisible(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case showable(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		i += size
	}
	return b.String()
}

func isVisible(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !showable(r) {
			return false
		}
	}
	return true
}

// showable reports whether a rune is a graphic character and not one that shows
// nothing: another space than U+0020, a variation selector or a filler.
func showable(r rune) bool {
	if r == ' ' {
		return true
	}
	if !unicode.IsGraphic(r) || unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) {
		return false
	}
	return !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && !unicode.Is(unicode.Variation_Selector, r)
}

// visibleLines splits a text at its line feeds and makes each line visible. Tabs
// become four spaces: they indent rendered values.
func visibleLines(s string) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", "    ")
		lines = append(lines, visible(line))
	}
	return lines
}

// shorten cuts s, made visible, to at most limit characters, with an ellipsis
// in the place of what is missing at the end.
func shorten(s string, limit int) string {
	s = visible(leading(s, limit+1))
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}

// leading is the first n characters of s, of which at least as many are shown.
func leading(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// excerpts cuts two texts to at most limit characters each such that the first
// difference between them stays in sight. Both begin at the same place.
func excerpts(a, b string, limit int) (string, string) {
	x, y := []rune(visible(a)), []rune(visible(b))
	if len(x) <= limit && len(y) <= limit {
		return string(x), string(y)
	}
	same := 0
	for same < len(x) && same < len(y) && x[same] == y[same] {
		same++
	}
	from := 0
	if same > limit*2/3 {
		from = same - limit/3 // a third of what is shown leads up to the difference
	}
	return window(x, from, limit), window(y, from, limit)
}

func window(r []rune, from, limit int) string {
	from = min(from, len(r))
	head := ""
	if from > 0 {
		head = "…"
		limit--
	}
	if len(r)-from > limit {
		return head + string(r[from:from+limit-1]) + "…"
	}
	return head + string(r[from:])
}

// Limits of a value that is shown in full, in lines and in characters a line.
const (
	valueHeight = 12
	valueWidth  = 300
)

// valueLines cuts two texts of several lines around their first difference. Two
// empty texts give no lines; in the place of one empty text stands its absent one.
func valueLines(a, b, absentA, absentB string) (x, y []string) {
	if a == "" && b == "" {
		return nil, nil
	}
	x, y = visibleLines(a), visibleLines(b)
	same := 0
	for same < len(x) && same < len(y) && x[same] == y[same] {
		same++
	}
	from := 0
	if same > valueHeight/2 {
		from = same - 2 // lines that lead up to the difference
	}
	if same < len(x) && same < len(y) {
		x[same], y[same] = excerpts(x[same], y[same], valueWidth)
	}
	return lineWindow(a, x, from, absentA), lineWindow(b, y, from, absentB)
}

func lineWindow(text string, lines []string, from int, absent string) []string {
	if text == "" {
		return []string{absent}
	}
	var out []string
	if from > 0 {
		from = min(from, len(lines))
		out = append(out, "… "+count(from, "line")+" alike")
	}
	rest := lines[from:]
	for i, l := range rest {
		if i == valueHeight {
			return append(out, "… "+count(len(rest)-valueHeight, "more line"))
		}
		out = append(out, shorten(l, valueWidth))
	}
	return out
}

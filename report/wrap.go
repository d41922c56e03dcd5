package report

import (
	"strings"

	"github.com/rivo/uniseg"
)

// ink colours terminal text; off, it does nothing.
type ink bool

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

func (on ink) paint(text string, codes ...string) string {
	if !bool(on) || text == "" || len(codes) == 0 {
		return text
	}
	return strings.Join(codes, "") + text + reset
}

// word is what wrapping does not break.
type word struct {
	text  string
	style style
	glued bool // no space before it
}

// wrap breaks a phrase into lines of at most width columns, the first shortened
// by first, and paints them. Texts from the tested repository are made visible,
// and set in backquotes where they stand as code.
func (on ink) wrap(p phrase, width, first int, base ...string) []string {
	var lines []string
	var line []word
	room := max(width-first, 1)
	list := wordsOf(p, width)
	for i, w := range list {
		need := uniseg.StringWidth(w.text)
		if !w.glued && len(line) > 0 {
			need++
		}
		whole := need + gluedTo(list[i+1:])
		if len(line) > 0 && (!w.glued && whole > room || need > room) {
			line, lines = on.flush(line, lines, base)
			room = max(width, 1)
			need = uniseg.StringWidth(w.text)
		}
		line = append(line, w)
		room -= need
	}
	_, lines = on.flush(line, lines, base)
	return lines
}

// gluedTo is the width of the words at the beginning of list that have no space
// before them.
func gluedTo(list []word) int {
	n := 0
	for _, w := range list {
		if !w.glued {
			break
		}
		n += uniseg.StringWidth(w.text)
	}
	return n
}

func (on ink) flush(line []word, lines []string, base []string) ([]word, []string) {
	var b strings.Builder
	for i := 0; i < len(line); {
		run := line[i].text
		j := i + 1
		for ; j < len(line) && line[j].style == line[i].style; j++ {
			if !line[j].glued {
				run += " "
			}
			run += line[j].text
		}
		if i > 0 && !line[i].glued {
			b.WriteByte(' ')
		}
		b.WriteString(on.paint(run, colours(line[i].style, base)...))
		i = j
	}
	return nil, append(lines, b.String())
}

func colours(s style, base []string) []string {
	switch s {
	case code, name:
		return append([]string{cyan}, base...)
	case strong:
		return append([]string{bold}, base...)
	case faint:
		return append([]string{dim}, base...)
	}
	return base
}

// wordsOf splits at spaces, and splits what is longer than a line.
func wordsOf(p phrase, width int) []word {
	var list []word
	space := true // the next word has a space before it
	for _, s := range p {
		text := visible(s.text)
		if s.style == code {
			text = "`" + text + "`"
		}
		for i, part := range strings.Split(text, " ") {
			if i > 0 {
				space = true
			}
			for part != "" {
				piece, rest := split(part, max(width, 8))
				list = append(list, word{piece, s.style, !space})
				space = false
				part = rest
			}
		}
	}
	if len(list) > 0 {
		list[0].glued = true
	}
	return list
}

// split cuts text after at most width columns, between grapheme clusters.
func split(text string, width int) (string, string) {
	rest, state, used := text, -1, 0
	for rest != "" {
		var columns int
		var next string
		_, next, columns, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+columns > width && used > 0 {
			return text[:len(text)-len(rest)], rest
		}
		used += columns
		rest = next
	}
	return text, ""
}

// foldLine breaks a line at the column's width, after a space where one is near
// enough, else between grapheme clusters.
func foldLine(text string, width int) []string {
	var out []string
	for {
		piece, rest := split(text, width)
		if rest == "" {
			return append(out, piece)
		}
		if space := strings.LastIndexByte(piece, ' '); space > len(piece)/2 && rest[0] != ' ' {
			piece, rest = text[:space+1], text[space+1:]
		}
		out = append(out, piece)
		text = rest
	}
}

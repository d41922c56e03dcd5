package expectation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// reworded is a phrase in code that the change writes in another way.
type reworded struct {
	file   string
	line   int         // on head
	pieces []rewriting // that differ, between its verbs
}

// rewriting is a text on base and its replacement on head, as they are written in quotes.
type rewriting struct{ base, head string }

// rewordings returns the phrases that stand in removed and added lines at the same place. line is the number of the first added line.
func rewordings(file string, line int, removed, added []string) []reworded {
	out := longRewordings(file, line, removed, added)
	was, is := textsOf(removed), textsOf(added)
	if len(was) != len(is) {
		return out // which of them belong together is not known
	}
	for i, w := range was {
		if w.text == is[i].text || !phrase(w.text) || !phrase(is[i].text) {
			continue
		}
		if pieces := rewritten(w.text, is[i].text); len(pieces) > 0 {
			out = append(out, reworded{file, line + is[i].line, pieces})
		}
	}
	return out
}

// longRewordings returns the lines without any quote that are written in another way: lines of a text between backquotes may be such
// ones. Lines of code are, too, but no value has them.
func longRewordings(file string, line int, removed, added []string) (out []reworded) {
	if len(removed) != len(added) {
		return nil
	}
	for i := range removed {
		was, is := strings.TrimSpace(removed[i]), strings.TrimSpace(added[i])
		if was != is && !strings.ContainsAny(was+is, "\"`") && phrase(was) && phrase(is) {
			out = append(out, reworded{file, line + i, []rewriting{{inQuotes(was), inQuotes(is)}}})
		}
	}
	return out
}

// lineText is a text in lines of code, with the number of its line from 0.
type lineText struct {
	text string
	line int
}

// textsOf returns the texts in lines of code, in order.
func textsOf(code []string) (out []lineText) {
	for i, line := range code {
		for _, quoted := range stringLiteral().FindAllString(line, -1) {
			if text, err := strconv.Unquote(quoted); err == nil {
				out = append(out, lineText{text, i})
			}
		}
	}
	return out
}

// rewritten returns the pieces between the verbs of two formats that differ. It returns nil if the verbs differ.
func rewritten(base, head string) []rewriting {
	if !slices.Equal(verbs().FindAllString(base, -1), verbs().FindAllString(head, -1)) {
		return nil
	}
	var out []rewriting
	b, h := verbs().Split(base, -1), verbs().Split(head, -1)
	for i := range b {
		if b[i] != h[i] {
			out = append(out, rewriting{inQuotes(b[i]), inQuotes(h[i])})
		}
	}
	if slices.ContainsFunc(out, func(r rewriting) bool { return r.base == "" }) {
		return nil // an insertion has no place in the text of base
	}
	return out
}

// inQuotes returns a text as it is written between quotes.
func inQuotes(text string) string {
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// ofWording returns the line with a phrase that the change writes in another way, if that is all that a finding shows.
func (e Edits) ofWording(f event.Finding) *event.Expectation {
	for _, w := range e.reworded {
		wholly := !strings.HasSuffix(f.Base.Value, cutOff) && w.explains(f.Base.Value, f.Head.Value)
		if wholly || len(f.Differs) > 0 && !slices.ContainsFunc(f.Differs, func(p event.PartDiffers) bool { return !w.explains(p.Base, p.Head) }) {
			return &event.Expectation{File: w.file, Line: w.line}
		}
	}
	return nil
}

// explains reports whether two texts differ by the phrase alone, as far as they go: long texts are cut off.
func (w reworded) explains(base, head string) bool {
	if base == head {
		return false
	}
	for _, r := range w.pieces {
		base = strings.ReplaceAll(base, r.base, r.head)
	}
	short, long := strings.TrimSuffix(base, cutOff), strings.TrimSuffix(head, cutOff)
	if short == base || long == head {
		return base == head
	}
	if len(short) > len(long) {
		short, long = long, short
	}
	return strings.HasPrefix(long, short) && slices.ContainsFunc(w.pieces, func(r rewriting) bool { return strings.Contains(short, r.head) })
}

// cutOff stands at the end of a text that is longer than what is shown of it.
const cutOff = "…"

var (
	// stringLiteral matches a text in a line of code.
	stringLiteral = lazyregexp.New("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
	// verbs matches what a format prints a value with.
	verbs = lazyregexp.New(`%[-+# 0-9.*\[\]]*[a-zA-Z%]`)
)

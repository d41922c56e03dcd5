package coverage

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
)

// around is how many lines a hunk shows before and after what differs.
const around = 3

// functionHunks compares the source texts of a function.
func functionHunks(base, head sourceText) []event.Hunk {
	differ := revision.Lines(base.joined(), head.joined())
	var out []event.Hunk
	shown := 0 // lines of base, those that hunks hold or have passed
	for i, d := range differ {
		from, to := d.BaseLine-1, d.BaseLine-1+d.BaseLines
		start, end := max(from-around, shown), min(to+around, len(base.lines))
		if i+1 < len(differ) {
			end = min(end, differ[i+1].BaseLine-1)
		}
		if len(out) == 0 || start > shown {
			out = append(out, event.Hunk{Base: base.first + start, Head: head.first + start + d.HeadLine - d.BaseLine})
		}
		h := &out[len(out)-1]
		h.Lines = slices.Concat(h.Lines, marked(" ", base.lines[start:from]), marked("-", base.lines[from:to]),
			marked("+", head.lines[d.HeadLine-1:d.HeadLine-1+d.HeadLines]), marked(" ", base.lines[to:end]))
		shown = end
	}
	return out
}

func marked(mark string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = mark + l
	}
	return out
}

// sourceText is the text of a declaration.
type sourceText struct {
	first int // number of its first line in the file
	lines []string
}

func (t sourceText) joined() []byte {
	if len(t.lines) == 0 {
		return nil
	}
	return []byte(strings.Join(t.lines, "\n") + "\n")
}

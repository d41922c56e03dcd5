package instrument

import (
	"bytes"
	"slices"
)

// edits are changes to one file by byte offset. Whoever wraps an outer
// expression does so before the inner ones: at the same offset, opening texts
// appear in the order in which they were added, closing texts in the reverse.
type edits struct {
	list []edit
}

type edit struct {
	at, end int // replaced range, empty for an insertion
	text    string
	order   int
	closing bool
}

func (e *edits) empty() bool { return len(e.list) == 0 }

// open inserts before what starts at the offset.
func (e *edits) open(at int, text string) {
	e.list = append(e.list, edit{at: at, end: at, text: text, order: len(e.list)})
}

// close inserts after what ends at the offset.
func (e *edits) close(at int, text string) {
	e.list = append(e.list, edit{at: at, end: at, text: text, order: len(e.list), closing: true})
}

// replace exchanges a range that holds no line break.
func (e *edits) replace(at, end int, text string) {
	e.list = append(e.list, edit{at: at, end: end, text: text, order: len(e.list)})
}

// blank overwrites a range with spaces and keeps its line breaks. Blanked
// ranges may overlap; nothing else may be changed in them.
func (e *edits) blank(src []byte, at, end int) {
	b := bytes.Clone(src[at:end])
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
	e.replace(at, end, string(b))
}

func (e *edits) apply(src []byte) []byte {
	slices.SortStableFunc(e.list, func(a, b edit) int {
		switch {
		case a.at != b.at:
			return a.at - b.at
		case a.closing && b.closing:
			return b.order - a.order
		case a.closing:
			return -1
		case b.closing:
			return 1
		}
		return a.order - b.order
	})
	var out bytes.Buffer
	out.Grow(len(src) + len(src)/2)
	done := 0
	for _, x := range e.list {
		if x.at < done { // within what was already replaced
			if x.end <= done {
				continue
			}
			x.text, x.at = x.text[done-x.at:], done
		}
		out.Write(src[done:x.at])
		out.WriteString(x.text)
		done = x.end
	}
	out.Write(src[done:])
	return out.Bytes()
}

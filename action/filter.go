package action

import (
	"io"
	"sync"
)

// Filter keeps what is written from being a workflow command, for the commands
// that print a report and nothing deliberate. The runner takes a line for one where
// it begins with two colons, white space aside, and in its older form wherever "##["
// stands: a space goes between. The rest is written as it is, at once.
func Filter(w io.Writer) io.Writer { return &filter{w: w, blank: true} }

type filter struct {
	mu sync.Mutex
	w  io.Writer
	// blank says that the line so far is white space, colon that one colon
	// followed it, and marks counts the number signs right before.
	blank, colon bool
	marks        int
}

func (f *filter) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]byte, 0, len(p)+8)
	for _, b := range p {
		if b == ':' && f.colon || b == '[' && f.marks >= 2 {
			out = append(out, ' ')
		}
		out = append(out, b)
		f.colon = b == ':' && f.blank
		switch {
		case b == '\n', b == '\r':
			f.blank = true
		case b > ' ' && b < 0x80: // beyond ASCII there is white space, too
			f.blank = false
		}
		if b == '#' {
			f.marks++
		} else {
			f.marks = 0
		}
	}
	if _, err := f.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

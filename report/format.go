package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// format is one way to write a whole stream.
type format struct {
	name   string
	render func(io.Writer, *event.Stream) error
}

func formats() []format {
	return []format{
		{"terminal", func(w io.Writer, s *event.Stream) error { return Terminal(w, s, TerminalOptions{}) }},
		{"markdown", func(w io.Writer, s *event.Stream) error { return Markdown(w, s, MarkdownOptions{}) }},
		{"json", jsonLines},
		{"html", HTML},
		{"sarif", SARIF},
		{"junit", JUnit},
	}
}

// Formats names what Render knows, in the order in which help should list it.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Render writes the stream in a format with its default options.
func Render(name string, w io.Writer, s *event.Stream) error {
	for _, f := range formats() {
		if f.name == name {
			return f.render(w, s)
		}
	}
	return fmt.Errorf("unknown output format %q; known are %s", name, strings.Join(Formats(), ", "))
}

func jsonLines(w io.Writer, s *event.Stream) error {
	out := event.NewWriter(w)
	for _, e := range s.Events() {
		out.Emit(e)
	}
	return out.Err()
}

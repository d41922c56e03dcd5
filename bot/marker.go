package bot

import (
	"cmp"
	"encoding/json"
	"strings"
)

// Heading is what the first line of each comment begins with, before a colon, or
// before the configuration in brackets.
const Heading = "### isodelta"

// headed reports whether a text begins as a comment of ours does.
func headed(text string) bool {
	rest, ok := strings.CutPrefix(text, Heading)
	return ok && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, " ("))
}

// marker is the hidden last line of a comment of ours: which configuration it
// belongs to, and what it is about.
type marker struct {
	Key     string `json:"key"`
	Commit  string `json:"commit"`
	Run     int64  `json:"run"`
	Attempt int    `json:"attempt"`
}

const (
	markerOpen  = "<!-- isodelta "
	markerClose = " -->"
	maxMarker   = 1024 // bytes
)

// line writes the marker. JSON spells < and > as escapes, so that no key can
// end the comment of HTML.
func (m marker) line() string {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings and numbers always can be written
	}
	return markerOpen + string(b) + markerClose
}

// compose puts the marker below a text.
func compose(text string, m marker) string {
	return plain(text) + "\n\n" + m.line()
}

// parseMarker splits a comment into its text and the marker on its last line.
// The text has to begin as ours does: another workflow of the same account may
// end its comment with what a pull request wrote. Nothing between the two lines
// counts: it may hold what a test printed.
func parseMarker(body string) (text string, m marker, ok bool) {
	body = plain(body)
	at := strings.LastIndexByte(body, '\n') + 1
	line, opens := strings.CutPrefix(body[at:], markerOpen)
	line, closes := strings.CutSuffix(line, markerClose)
	if !opens || !closes || len(line) > maxMarker || strings.ContainsAny(line, "<>") {
		return body, marker{}, false
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil || m.Key == "" || m.Run < 0 || m.Attempt < 0 {
		return body, marker{}, false
	}
	if text = plain(body[:at]); !headed(text) {
		return body, marker{}, false
	}
	return text, m, true
}

// plain is a text as it is after GitHub stored it, however often that is.
func plain(text string) string {
	for strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	return strings.TrimSpace(text)
}

// supersedes reports whether a report about a must not give way to one about b,
// where head is the pull request's present head. The commit decides first; at
// the same commit, and where neither is the head, the later run does. A run that
// is not known is as good as any.
func (a marker) supersedes(b marker, head string) bool {
	if a.Commit != b.Commit {
		switch head {
		case a.Commit:
			return true
		case b.Commit:
			return false
		}
	}
	if a.Run == 0 || b.Run == 0 {
		return false
	}
	return a.after(b)
}

// after reports whether a's run began after b's.
func (a marker) after(b marker) bool {
	return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Attempt, b.Attempt)) > 0
}

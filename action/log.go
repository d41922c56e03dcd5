package action

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/sethvargo/go-githubactions"
)

// Levels of annotations, in the words of workflow commands.
const (
	LevelError   = "error"
	LevelWarning = "warning"
	LevelNotice  = "notice"
)

// perLevel is how many annotations of one level GitHub shows for a step.
const perLevel = 10

// Log is the log of a step. What it is given may be hostile: nothing of it
// becomes a workflow command. It is safe for concurrent use.
type Log struct {
	mu    sync.Mutex
	w     io.Writer
	group bool
	used  map[string]int // annotations by level
}

// NewLog writes to a step's standard output.
func NewLog(w io.Writer) *Log { return &Log{w: w, used: map[string]int{}} }

// Group opens a folded group, after closing the one before.
func (l *Log) Group(title string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.endGroup()
	l.command("group", nil, title)
	l.group = true
}

// EndGroup closes the group, if one is open.
func (l *Log) EndGroup() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.endGroup()
}

func (l *Log) endGroup() {
	if l.group {
		l.command("endgroup", nil, "")
		l.group = false
	}
}

// Mask keeps a secret out of the log, also where others write it.
func (l *Log) Mask(secret string) {
	if secret == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// Not cleaned: the runner has to see the secret itself.
	fmt.Fprintln(l.w, (&githubactions.Command{Name: "add-mask", Message: secret}).String())
}

// Line writes text of one or more lines.
func (l *Log) Line(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line(text)
}

func (l *Log) line(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintln(l.w, harmless(line))
	}
}

// Message annotates the run itself, with no place in a file.
func (l *Log) Message(level, text string) {
	l.Annotate(Annotation{Level: level, Message: text}, 0)
}

// Annotate writes an annotation, and reports whether it did. Where GitHub would
// drop it, or fewer than keep would be left for others, it writes lines instead
// and returns false.
func (l *Log) Annotate(a Annotation, keep int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.used[a.Level] >= perLevel-keep {
		l.line(a.text())
		return false
	}
	l.used[a.Level]++
	properties := githubactions.CommandProperties{"title": plain("isodelta" + prefixed(": ", a.Title))}
	if a.Path != "" {
		properties["file"] = plain(a.Path)
		if a.Start > 0 {
			properties["line"] = fmt.Sprint(a.Start)
		}
		if a.End > a.Start {
			properties["endLine"] = fmt.Sprint(a.End)
		}
	}
	l.command(a.Level, properties, a.Message)
	return true
}

// Annotation is a remark on lines of the head version.
type Annotation struct {
	Level      string // LevelError, LevelWarning or LevelNotice
	Path       string // relative to the repository, "" for none
	Start, End int    // lines from 1; 0 for none
	Title      string
	Message    string // lines of text
}

// text is the annotation as a line of the log, for where it cannot be more.
func (a Annotation) text() string {
	where := ""
	if a.Path != "" {
		where = fmt.Sprintf("%s:%d", a.Path, a.Start)
	}
	parts := slices.DeleteFunc([]string{a.Level, where, a.Title, a.Message}, func(s string) bool { return s == "" })
	return strings.Join(parts, ": ")
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func (l *Log) command(name string, properties githubactions.CommandProperties, message string) {
	c := githubactions.Command{Name: name, Properties: properties, Message: plainLines(message)}
	fmt.Fprintln(l.w, c.String())
}

// Writer takes a text of many lines, such as a report. The last line is written
// when it ends with a line feed.
func (l *Log) Writer() io.Writer { return &logWriter{log: l} }

type logWriter struct {
	log *Log
	buf strings.Builder
}

func (w *logWriter) Write(p []byte) (int, error) {
	w.buf.Write(p)
	text := w.buf.String()
	end := strings.LastIndexByte(text, '\n')
	if end < 0 {
		return len(p), nil
	}
	w.log.Line(text[:end])
	w.buf.Reset()
	w.buf.WriteString(text[end+1:])
	return len(p), nil
}

// harmless keeps a line from being a workflow command. The runner takes one
// where a line begins with two colons, spaces aside, and in its older form
// wherever "##[" stands.
func harmless(line string) string {
	line = strings.ReplaceAll(plain(line), "##[", "# #[")
	start := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsSpace(r) })
	if start >= 0 && strings.HasPrefix(line[start:], "::") {
		line = line[:start] + ": :" + line[start+2:]
	}
	return line
}

// plain takes out of a line what ends it for some reader, or what is not seen
// and acts: control characters, and those that turn the direction of text.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return r
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

// plainLines is plain for a text whose line feeds stay.
func plainLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = plain(l)
	}
	return strings.Join(lines, "\n")
}

// cut bounds a text, in characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// AddAcceptance returns the text of a file with one more entry below accept, or
// with the reason (and who, and the day, where the entry names them) of the
// entry with that identifier replaced. Everything else stays byte for byte.
//
// The text is edited in place and then read again: where the result does not
// hold just this entry more, because the file is written in a way that is not
// understood here, nothing is changed and the error says what to write by hand.
func AddAcceptance(name string, data []byte, e acceptance.Entry) ([]byte, error) {
	before, err := Parse(name, data)
	if err != nil {
		return nil, err
	}
	e.From = acceptance.FromConfig
	want, at := merged(before.Accept, e)
	t := newTextEdit(data)
	if at < len(before.Accept) {
		err = t.update(at, before.Accept[at], want[at])
	} else {
		err = t.insert(e)
	}
	if err == nil {
		var after Config
		if after, err = Parse(name, t.text()); err == nil {
			expected := before
			expected.Accept = want
			if reflect.DeepEqual(withoutPlaces(after), withoutPlaces(expected)) {
				return t.text(), nil
			}
			err = errors.New("the entry would not be read as it was written")
		}
	}
	return nil, &byHandError{name, err, strings.Join(entryLines("  ", e), "\n")}
}

// byHandError says what to write into a file that cannot be edited.
type byHandError struct {
	file  string
	err   error
	entry string
}

func (e *byHandError) Error() string {
	return fmt.Sprintf("%s is written in a way that isodelta does not edit (%v); write into it by hand:\n\naccept:\n%s", e.file, e.err, e.entry)
}

func (e *byHandError) Unwrap() error { return e.err }

// merged is the list with the entry, and where in it.
func merged(list []acceptance.Entry, e acceptance.Entry) ([]acceptance.Entry, int) {
	want := append([]acceptance.Entry(nil), list...)
	for i := range want {
		if want[i].ID != e.ID {
			continue
		}
		want[i].Reason = e.Reason
		if e.By != "" {
			want[i].By = e.By
		}
		if !e.Expires.IsZero() {
			want[i].Expires = e.Expires
		}
		return want, i
	}
	return append(want, e), len(want)
}

// textEdit is a file as lines, each with its line end.
type textEdit struct {
	lines []string
	end   string // of lines that are added
	root  *yaml.Node
}

func newTextEdit(data []byte) *textEdit {
	t := &textEdit{lines: strings.SplitAfter(string(data), "\n"), end: "\n"}
	if t.lines[len(t.lines)-1] == "" {
		t.lines = t.lines[:len(t.lines)-1]
	}
	if len(t.lines) > 0 && strings.HasSuffix(t.lines[0], "\r\n") {
		t.end = "\r\n"
	}
	var doc yaml.Node
	if yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc) == nil && len(doc.Content) == 1 {
		t.root = doc.Content[0]
	}
	return t
}

func (t *textEdit) text() []byte { return []byte(strings.Join(t.lines, "")) }

// insert adds an entry at the end of the list, and the list at the end of the
// file where there is none.
func (t *textEdit) insert(e acceptance.Entry) error {
	key, list := t.lookup("accept")
	switch {
	case key == nil && t.root != nil && t.root.Kind == yaml.MappingNode && t.root.Style&yaml.FlowStyle != 0:
		return errors.New("all of it stands in braces")
	case key == nil:
		t.put(len(t.lines), append([]string{"accept:"}, entryLines("  ", e)...))
	case list.Kind == yaml.ScalarNode: // nothing behind the key
		t.put(key.Line, entryLines("  ", e))
	case list.Kind == yaml.SequenceNode && len(list.Content) == 0:
		if err := t.replace(list, "[]", ""); err != nil {
			return err
		}
		t.put(list.Line, entryLines("  ", e))
	case list.Kind != yaml.SequenceNode || list.Style&yaml.FlowStyle != 0:
		return errors.New("accept is not a list of lines that begin with a dash")
	default:
		last := list.Content[len(list.Content)-1]
		dash := list.Column - 1
		indent := strings.Repeat(" ", dash)
		t.put(t.endOf(last.Line, dash), entryLines(indent, e))
	}
	return nil
}

// endOf returns the number of the last line of the list's entry that has a line
// of this number; dash is the column of the list's dashes, from 0. Blank lines
// and comments that are not indented deeper belong to what follows.
func (t *textEdit) endOf(line, dash int) int {
	end := line
	for n := line + 1; n <= len(t.lines); n++ {
		text := strings.TrimRight(t.lines[n-1], " \t\r\n")
		bare := strings.TrimLeft(text, " ")
		switch deeper := len(text)-len(bare) > dash; {
		case deeper:
			end = n
		case bare != "" && bare[0] != '#':
			return end
		}
	}
	return end
}

// put adds lines after the line of that number.
func (t *textEdit) put(after int, lines []string) {
	if after > 0 && after == len(t.lines) && !strings.HasSuffix(t.lines[after-1], "\n") {
		t.lines[after-1] += t.end
	}
	added := make([]string, len(lines))
	for i, l := range lines {
		added[i] = l + t.end
	}
	t.lines = append(t.lines[:after:after], append(added, t.lines[after:]...)...)
}

// update writes what differs between two states of one entry.
func (t *textEdit) update(at int, old, new acceptance.Entry) error {
	_, list := t.lookup("accept")
	if list == nil || list.Kind != yaml.SequenceNode || at >= len(list.Content) || list.Content[at].Kind != yaml.MappingNode {
		return errors.New("accept is not a list of entries")
	}
	entry := list.Content[at]
	var missing []string
	for _, f := range []struct{ name, old, new string }{
		{"expires", dayText(old.Expires), dayText(new.Expires)}, {"by", old.By, new.By}, {"reason", old.Reason, new.Reason},
	} {
		if f.old == f.new {
			continue
		}
		_, value := entryOf(entry, f.name)
		if value == nil || isNull(value) {
			missing = append(missing, f.name+": "+scalar(f.new))
			continue
		}
		raw, err := t.raw(value)
		if err != nil {
			return err
		}
		if err := t.replace(value, raw, scalar(f.new)); err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if entry.Style&yaml.FlowStyle != 0 {
		return errors.New("the entry stands in braces")
	}
	indent := strings.Repeat(" ", entry.Column-1)
	for _, line := range missing {
		t.put(t.endOf(entry.Line, entry.Column-2), []string{indent + line})
	}
	return nil
}

// lookup finds a key of the file's top level.
func (t *textEdit) lookup(name string) (key, value *yaml.Node) {
	if t.root == nil {
		return nil, nil
	}
	return entryOf(t.root, name)
}

func entryOf(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// raw is a scalar as the file spells it, where that is on one line.
func (t *textEdit) raw(n *yaml.Node) (string, error) {
	rest, err := t.from(n)
	if err != nil {
		return "", err
	}
	spellings := map[yaml.Style]*regexp.Regexp{
		yaml.DoubleQuotedStyle: regexp.MustCompile(`^"(\\.|[^"\\])*"`),
		yaml.SingleQuotedStyle: regexp.MustCompile(`^'(''|[^'])*'`),
		0:                      regexp.MustCompile(`^[^\r\n]*?(\s+#|\s*$)`),
	}
	re := spellings[n.Style]
	if re == nil {
		return "", fmt.Errorf("line %d holds a text that goes over several lines", n.Line)
	}
	raw := re.FindString(rest)
	if n.Style == 0 {
		raw = strings.TrimRight(strings.TrimSuffix(raw, "#"), " \t\r\n")
	}
	var back yaml.Node
	if err := yaml.Unmarshal([]byte(raw), &back); err != nil || len(back.Content) != 1 || back.Content[0].Value != n.Value {
		return "", fmt.Errorf("line %d holds a text that goes over several lines, or stands in braces", n.Line)
	}
	return raw, nil
}

// from is the file's line from where a node begins.
func (t *textEdit) from(n *yaml.Node) (string, error) {
	line := t.lines[n.Line-1]
	for range n.Column - 1 { // columns count characters
		_, size := utf8.DecodeRuneInString(line)
		line = line[size:]
	}
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return "", fmt.Errorf("line %d holds an anchor or a tag", n.Line)
	}
	return line, nil
}

// replace puts a text in the place of the old one where a node begins.
func (t *textEdit) replace(n *yaml.Node, old, new string) error {
	rest, err := t.from(n)
	if err != nil {
		return err
	}
	tail, ok := strings.CutPrefix(rest, old)
	if !ok {
		return fmt.Errorf("line %d is not what it seems", n.Line)
	}
	line := &t.lines[n.Line-1]
	*line = strings.TrimSuffix(*line, rest) + new + tail
	return nil
}

// entryLines writes an entry.
func entryLines(indent string, e acceptance.Entry) []string {
	lines := []string{indent + `- id: "` + e.ID + `"`, indent + "  reason: " + scalar(e.Reason)}
	if e.By != "" {
		lines = append(lines, indent+"  by: "+scalar(e.By))
	}
	if !e.Expires.IsZero() {
		lines = append(lines, indent+"  expires: "+dayText(e.Expires))
	}
	return lines
}

func dayText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// plain texts mean themselves in YAML, wherever they stand.
var plain = lazyregexp.New(`^[A-Za-z]([A-Za-z0-9 .()/'-]*[A-Za-z0-9.)])?$`)

// scalar writes a text of one line: as it is where YAML reads it so, else in
// double quotes, whose escapes are those of JSON.
func scalar(s string) string {
	var back yaml.Node
	if plain().MatchString(s) && yaml.Unmarshal([]byte(s), &back) == nil && len(back.Content) == 1 && back.Content[0].ShortTag() == "!!str" {
		return s
	}
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

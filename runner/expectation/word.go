package expectation

import (
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// addedWord is a text that the change adds to those that code asks for by name: a case of a switch, a key of a table, something that
// is compared with. What is given it was given something that base does not know.
type addedWord struct {
	file string
	line int // on head
	text string
}

var (
	// asking matches a line that asks for texts.
	asking = lazyregexp.New(`^\s*case\s.*"|^\s*"[^"]*":|==\s*"`)
	// quotedWord matches a text that looks like a name.
	quotedWord = lazyregexp.New(`"(\w[\w.-]{2,})"`)
)

// addedWords are the words that added lines ask for and that stand nowhere in the file on base. line is that of the first added one.
func addedWords(file string, line int, added, before []string) []addedWord {
	var out []addedWord
	known := ""
	for i, text := range added {
		if !asking().MatchString(text) {
			continue
		}
		if known == "" {
			known = strings.Join(before, "\n")
		}
		for _, m := range quotedWord().FindAllStringSubmatch(text, -1) {
			if !strings.Contains(known, strconv.Quote(m[1])) {
				out = append(out, addedWord{file, line + i, m[1]})
			}
		}
	}
	return out
}

// ofWord returns where the change adds a word that a call is given, in an edit that is to blame for the difference. A call that is
// worse off is another thing: a word that names something now was perhaps one like others.
func (e Edits) ofWord(f event.Finding) *event.Expectation {
	if f.Kind != event.KindValue && f.Kind != event.KindErrorToValue {
		return nil
	}
	input := literalsOf(f.Input)
	for _, w := range e.words {
		if input[literal{w.text, true}] == 0 {
			continue
		}
		for _, edit := range f.Blamed {
			if edit.File == w.file && edit.Line <= w.line && w.line <= max(edit.Line, edit.EndLine) {
				return &event.Expectation{File: w.file, Line: w.line}
			}
		}
	}
	return nil
}

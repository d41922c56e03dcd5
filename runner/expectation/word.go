package expectation

import (
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// addedWord is a name that the change adds to a switch, a table, a list or a comparison. Base does not know it.
type addedWord struct {
	file string
	line int // on head
	text string
}

var (
	// asking matches a line with a case, a key, a comparison or a list of strings.
	asking = lazyregexp.New(`^\s*case\s.*"|^\s*"[^"]*":|==\s*"|\[\]string\{"|^(?:\s*"[^"]*",?)+\s*\}?$`)
	// quotedWord matches a text that looks like a name.
	quotedWord = lazyregexp.New(`"(\w[\w.-]{2,})"`)
)

// addedWords returns the names in added lines that the file on base does not contain. line is the number of the first added line.
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

// ofWord returns the line of the edit to blame that adds a word which the call is given. A call that fails on head is not explained:
// on base the word may have been an ordinary text.
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

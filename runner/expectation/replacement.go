package expectation

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/isodelta/isodelta/report/event"
)

// A test that is edited, or a file that it compares with, often has another input than a call of ours, and the same
// words in place of the same words in what it expects. Where all of a difference is that, the change means it.

const (
	// maxWords bounds the words of what is compared word by word, on either side.
	maxWords = 600
	// tellingWords is how many words are no chance, where nothing stands for them on the other side.
	tellingWords = 3
)

// replacement is some words in the place of others, behind a name.
type replacement struct{ behind, removed, added string }

// telling reports whether a replacement is met elsewhere by more than chance: in both are words, behind a
// name, or on one side a phrase.
func (r replacement) telling() bool {
	if r.removed != "" && r.added != "" {
		return len(r.behind) > 1
	}
	return phrase(r.removed) || phrase(r.added)
}

// phrase reports whether words are a phrase: as many names as are no chance.
func phrase(text string) bool {
	n := 0
	for _, w := range strings.Fields(text) {
		if isName(w) && len(w) > 1 {
			n++
		}
	}
	return n >= tellingWords
}

// ofReplacement returns where the change replaces in what it expects all that a finding replaces, nil for nowhere.
func (e Edits) ofReplacement(f event.Finding) *event.Expectation {
	list := replacements(unquoted(f.Base.Value), unquoted(f.Head.Value))
	if !slices.ContainsFunc(list, replacement.telling) {
		return nil
	}
	var first *event.Expectation
	for _, r := range list {
		at := slices.IndexFunc(e.hunks, func(h hunk) bool { return h.makes(r) })
		if at < 0 {
			return nil
		}
		if h := e.hunks[at]; first == nil && r.telling() {
			first = &event.Expectation{File: h.file, Line: h.line}
		}
	}
	return first
}

// makes reports whether an edit does the same.
func (h hunk) makes(r replacement) bool {
	switch {
	case r.removed != "" && r.added != "":
		return slices.Contains(h.replaced, r)
	case !r.telling():
		return slices.ContainsFunc(h.replaced, func(x replacement) bool { return x.removed == r.removed && x.added == r.added })
	}
	return slices.ContainsFunc(h.replaced, func(x replacement) bool {
		return holdsWords(x.added, r.added) && holdsWords(x.removed, r.removed) && (r.added == "") == (x.added == "") && (r.removed == "") == (x.removed == "")
	})
}

// holdsWords reports whether words stand in a text of words, one after the other.
func holdsWords(text, words string) bool {
	// Where words are put in between equal marks it is open which of the marks are new.
	words = strings.TrimFunc(words, func(r rune) bool { return !partOfWord(r) })
	return strings.Contains(" "+text+" ", " "+words+" ") || words == ""
}

// replacements returns what stands in b in place of what is in a, word by word; nil where that is too long to
// be compared.
func replacements(a, b string) []replacement {
	x, y := wordsOf(a), wordsOf(b)
	same := 0 // words in front that both have
	for same < len(x) && same < len(y) && x[same] == y[same] {
		same++
	}
	front := x[:same]
	x, y = x[same:], y[same:]
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	if len(x) > maxWords || len(y) > maxWords {
		return nil
	}
	common := lengths(x, y)
	behind := ""
	for _, w := range front {
		if isName(w) {
			behind = w
		}
	}
	var out []replacement
	for i, j := 0, 0; i < len(x) || j < len(y); {
		if i < len(x) && j < len(y) && x[i] == y[j] {
			if isName(x[i]) {
				behind = x[i]
			}
			i, j = i+1, j+1
			continue
		}
		from, to := i, j
		for i < len(x) || j < len(y) {
			switch {
			case i < len(x) && j < len(y) && x[i] == y[j]:
			case j == len(y), i < len(x) && common[i+1][j] >= common[i][j+1]:
				i++
				continue
			default:
				j++
				continue
			}
			break
		}
		out = append(out, replacement{behind, strings.Join(x[from:i], " "), strings.Join(y[to:j], " ")})
	}
	return out
}

// lengths returns, for each pair of places, the length of the longest common subsequence of what follows.
func lengths(x, y []string) [][]int32 {
	out := make([][]int32, len(x)+1)
	for i := range out {
		out[i] = make([]int32, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				out[i][j] = out[i+1][j+1] + 1
			} else {
				out[i][j] = max(out[i+1][j], out[i][j+1])
			}
		}
	}
	return out
}

// wordsOf cuts a text into names, numbers and single marks; white space is none of them.
func wordsOf(text string) []string {
	var out []string
	from := -1
	for i, r := range text {
		inName := partOfWord(r)
		if from >= 0 && !inName {
			out = append(out, text[from:i])
			from = -1
		}
		switch {
		case inName && from < 0:
			from = i
		case !inName && !unicode.IsSpace(r):
			out = append(out, string(r))
		}
	}
	if from >= 0 {
		out = append(out, text[from:])
	}
	return out
}

// isName reports whether a word begins with a letter.
func isName(word string) bool {
	for _, r := range word {
		return unicode.IsLetter(r)
	}
	return false
}

// unquoted is a value's text where it is a text, and how the value is printed otherwise.
func unquoted(value string) string {
	if s, err := strconv.Unquote(value); err == nil {
		return s
	}
	return value
}

// escapes are what texts in code have where the text itself has something else.
var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`)

//go:build go1.21

package harness

import (
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Tests of commands often give a whole command line as one text, which a function of theirs cuts into words.

const longestLine = 400 // bytes of a text that is taken for a command line

// isCommandLine reports whether a text may be a command line: of several words in one line, one of them a flag.
func isCommandLine(s string) bool {
	if len(s) > longestLine || !strings.Contains(s, "-") || strings.Contains(strings.TrimSpace(s), "\n") {
		return false
	}
	words := strings.Fields(s)
	if len(words) < 2 {
		return false
	}
	for _, w := range words {
		if isFlag(w) {
			return true
		}
	}
	return false
}

// isFlag reports whether a word of a command line is a flag: one dash or two, and a letter.
func isFlag(word string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-")
	return name != word && name != "" && class(name) == "a"
}

// commandLine changes a command line word by word: a flag more, with its value or without, a word twice, left out, or
// at another place.
func (p *Plain) commandLine(r *Rand, s string) string {
	words := strings.Fields(s)
	at := r.Intn(len(words))
	switch r.Intn(8) {
	case 0:
		words = append(words[:at], words[at+1:]...)
	case 1:
		k := r.Intn(len(words))
		words[at], words[k] = words[k], words[at]
	case 2:
		words = putWords(words, r.Intn(len(words)+1), words[at])
	case 3:
		words = putWords(words, at, usualWords[r.Intn(len(usualWords))])
	default:
		words = putWords(words, r.Intn(len(words)+1), p.flagWords(r, words)...)
	}
	return strings.Join(words, " ")
}

// putWords is a copy of a list of words with more at a place.
func putWords(words []string, at int, more ...string) []string {
	out := append([]string(nil), words[:at]...)
	return append(append(out, more...), words[at:]...)
}

// flagWords is a flag that the code knows, in any form, by its name, long or short. Its value is a word that the line
// has already, or any text, in quotes where it has blanks.
func (p *Plain) flagWords(r *Rand, words []string) []string {
	name := strings.TrimLeft(words[r.Intn(len(words))], "-")
	if names := p.flagNames(r); len(names) > 0 && r.Chance(85) {
		name = names[r.Intn(len(names))]
	}
	value := words[r.Intn(len(words))]
	if r.Chance(50) {
		value = p.known(r)
	}
	if strings.ContainsAny(value, " \t\n") {
		value = `"` + strings.NewReplacer(`"`, "", "\n", " ").Replace(value) + `"`
	}
	dashes := "--"
	if len(name) <= 1 {
		dashes = "-"
	}
	form := flagForm(r.Intn(int(flagForms)))
	if r.Chance(70) {
		form = []flagForm{flagAlone, flagValue, flagApart}[r.Intn(3)]
	}
	if name == "" {
		return []string{"--"}
	}
	return form.words(dashes, name, value)
}

// flagNames are the names in a text of the change, or of the code, that may declare a flag: a word, or two with a comma
// between them, as in "name, n".
func (p *Plain) flagNames(r *Rand) []string {
	for try := 0; try < 8; try++ {
		near := wire.NearDiff
		if len(p.texts[near]) == 0 || r.Chance(50) {
			near = wire.NearCode
		}
		list := p.texts[near]
		if len(list) == 0 {
			continue
		}
		text := list[r.Intn(len(list))]
		if len(text) > longestWord {
			continue
		}
		var names []string
		for _, name := range strings.Split(text, ",") {
			if name = strings.TrimLeft(strings.TrimSpace(name), "-"); isFlagName(name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			return names
		}
	}
	return nil
}

//go:build go1.21

package harness

import (
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Lists of texts are often the words of a command line, so some are made as such: names
// that the sequence has given to what it built, or that the code knows, become commands and
// flags, with a value or without.

// usualWords are what most command lines understand.
var usualWords = []string{"help", "--help", "-h", "--", "--version", "completion", "-"}

// longestWord bounds the texts that are taken for names, in bytes.
const longestWord = 32

// asWords makes some texts of a list words.
func (b *builder) asWords(list []wire.Lit) []wire.Lit {
	r := b.g.r
	if len(list) == 0 {
		list = []wire.Lit{{Form: wire.Text, S: b.g.plain.known(r)}}
	}
	own := b.ownNames()
	for i := range list {
		if list[i].Form != wire.Text || !r.Chance(60) {
			continue
		}
		if r.Chance(10) {
			list[i].S = usualWords[r.Intn(len(usualWords))]
			continue
		}
		name := list[i].S
		if len(own) > 0 && r.Chance(60) {
			if name = own[r.Intn(len(own))]; r.Chance(40) {
				list[i].S = name // a command, or a value
				continue
			}
		}
		if !isFlagName(name) {
			if name = b.g.plain.known(r); !isFlagName(name) {
				continue
			}
		}
		list[i].S = b.flag(name)
	}
	return list
}

// insertWord puts one more word into a list of texts, so that a command line that a test gives
// is given with a flag or a command more.
func (b *builder) insertWord(list []wire.Lit) []wire.Lit {
	r := b.g.r
	name, own := b.g.plain.known(r), b.ownNames()
	if len(own) > 0 && r.Chance(30) {
		name = own[r.Intn(len(own))]
	}
	switch {
	case r.Chance(10):
		name = usualWords[r.Intn(len(usualWords))]
	case isFlagName(name) && r.Chance(70):
		name = b.flag(name)
	}
	i := r.Intn(len(list) + 1)
	out := append(list[:i:i], wire.Lit{Form: wire.Text, S: name})
	return append(out, list[i:]...)
}

// flag is a name as a flag, one letter mostly with one dash.
func (b *builder) flag(name string) string {
	r := b.g.r
	dashes := "--"
	if r.Chance(50) || len(name) == 1 && r.Chance(60) {
		dashes = "-"
	}
	if r.Chance(50) {
		return dashes + name
	}
	if r.Chance(15) {
		return dashes + name + "=" // what "--name=$VALUE" is, where that is not set
	}
	return dashes + name + "=" + b.text(spot{-1, -1})
}

// ownNames are the texts of the sequence that may be names, of commands, flags and the like,
// in the order in which they stand there; each once.
func (b *builder) ownNames() []string {
	var out []string
	seen := map[string]bool{}
	b.p.Walk(func(_ int, l *wire.Lit) {
		if l.Form != wire.Text || len(l.S) > longestWord {
			return
		}
		// As in cobra's Use: "serve [flags]"; as in flags: "name, n".
		for _, word := range strings.FieldsFunc(l.S, func(r rune) bool { return r == ' ' || r == ',' }) {
			if word = strings.TrimLeft(word, "-"); isFlagName(word) && !seen[word] {
				seen[word] = true
				out = append(out, word)
			}
		}
	})
	return out
}

func isFlagName(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "-_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

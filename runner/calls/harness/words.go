//go:build go1.21

package harness

import (
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Lists of texts are often the words of a command line, so some are made as such: names
// that the sequence has given to what it built, or that the code knows, become commands and
// flags, with a value or without; see Words.

// usualWords are what most command lines understand, and what shells ask common libraries for them: cobra, kingpin, urfave/cli.
var usualWords = []string{"help", "--help", "-h", "--", "--version", "completion", "-", "__complete", "--completion-bash", "--generate-bash-completion"}

// longestWord bounds the texts that are taken for names, in bytes.
const longestWord = 32

// Words registers names that the code gives to its flags, options and commands.
func Words(names ...string) { registry.words = append(registry.words, names...) }

// A flagForm is a way to give a flag on a command line.
type flagForm int

const (
	flagAlone   flagForm = iota // --name
	flagValue                   // --name=value
	flagEmpty                   // --name= is what "--name=$VALUE" is, where that is not set
	flagNegated                 // --no-name
	flagApart                   // --name, then value
	flagJoined                  // -nvalue
	flagForms
)

// words are those by which a flag is given, with one dash or two.
func (f flagForm) words(dashes, name, value string) []string {
	switch f {
	case flagValue:
		return []string{dashes + name + "=" + value}
	case flagEmpty:
		return []string{dashes + name + "="}
	case flagNegated:
		return []string{dashes + "no-" + name}
	case flagApart:
		return []string{dashes + name, value}
	case flagJoined:
		return []string{dashes[:1] + name[:1] + value}
	}
	return []string{dashes + name}
}

// asWords makes some texts of a list words, and now and then arranges them otherwise.
func (b *builder) asWords(list []wire.Lit) []wire.Lit {
	r := b.g.r
	if len(list) == 0 {
		list = []wire.Lit{{Form: wire.Text, S: b.g.plain.known(r)}}
	}
	var words []wire.Lit
	for _, l := range list {
		if l.Form != wire.Text || !r.Chance(60) {
			words = append(words, l)
			continue
		}
		for _, s := range b.word(l.S) {
			words = append(words, wire.Lit{Form: wire.Text, S: s})
		}
	}
	if b.g.m.readsFiles && r.Chance(30) {
		words = b.insertPath(words)
	}
	if r.Chance(35) {
		words = b.arranged(words)
	}
	return words
}

// insertPath puts the path of a file into a command line.
func (b *builder) insertPath(list []wire.Lit) []wire.Lit {
	at := b.g.r.Intn(len(list) + 1)
	if n := len(b.fileNames); n > 0 && b.g.r.Chance(40) {
		return inserted(list, at, b.fileNames[b.g.r.Intn(n)]) // where the command is started
	}
	out := append([]wire.Lit(nil), list[:at]...)
	return append(append(out, b.freshPath()), list[at:]...)
}

// word is what stands for a text on a command line, in one word or two: something usual, a
// command or a value, or a flag.
func (b *builder) word(text string) []string {
	r := b.g.r
	if r.Chance(10) {
		return usualWords[r.Intn(len(usualWords)):][:1]
	}
	if own := b.names(); len(own) > 0 && r.Chance(60) {
		if text = own[r.Intn(len(own))]; r.Chance(40) {
			return []string{text}
		}
	}
	if !isFlagName(text) {
		if text = b.g.plain.known(r); !isFlagName(text) {
			return []string{text}
		}
	}
	return b.flag(text)
}

// insertWord puts one more word into a list of texts, or a flag with its value, so that a command
// line that a test gives is given with a flag or a command more; or it arranges the words otherwise.
func (b *builder) insertWord(list []wire.Lit) []wire.Lit {
	r := b.g.r
	if r.Chance(20) {
		return b.arranged(list)
	}
	if b.g.m.readsFiles && r.Chance(20) {
		return b.insertPath(list)
	}
	name, own := b.g.plain.known(r), b.names()
	if len(own) > 0 && r.Chance(40) {
		name = own[r.Intn(len(own))]
	}
	words := []string{name}
	switch {
	case r.Chance(10):
		words[0] = usualWords[r.Intn(len(usualWords))]
	case isFlagName(name) && r.Chance(70):
		words = b.flag(name)
	}
	return inserted(list, r.Intn(len(list)+1), words...)
}

// inserted is a copy of a list with words at a place.
func inserted(list []wire.Lit, at int, words ...string) []wire.Lit {
	out := append([]wire.Lit(nil), list[:at]...)
	for _, s := range words {
		out = append(out, wire.Lit{Form: wire.Text, S: s})
	}
	return append(out, list[at:]...)
}

// arranged is a copy of a command line with a flag twice, a flag behind what followed it, or two
// dashes somewhere, behind which there are no flags.
func (b *builder) arranged(list []wire.Lit) []wire.Lit {
	r := b.g.r
	var flags []int
	for i, l := range list {
		if l.Form == wire.Text && len(l.S) > 1 && l.S[0] == '-' && l.S != "--" {
			flags = append(flags, i)
		}
	}
	if len(flags) == 0 || r.Chance(30) {
		return inserted(list, r.Intn(len(list)+1), "--")
	}
	i := flags[r.Intn(len(flags))]
	flag := list[i].S
	if r.Chance(50) {
		return inserted(list, i+1+r.Intn(len(list)-i), flag)
	}
	rest := inserted(list[:i], i)
	rest = append(rest, list[i+1:]...)
	at := i + r.Intn(len(rest)-i+1)
	if at == i {
		return inserted(rest, len(rest), b.g.plain.known(r), flag)
	}
	return inserted(rest, at, flag)
}

// flag is a name given as a flag, one letter mostly with one dash.
func (b *builder) flag(name string) []string {
	r := b.g.r
	dashes := "--"
	if r.Chance(50) || len(name) == 1 && r.Chance(60) {
		dashes = "-"
	}
	form := flagForm(r.Intn(int(flagForms)))
	if r.Chance(40) {
		form = flagForm(r.Intn(2)) // the usual ones
	}
	return form.words(dashes, name, b.text(spot{-1, -1}))
}

// names are those of the sequence's own texts, then those that the code registers.
func (b *builder) names() []string { return append(b.ownNames(), b.g.m.words...) }

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

// commandLines is how many lists of texts in a hundred are made command lines at a place.
func (b *builder) commandLines(at spot) int {
	switch {
	case at.op >= wire.Builtins && b.g.m.Ops[at.op].CommandLine:
		return 90
	case len(b.g.m.words) > 0:
		return 35
	}
	return 25
}

func isFlagName(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "-_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}
